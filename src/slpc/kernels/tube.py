"""The tube model of the learner: distances to a short line, its score, and the least-squares refit.

Points are weighted cells, coordinates first: `points[a, i]`. The model is a uniform density along the line and
Gaussian noise across it; see docs/learner.md.
"""

from typing import NamedTuple

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel

END_CAPS = 4.13  # a tube of noise σ is longer than its line by about this many σ
PER_COORDINATE = 2.0
CROWDED = 4.0
REACH = 4.0  # σ: segments shorter than this, and as much again as they overlap at a turn, are not told from noise
TIE = 1.0 - 1e-10  # nearer by less than this is equally near
RESOLUTION = 0.1  # σ is never taken below this part of the mean gap between points


@kernel
def line_length(line: Floats, k: int) -> float:
    """Length of the line through the first k + 1 vertices."""
    total = 0.0
    for s in range(k):
        step = 0.0
        for a in range(line.shape[1]):
            step += (line[s + 1, a] - line[s, a]) ** 2
        total += np.sqrt(step)
    return total


@kernel
def assign(
    line: Floats, k: int, points: Floats, n: int, dist2: Floats, segment: Ints, tau: Floats, work: Floats
) -> None:
    """Nearest segment of the line for each of n points: fill `dist2`, `segment` and `tau`.

    Of two equally near, as around a vertex that points out, the first: not the one that rounding favours. `work` is
    (2, n) of room. One segment at a time over all points, so that the loops run on vectors.
    """
    d = line.shape[1]
    for i in range(n):
        dist2[i] = np.inf
    for s in range(k):
        norm2 = 0.0
        for a in range(d):
            norm2 += (line[s + 1, a] - line[s, a]) ** 2
        inverse = 1.0 / norm2 if norm2 > 0.0 else 0.0
        if d == 2:  # the same in one go, as most curves are plane
            x0, x1 = line[s, 0], line[s, 1]
            edge0, edge1 = line[s + 1, 0] - x0, line[s + 1, 1] - x1
            row0, row1 = points[0, :n], points[1, :n]
            for i in range(n):
                gap0 = row0[i] - x0
                gap1 = row1[i] - x1
                work[0, i] = gap0 * edge0 + gap1 * edge1
                work[1, i] = gap0 * gap0 + gap1 * gap1
        else:
            for i in range(n):
                work[0, i] = 0.0
                work[1, i] = 0.0
            for a in range(d):
                start = line[s, a]
                edge = line[s + 1, a] - start
                for i in range(n):
                    gap = points[a, i] - start
                    work[0, i] += gap * edge
                    work[1, i] += gap * gap
        for i in range(n):
            along = work[0, i]
            at = min(1.0, max(0.0, along * inverse))
            found = work[1, i] + at * (at * norm2 - 2.0 * along)
            if found < dist2[i] * TIE:
                dist2[i] = found
                segment[i] = s
                tau[i] = at
    for i in range(n):
        dist2[i] = max(dist2[i], 0.0)


@kernel
def capped_loss(dist2: Floats, weight: Floats, n: int, cap: float, found: Floats) -> None:
    """found[0]: weighted sum of the losses, none counted above `cap`; found[1]: weight of those beyond it."""
    total = 0.0
    beyond = 0.0
    for i in range(n):
        if dist2[i] > cap:
            total += weight[i] * cap
            beyond += weight[i]
        else:
            total += weight[i] * dist2[i]
    found[0] = total
    found[1] = beyond


@kernel
def variance(loss: float, length: float, k: int, n: float, m: float, floor: float) -> float:
    """σ² of a line: its loss a point and noise dimension, with a floor for the gaps between points."""
    return loss / (m * max(n - k - 1.0, 0.25 * n)) + (RESOLUTION * length / n) ** 2 + floor


