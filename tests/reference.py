"""Slow and literal: the definitions, one line of mathematics at a time. Every kernel is tested against these."""

import itertools
import math

import numpy as np

from slpc.kernels.tube import Rules

# -- curves -----------------------------------------------------------------------------------------------------


def nearest_on_segment(x, a, b):
    """Squared distance of x to [a, b] and the place of the nearest point."""
    e = b - a
    tau = min(max(float((x - a) @ e) / float(e @ e), 0.0), 1.0)
    gap = x - (a + tau * e)
    return float(gap @ gap), tau


def loss(vertices, x):
    """Δ(f, x)."""
    return min(nearest_on_segment(x, a, b)[0] for a, b in itertools.pairwise(vertices))


def projection(vertices, x, tie=1e-12):
    """Carrier (the last of the nearest segments), place on it, squared distance."""
    found = [nearest_on_segment(x, a, b) for a, b in itertools.pairwise(vertices)]
    best = min(d2 for d2, _ in found)
    extent = np.ptp(vertices, axis=0)
    bar = best * (1 + tie) + tie**2 * float(extent @ extent)
    carrier = max(i for i, (d2, _) in enumerate(found) if d2 <= bar)
    return carrier, found[carrier][1], found[carrier][0]


def greatest_distance(X):
    return max((float(np.linalg.norm(a - b)) for a, b in itertools.combinations(X, 2)), default=0.0)


# -- action classes -----------------------------------------------------------------------------------------------


def lattice_points(radius, spacing, dim, offset=0.0):
    """Q: all lattice points in the ball of radius √d R, in lexicographic order."""
    most = math.ceil(math.sqrt(dim) * radius / spacing) + 2
    shift = np.broadcast_to(offset, dim)
    found = []
    for u in itertools.product(range(-most - 2, most + 3), repeat=dim):
        v = np.array(u) * spacing + shift
        if float(v @ v) <= dim * radius**2 * (1 + 1e-12):
            found.append(tuple(v))
    return np.array(sorted(found))


def action_rows(points, p, L, identify_reversals):
    """All actions as rows of point numbers, by segments and then lexicographically."""
    rows = []
    for k in range(1, p + 1):
        for row in itertools.product(range(len(points)), repeat=k + 1):
            if any(a == b for a, b in itertools.pairwise(row)):
                continue
            if sum(np.linalg.norm(points[a] - points[b]) for a, b in itertools.pairwise(row)) > L * (1 + 1e-9):
                continue
            if identify_reversals and row > row[::-1]:
                continue
            rows.append(row)
    return rows


# -- the law of the leader ----------------------------------------------------------------------------------------


def law_by_polynomial(u):
    """P_f = w_f times the integral over [0, 1] of the product of (1 - w_g q), g ≠ f: a polynomial, exactly.

    Gauss-Legendre with n nodes integrates degree 2n - 1 exactly; all values are positive.
    """
    u = np.asarray(u, dtype=float)
    w = np.exp(u - u.max())
    nodes, weights = np.polynomial.legendre.leggauss(len(u) // 2 + 1)
    q = (nodes + 1) / 2
    factors = 1 - w[:, None] * q[None, :]
    return np.array([w[f] * (weights / 2) @ np.delete(factors, f, axis=0).prod(axis=0) for f in range(len(u))])


# -- forecasters --------------------------------------------------------------------------------------------------


def perturbed_leaders(rows, points, h, z, rates, X):
    """Algorithms 1 and 2: the action held in each round; rates[t] is η_t."""
    total = np.zeros(len(rows))
    held = []
    for t, x in enumerate(X, start=1):
        scores = total + (h - z) / rates[t - 1]
        held.append(int(np.argmin(scores)))
        total += [loss(points[list(row)], x) for row in rows]
    return held, total


# -- Algorithm 3's neighbourhood ----------------------------------------------------------------------------------


def cell(vertices, x):
    """Voronoi cell, ("V" or "S", number from 1)."""
    carrier, tau, _ = projection(vertices, x)
    if tau <= 1e-12:
        return ("V", carrier + 1)
    if tau >= 1 - 1e-12:
        return ("V", carrier + 2)
    return ("S", carrier + 1)


def neighbourhood(vertices, x, both_sides):
    """N(x) as a set of cells."""
    k = len(vertices) - 1
    carrier = projection(vertices, x)[0] + 1
    kind, number = cell(vertices, x)
    carriers = {carrier}
    if both_sides and kind == "V" and 1 < number <= k:
        carriers = {number - 1, number}
    cells = set()
    for i in carriers:
        cells |= {("S", i - 1), ("V", i), ("S", i), ("V", i + 1), ("S", i + 1)}
    return {(c, i) for c, i in cells if (c == "V" and 1 <= i <= k + 1) or (c == "S" and 1 <= i <= k)}


def local_lines(vertices, grid, p, L, low, high, identify_reversals):
    """U(f): the lines v[:low] + w + v[high:], with one vertex fewer, as many or one more in w from the grid."""
    line = [tuple(v) for v in vertices]
    grid = [tuple(g) for g in grid]
    found = set()
    for m in (high - low - 1, high - low, high - low + 1):
        if m < 0:
            continue
        for w in itertools.product(grid, repeat=m):
            new = (*line[:low], *w, *line[high:])
            if not 2 <= len(new) <= p + 1 or any(a == b for a, b in itertools.pairwise(new)):
                continue
            if sum(math.dist(a, b) for a, b in itertools.pairwise(new)) > L * (1 + 1e-9):
                continue
            found.add(min(new, new[::-1]) if identify_reversals else new)
    return found


# -- hashed perturbations -----------------------------------------------------------------------------------------

_WORD = 2**64


def _mix(state):
    state = (state + 0x9E3779B97F4A7C15) % _WORD
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % _WORD
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) % _WORD
    return state ^ (state >> 31)