class Rules(NamedTuple):
    """What a score depends on besides the line and its loss; all floats."""

    n: float
    """Number of points (discounted, where the past is forgotten)."""
    m: float
    """Number of noise dimensions."""
    floor: float
    """Least σ²: far below the variance of the data."""
    cap: float
    """No loss counts above this."""
    outliers: float
    """Weight that may lie beyond the cap without being counted into the noise."""
    per_outlier: float
    """What a point beyond the cap costs instead."""
    per_segment: float
    per_length: float
    density: float
    """Points a unit of length, on the whole line as it is."""
    sigma: float
    """σ of the line as it is."""
    fineness: float
    """Number of points from which the summary, not the data, limits what a segment can show."""


@kernel
def noise(loss: float, beyond: float, length: float, k: int, rules: Rules) -> float:
    """σ² of a line with this capped loss; outliers that may be left out are.

    Counted at the cap, which is many σ², they would raise σ², and with it the cap: one in forty would run away with it.
    """
    out = min(beyond, rules.outliers)
    if out > 0.0:
        loss = max(loss - rules.cap * out, 0.0)
    return variance(loss, length, k, rules.n - out, rules.m, rules.floor)


@kernel
def segment_price(rules: Rules) -> float:
    """What one more segment must save.

    2 ln n for the place of a vertex, as it is chosen among many, and a fixed price for each further coordinate; more
    once there are more points than the summary tells apart.
    """
    free = 2.0 * np.log(rules.n + 1.0) + PER_COORDINATE * (rules.m - 1.0)
    return float(rules.per_segment * free * max(1.0, rules.n / rules.fineness))


@kernel
def crowding(
    line: Floats, k: int, weight: Floats, n: int, dist2: Floats, segment: Ints, unit: float, rules: Rules, ends: int
) -> float:
    """Log-likelihood that the points of crowded segments gain by being where many are, as where a vehicle is parked.

    Crowded is a segment with more than CROWDED times as many points as its length promises. Without this, a crowd of
    points is worth more length than it has: the line would zigzag in it. `ends`: how many ends of the line are among
    its first and last vertex (1: the first, 2: the last, 3: both).
    """
    mass = np.zeros(k)
    for i in range(n):
        if dist2[i] <= rules.cap:
            mass[segment[i]] += weight[i]
    total = 0.0
    for s in range(k):
        step = 0.0
        for a in range(line.shape[1]):
            step += (line[s + 1, a] - line[s, a]) ** 2
        step = max(np.sqrt(step), 2.0 * np.sqrt(rules.m) * rules.sigma)
        if (s == 0 and ends & 1) or (s == k - 1 and ends & 2):
            step += 0.5 * END_CAPS * rules.sigma
        expected = CROWDED * rules.density * step * unit
        if mass[s] > expected:
            total += mass[s] * np.log(mass[s] / expected)
    return total / unit


@kernel
def overlap(line: Floats, k: int, sigma: float) -> float:
    """By how much the tube is smaller than its length says, since it overlaps itself at sharp turns.

    By σ/√(2π) times 2 tan(θ/2) - θ at a turn by θ between segments that are long enough; never more than a fifth of
    the shorter one. Without this a corner would be worth cutting.
    """
    total = 0.0
    for v in range(1, k):
        dot, before, after = 0.0, 0.0, 0.0
        for a in range(line.shape[1]):
            come = line[v, a] - line[v - 1, a]
            go = line[v + 1, a] - line[v, a]
            dot += come * go
            before += come * come
            after += go * go
        shorter = np.sqrt(min(before, after))
        if shorter > REACH * sigma:
            cosine = dot / np.sqrt(before * after)
            half = np.sqrt(max(1.0 - cosine, 0.0) / max(1.0 + cosine, 1e-12))
            valid = min(1.0, max(0.0, shorter / (REACH * sigma + 1e-300) - 1.0 - half))
            total += valid * sigma * (2.0 * half - 2.0 * np.arctan(half))
    return float(total / np.sqrt(2.0 * np.pi))


@kernel
def score(loss: float, beyond: float, length: float, crowd: float, k: int, rules: Rules) -> float:
    """-2 log-likelihood of the tube, plus the price of its segments; see docs/learner.md. `length` is less the overlap.

    A line is no better for being shorter than σ: one through a ball of points would shrink to nothing.
    """
    sigma2 = noise(loss, beyond, length, k, rules)
    sigma = np.sqrt(sigma2)
    return float(
        rules.n * rules.m * np.log(sigma2)
        + rules.per_length * 2.0 * rules.n * np.log(max(length, sigma) + END_CAPS * sigma)
        - rules.per_length * 2.0 * crowd
        + k * segment_price(rules)
        + rules.per_outlier * min(beyond, rules.outliers)
        + 50.0 * max(0.0, beyond - rules.outliers)
    )


@kernel
def refit(
    line: Floats,
    k: int,
    first: int,
    last: int,
    points: Floats,
    weight: Floats,
    n: int,
    cap: float,
    pull: float,
    ridge: float,
    dist2: Floats,
    segment: Ints,
    tau: Floats,
    work: Floats,
) -> None:
    """Move the vertices first … last to where the assigned points want them: one tridiagonal least-squares step.

    `pull` is the weight of the length in the same units; `ridge` keeps a vertex without points where it is.
    The points must have been assigned to this line.
    """
    d = line.shape[1]
    q = last - first + 1
    if q <= 0:
        return
    diagonal = np.full(q, ridge)
    beside = np.zeros(q)
    right = np.empty((q, d))
    for v in range(q):
        for a in range(d):
            right[v, a] = ridge * line[first + v, a]
    for i in range(n):
        if dist2[i] > cap:
            continue
        v = segment[i] - first
        w1 = weight[i] * (1.0 - tau[i])
        w2 = weight[i] * tau[i]
        near_free = 0 <= v < q
        far_free = 0 <= v + 1 < q
        if near_free:
            diagonal[v] += w1 * (1.0 - tau[i])
            if far_free:
                beside[v] += w1 * tau[i]
            for a in range(d):
                wanted = points[a, i]
                if not far_free:
                    wanted -= tau[i] * line[segment[i] + 1, a]
                right[v, a] += w1 * wanted
        if far_free:
            diagonal[v + 1] += w2 * tau[i]
            for a in range(d):
                wanted = points[a, i]
                if not near_free:
                    wanted -= (1.0 - tau[i]) * line[segment[i], a]
                right[v + 1, a] += w2 * wanted
    _pull_by_length(line, k, first, q, pull, diagonal, beside, right)
    for v in range(1, q):
        factor = beside[v - 1] / diagonal[v - 1]
        diagonal[v] -= factor * beside[v - 1]
        for a in range(d):
            right[v, a] -= factor * right[v - 1, a]
    for a in range(d):
        line[last, a] = right[q - 1, a] / diagonal[q - 1]
    for v in range(q - 2, -1, -1):
        for a in range(d):
            line[first + v, a] = (right[v, a] - beside[v] * line[first + v + 1, a]) / diagonal[v]


@kernel
def _pull_by_length(
    line: Floats, k: int, first: int, q: int, pull: float, diagonal: Floats, beside: Floats, right: Floats
) -> None:
    """Add `pull` times the length to the normal equations, as springs of the present lengths."""
    d = line.shape[1]
    shortest = 1e-6 * line_length(line, k) + 1e-300
    for s in range(k):
        step = 0.0
        for a in range(d):
            step += (line[s + 1, a] - line[s, a]) ** 2
        spring = pull / (2.0 * max(np.sqrt(step), shortest))
        v = s - first
        near_free = 0 <= v < q
        far_free = 0 <= v + 1 < q
        if near_free:
            diagonal[v] += spring
            if far_free:
                beside[v] -= spring
            else:
                for a in range(d):
                    right[v, a] += spring * line[s + 1, a]
        if far_free:
            diagonal[v + 1] += spring
            if not near_free:
                for a in range(d):
                    right[v + 1, a] += spring * line[s, a]