def hashed_exponential(seed, action):
    state = _mix(seed)
    for number in action:
        state = _mix(state ^ (int(number) % _WORD))
    return -math.log(((state >> 11) + 0.5) * 2.0**-53)


# -- the learner --------------------------------------------------------------------------------------------------


def first_of_nearest(dist2):
    """The first of the segments that are equally near: by less than a part in 10¹⁰."""
    least = min(dist2)
    return next(s for s, found in enumerate(dist2) if found <= least * (1 + 1e-10))


def room(first_at, bucket):
    """Where one more cell of a bucket goes, behind those that are there; and where the buckets begin then."""
    return first_at[bucket + 1], [at + (b > bucket) for b, at in enumerate(first_at)]


def refitted(line, first, last, X, w, pull, ridge):
    """One least-squares step for the vertices first … last: points stay at their places, springs pull along the line.

    Minimises Σ w |x - (1 - τ) v_s - τ v_{s+1}|² + Σ spring_s |v_{s+1} - v_s|² + ridge |v - v_old|².
    """
    k, d = len(line) - 1, line.shape[1]
    free = list(range(first, last + 1))
    rows, right = [], []

    def equation(coefficients, target, weight):
        """Σ coefficient · v = target, the known vertices moved to the right."""
        row = np.zeros(len(free))
        for v, c in coefficients.items():
            if v in free:
                row[v - first] += c
            else:
                target = target - c * line[v]
        rows.append(np.sqrt(weight) * row)
        right.append(np.sqrt(weight) * target)

    for x, weight in zip(X, w, strict=True):
        found = [nearest_on_segment(x, line[s], line[s + 1]) for s in range(k)]
        s = int(np.argmin([f[0] for f in found]))
        tau = found[s][1]
        equation({s: 1 - tau, s + 1: tau}, x, weight)
    for s in range(k):
        spring = pull / (2 * np.linalg.norm(line[s + 1] - line[s]))
        equation({s + 1: 1.0, s: -1.0}, np.zeros(d), spring)
    for v in free:
        equation({v: 1.0}, line[v], ridge)
    solution = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    new = line.copy()
    new[first : last + 1] = solution
    return new


def tube_noise(loss, beyond, length, k, rules):
    """σ² of a line: its loss but for that of the outliers, a point and noise dimension."""
    out = min(beyond, rules.outliers)
    n = rules.n - out
    inside = loss - rules.cap * out if out else loss
    return max(inside, 0) / (rules.m * max(n - k - 1, n / 4)) + (0.1 * length / n) ** 2 + rules.floor


def tube_crowding(line, X, w, rules, ends=3, nearest=None):
    """What the points of segments four times as dense as the whole gain by it; no segment counts as too short."""
    if nearest is None:
        nearest = [first_nearest(line, x) for x in X]
    total = 0.0
    for s, (a, b) in enumerate(itertools.pairwise(line)):
        mass = sum(
            w_i
            for w_i, x, near in zip(w, X, nearest, strict=True)
            if near == s and nearest_on_segment(x, a, b)[0] <= rules.cap
        )
        length = max(float(np.linalg.norm(b - a)), 2 * math.sqrt(rules.m) * rules.sigma)
        at_end = (s == 0 and ends in (1, 3)) + (s == len(line) - 2 and ends in (2, 3)) > 0
        expected = 4 * rules.density * (length + (4.13 / 2 * rules.sigma if at_end else 0))
        total += mass * math.log(mass / expected) if mass > expected else 0.0
    return total


def tube_length(line, sigma):
    """Length less the overlaps at sharp turns between segments that are long enough."""
    total = sum(float(np.linalg.norm(b - a)) for a, b in itertools.pairwise(line))
    for a, b, c in zip(line, line[1:], line[2:], strict=False):
        come, go = float(np.linalg.norm(b - a)), float(np.linalg.norm(c - b))
        cosine = float((b - a) @ (c - b)) / (come * go)
        tangent = math.sqrt(max(1 - cosine, 0) / max(1 + cosine, 1e-12))
        valid = min(1, max(0, min(come, go) / (4 * sigma) - 1 - tangent))
        total -= valid * sigma * (2 * tangent - 2 * math.atan(tangent)) / math.sqrt(2 * math.pi)
    return total


def tube_score(loss, beyond, length, crowd, k, rules):
    """-2 log-likelihood of the tube, the price of its segments and of the points it leaves out."""
    n, m = rules.n, rules.m
    sigma = math.sqrt(tube_noise(loss, beyond, length, k, rules))
    fit = 2 * n * m * math.log(sigma) + rules.per_length * 2 * n * math.log(max(length, sigma) + 4.13 * sigma)
    price = rules.per_segment * (2 * math.log(n + 1) + 2 * (m - 1)) * max(1, n / rules.fineness)
    left_out = rules.per_outlier * min(beyond, rules.outliers) + 50 * max(0, beyond - rules.outliers)
    return fit + price * k + left_out - 2 * rules.per_length * crowd


def capped(line, X, w, cap):
    """Loss of a line on weighted points, none counted above the cap, and the weight of those beyond it."""
    losses = np.array([loss(line, x) for x in X])
    return float(w @ np.minimum(losses, cap)), float(w[losses > cap].sum())


def scale_of(head, line, X, w, scatter, per_segment, per_length, fineness):
    """The fields of a `Scale` by name, `rules` among them."""
    n, unit, d, m = head["n"], head["unit"], X.shape[1], head["m"]
    mean, mean2 = head["mean_loss"], head["mean_loss2"]
    if d > 3 and n > 100:
        m = min(max(2 * mean**2 / (mean2 - mean**2), 1), d - 1)
    shown, beyond = (value / unit for value in capped(line, X, w, head["cap"]))
    inside = shown - head["cap"] * beyond if beyond else shown
    hidden = min(max(0, (n - beyond) * mean - inside), scatter.sum() / unit) if head["radius2"] > 0 else 0
    near = np.array([loss(line, x) <= head["cap"] for x in X])
    total = (
        float(w[near] @ np.square(X - np.average(X[near], axis=0, weights=w[near])).sum(axis=1)[near]) / w[near].sum()
    )
    length, k = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()), len(line) - 1
    outliers = beyond if head["beyond_rate"] < 0.2 else head["outliers"]
    free = 0.05 * n if head["beyond_rate"] < 0.5 else min(0.05 * n, outliers)
    rules = Rules(n, m, 1e-12 * total + 1e-300, head["cap"], free, 0.0, per_segment, per_length, 0.0, 0.0, fineness)
    sigma2 = tube_noise(max(shown + hidden - head["last_loss"], 0), beyond, length, k, rules)
    cap = math.inf if n < 64 else max(sigma2 * (m + 10 * math.sqrt(2 * m) + 25), total / 400)
    while total / 400 < cap < math.inf:
        narrow = cap / 4
        shown, beyond = (value / unit for value in capped(line, X, w, narrow))
        inner = tube_noise(shown + hidden, beyond, length, k, rules._replace(cap=narrow))
        if beyond > free or (m + 10 * math.sqrt(2 * m) + 25) * inner > narrow:
            break
        sigma2, cap = inner, max((m + 10 * math.sqrt(2 * m) + 25) * inner, total / 400)
    shown, beyond = (value / unit for value in capped(line, X, w, cap))
    sigma = math.sqrt(sigma2)
    rules = rules._replace(
        cap=cap,
        per_outlier=0.0 if n < 64 else cap / sigma2,
        density=n / (length + 4.13 * sigma),
        sigma=sigma,
    )
    return {
        "loss": shown + hidden,
        "hidden": hidden,
        "beyond": beyond,
        "crowd": tube_crowding(line, X, w / unit, rules),
        "sigma2": sigma2,
        "cap": cap,
        "m": m,
        "outliers": outliers,
        "pull": per_length * sigma2 * n / (length + 4.13 * math.sqrt(sigma2)) * unit,
        "unit": unit,
        "rules": rules,
    }


def first_nearest(line, x, tie=1e-10):
    """The first segment as near to x as the nearest: around a vertex that points out, two are equally near."""
    found = [nearest_on_segment(x, a, b)[0] for a, b in itertools.pairwise(line)]
    return next(s for s, d2 in enumerate(found) if d2 * (1 - tie) <= min(found))


def pruned(line, X, w, most_segments, price, pull, cap):
    """Leave out vertices, the one first without which the loss, the pull of the length and the prices fall most.

    The cells of the segments beside a vertex then go to the segment that replaces them, or to one next to it.
    """

    def length(line):
        return np.linalg.norm(np.diff(line, axis=0), axis=1).sum()

    def change(v):
        without = np.delete(line, v, axis=0)
        near = without[max(0, v - 2) : v + 2]
        beside = [i for i, x in enumerate(X) if first_nearest(line, x) in (v - 1, v)]
        dearer = sum(w[i] * (min(loss(near, X[i]), cap) - min(loss(line, X[i]), cap)) for i in beside)
        return dearer + pull * (length(without) - length(line)) - price

    while len(line) > 2:
        changes = [change(v) for v in range(len(line))]
        if len(line) - 1 <= most_segments and min(changes) >= 0:
            break
        line = np.delete(line, int(np.argmin(changes)), axis=0)
    return line


def runs_along(line, nodes):
    """Whether places along the nodes and along the line grow together, each node counting by the length beside it."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    arc = np.concatenate([[0], np.cumsum(lengths)])
    place = []
    for x in nodes:
        s = first_nearest(line, x)
        place.append(arc[s] + nearest_on_segment(x, line[s], line[s + 1])[1] * lengths[s])
    steps = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    along = np.concatenate([[0], np.cumsum(steps)])
    weight = np.concatenate([[0], steps]) + np.concatenate([steps, [0]])
    return bool(np.cov(along, place, aweights=weight)[0, 1] >= 0)


def longest_tree_path(dist):
    """Length of the longest path in the minimum spanning tree (Kruskal), over all pairs of nodes."""
    m = len(dist)
    group = list(range(m))
    tree = {v: [] for v in range(m)}
    for a, b in sorted(itertools.combinations(range(m), 2), key=lambda e: dist[e]):
        if group[a] != group[b]:
            tree[a].append(b)
            tree[b].append(a)
            group = [group[a] if g == group[b] else g for g in group]

    def farthest(v, before):
        return max((dist[v, u] + farthest(u, v) for u in tree[v] if u != before), default=0.0)

    return max(farthest(v, -1) for v in range(m))


def parabola(places, weight, noise2):
    """Coefficients of 1, s and s² of the parabola over the chord of the places (latest first), s, and its feet.

    Of the bend, what the line alone leaves over, only the part that is not noise: 1 - its variance / its square.
    """
    half = len(places) // 2
    chord = places[:half].mean(axis=0) - places[half:].mean(axis=0)
    s = places @ chord / np.linalg.norm(chord)
    s = s - np.average(s, weights=weight)
    parabolas, lines = (
        np.array([np.polyfit(s, column, degree, w=np.sqrt(weight))[::-1] for column in places.T]).T for degree in (2, 1)
    )
    bend = s**2 - np.polyval(np.polyfit(s, s**2, 1, w=np.sqrt(weight)), s)
    variance = noise2 / (weight @ bend**2)
    part = max(0, 1 - variance / (parabolas[2] @ parabolas[2]))
    fitted = part * parabolas
    fitted[:2] += (1 - part) * lines
    slope = fitted[1] + 2 * np.outer(s, fitted[2])
    gap = places - (fitted[0] + np.outer(s, fitted[1]) + np.outer(s**2, fitted[2]))
    return fitted, s, s + (gap * slope).sum(axis=1) / (slope**2).sum(axis=1)


# -- the learner's class of lines -----------------------------------------------------------------------------------


def next_on_lattice(value, spacing, shift):
    """The nearest number whose sum with `shift` is a multiple of the spacing, the upper of two."""
    return math.floor((value + shift) / spacing + 0.5) * spacing - shift


def line_on_lattice(line, spacing, shift):
    """All vertices moved to the lattice; of equal ones in a row, the first."""
    rounded = [tuple(next_on_lattice(x, spacing, b) for x, b in zip(v, shift, strict=True)) for v in line]
    return np.array([v for v, _ in itertools.groupby(rounded)])


def hash_of_line(line, grid, shift):
    """Sum of the hashes of the segments, each of the unordered pair of its ends' grid points."""

    def point(v):
        state = 0
        for x, b in zip(v, shift, strict=True):
            state = _mix(state ^ (math.floor((x + b) / grid + 0.5) % _WORD))
        return state

    return sum(_mix((point(a) + point(b)) % _WORD) for a, b in itertools.pairwise(line)) % _WORD


def perturbation(line, grid, shift, seed):
    """z_f."""
    return -math.log(((_mix(_mix(seed) ^ hash_of_line(line, grid, shift)) >> 11) + 0.5) * 2.0**-53)
