"""Local moves of the learner: the curve near one point, with one segment fewer, as many, or one more."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.lattice import Actions, bonus, hash_elsewhere, on_lattice
from slpc.kernels.tube import Rules, assign, capped_loss, crowding, line_length, overlap, refit, score

QUIET = 0.5  # a window whose score fell by less has settled
REFITS = 2  # least-squares passes a candidate gets, at most
HOPELESS = 2.0  # behind by so much a point and noise dimension, a candidate is given up before its first refit


@kernel
def local_moves(
    vertices: Floats,
    k: int,
    j: int,
    x: Floats,
    has_x: bool,
    means: Floats,
    weight: Floats,
    segment: Ints,
    n_cells: int,
    most_segments: int,
    loss_total: float,
    beyond_total: float,
    crowd_total: float,
    unit: float,
    cap: float,
    pull: float,
    rules: Rules,
    actions: Actions | None,
    found: Floats,
) -> int:
    """Change the line near segment j if that lowers the score; return its new number of segments.

    The window is the segments j - 2 … j + 2; its outer vertices stay unless they are ends of the line. Tried are:
    a refit; for an end next to x, moving it there or appending x; splitting a segment in the middle or at x;
    leaving out a vertex. The least score minus perturbation wins. Losses are in units of weight `unit`.
    `found` returns the total loss, the weight beyond the cap, the window's first segment and its new end, by how much
    the score fell, and the crowding.
    """
    d = vertices.shape[1]
    low = max(0, j - 2)
    high = min(k, j + 3)
    kk = high - low
    points = np.empty((d, n_cells))
    w = np.empty(n_cells)
    n = 0
    for i in range(n_cells):
        if low <= segment[i] < high:
            w[n] = weight[i]
            for a in range(d):
                points[a, n] = means[a, i]
            n += 1
    dist2 = np.empty(n)
    carrier = np.empty(n, np.int64)
    tau = np.empty(n)
    work = np.empty((2, n))
    sums = np.empty(2)
    best_line = vertices[low : high + 1].copy()
    assign(best_line, kk, points, n, dist2, carrier, tau, work)
    capped_loss(dist2, w, n, cap, sums)
    ends = (1 if low == 0 else 0) + (2 if high == k else 0)
    crowd = crowding(best_line, kk, w, n, dist2, carrier, unit, rules, ends)
    window_length = _length_within(best_line, kk, vertices, low, high, k, rules)
    rest = np.empty(5)  # loss, weight beyond the cap, length, segments and crowding outside the window
    rest[0] = max(loss_total - sums[0] / unit, 0.0)
    rest[1] = max(beyond_total - sums[1] / unit, 0.0)
    rest[2] = line_length(vertices, k) - overlap(vertices, k, rules.sigma) - window_length
    rest[3] = k - kk
    rest[4] = max(crowd_total - crowd, 0.0)
    best = np.empty(5)  # score, loss, weight beyond, segments and crowding of the best window so far
    elsewhere = hash_elsewhere(vertices, k, best_line, kk, actions)
    best[0] = _score(rest, sums, window_length, crowd, unit, kk, rules) - bonus(elsewhere, best_line, kk, actions)
    best[1], best[2], best[3], best[4] = sums[0] / unit, sums[1] / unit, kk, crowd
    found[4] = best[0]
    kept = np.empty((kk + 2, d))
    kept[: kk + 1] = best_line

    trial = np.empty((kk + 2, d))
    fixed_left = 1 if low > 0 else 0
    fixed_right = 1 if high < k else 0
    ridge = 1e-9 * rules.n * unit
    # What to try: kind 0 refit, 1 end to x, 2 append x, 3 split in the middle, 4 split at x, 5 leave out a vertex.
    for kind in range(6):
        if kind in (1, 2, 4) and not has_x:
            continue
        if kind in (2, 3, 4) and k >= most_segments:
            continue
        if kind == 5 and kk < 2:
            continue
        for place in range(kk + 1):
            size = _arrange(trial, vertices, low, kk, k, j, kind, place, x)
            if size < 0:
                continue
            before = np.inf
            # As it is first (a refit may spoil a short end), then refitted while that has hope.
            for passes in range(REFITS + 1):
                if passes > 0:
                    refit(
                        trial, size, fixed_left, size - fixed_right, points, w, n, cap, pull, ridge,
                        dist2, carrier, tau, work,
                    )  # fmt: skip
                size = on_lattice(trial, size, kk == k, actions)
                if size < max(1, kk - 1):
                    break
                assign(trial, size, points, n, dist2, carrier, tau, work)
                capped_loss(dist2, w, n, cap, sums)
                crowd = crowding(trial, size, w, n, dist2, carrier, unit, rules, ends)
                window_length = _length_within(trial, size, vertices, low, high, k, rules)
                value = _score(rest, sums, window_length, crowd, unit, size, rules) - bonus(
                    elsewhere, trial, size, actions
                )
                if value < best[0]:
                    best[0], best[1], best[2] = value, sums[0] / unit, sums[1] / unit
                    best[3], best[4] = size, crowd
                    kept[: size + 1] = trial[: size + 1]
                elif not _has_hope(value - best[0], before - value, rules):
                    break
                before = value
            if kind == 0:
                break
    k = _put_back(vertices, k, low, high, kept, int(best[3]), means, segment, n_cells)
    found[0] = rest[0] + best[1]
    found[1] = rest[1] + best[2]
    found[2] = low
    found[3] = low + best[3]
    found[4] -= best[0]
    found[5] = rest[4] + best[4]
    return k


@kernel
def _length_within(window: Floats, size: int, vertices: Floats, low: int, high: int, k: int, rules: Rules) -> float:
    """Of a window in the place of the vertices low … high, less the overlaps at its turns and at its joints."""
    joined = np.empty((size + 3, window.shape[1]))
    first = 1 if low > 0 else 0
    joined[0] = vertices[max(low - 1, 0)]
    joined[first : first + size + 1] = window[: size + 1]
    if high < k:
        joined[first + size + 1] = vertices[high + 1]
    overlapping = overlap(joined, first + size + (1 if high < k else 0), rules.sigma)
    return line_length(window, size) - overlapping


@kernel
def _has_hope(behind: float, gained: float, rules: Rules) -> bool:
    """Whether another refit may bring a candidate to the front: it rarely gains more than the last one did."""
    return behind <= min(gained, HOPELESS * rules.n * rules.m)


@kernel
def _score(rest: Floats, sums: Floats, length: float, crowd: float, unit: float, size: int, rules: Rules) -> float:
    """Score of the whole line with this window."""
    loss, beyond = rest[0] + sums[0] / unit, rest[1] + sums[1] / unit
    return score(loss, beyond, rest[2] + length, rest[4] + crowd, int(rest[3]) + size, rules)


@kernel
def _arrange(
    trial: Floats, vertices: Floats, low: int, kk: int, k: int, j: int, kind: int, place: int, x: Floats
) -> int:
    """Lay out the candidate of this kind and place; return its number of segments, -1 where there is none."""
    at_left = low == 0 and j == 0
    at_right = low + kk == k and j == k - 1
    old = vertices[low : low + kk + 1]
    if kind == 0:
        trial[: kk + 1] = old
        return kk
    if kind == 1:  # an end moves to x
        if (place == 0 and at_left) or (place == kk and at_right):
            trial[: kk + 1] = old
            trial[place] = x
            return kk
        return -1
    if kind == 2:  # x is appended to an end
        if place == 0 and at_left:
            trial[0] = x
            trial[1 : kk + 2] = old
            return kk + 1
        if place == kk and at_right:
            trial[: kk + 1] = old
            trial[kk + 1] = x
            return kk + 1
        return -1
    if kind == 3 or kind == 4:  # segment `place`, j or beside it, gets a vertex more
        if place >= kk or place < j - 1 - low or place > j + 1 - low:
            return -1
        trial[: place + 1] = old[: place + 1]
        if kind == 3:
            trial[place + 1] = 0.5 * (old[place] + old[place + 1])
        else:
            trial[place + 1] = x
        trial[place + 2 : kk + 2] = old[place + 1 :]
        return kk + 1
    # a vertex is left out: an inner one, or an end of the whole line
    if (place == 0 and low > 0) or (place == kk and low + kk < k):
        return -1
    trial[:place] = old[:place]
    trial[place:kk] = old[place + 1 :]
    return kk - 1


@kernel
def _put_back(
    vertices: Floats, k: int, low: int, high: int, kept: Floats, size: int, means: Floats, segment: Ints, n_cells: int
) -> int:
    """Put the best window into the line, and give the cells around it their new segments."""
    change = size - (high - low)
    if change == 1:
        for v in range(k, high - 1, -1):
            vertices[v + 1] = vertices[v]
    elif change == -1:
        for v in range(high, k + 1):
            vertices[v - 1] = vertices[v]
    if change != 0:
        for i in range(n_cells):
            if segment[i] >= high:
                segment[i] += change
    k += change
    vertices[low : low + size + 1] = kept[: size + 1]
    d = vertices.shape[1]
    # Cells of the window and of one segment on either side may now be nearer to another segment.
    near = np.empty(n_cells, np.int64)
    n = 0
    for i in range(n_cells):
        if low - 1 <= segment[i] <= max(high, low + size) + 1:
            near[n] = i
            n += 1
    points = np.empty((d, n))
    for q in range(n):
        for a in range(d):
            points[a, q] = means[a, near[q]]
    carrier = np.empty(n, np.int64)
    assign(vertices, k, points, n, np.empty(n), carrier, np.empty(n), np.empty((2, n)))
    for q in range(n):
        segment[near[q]] = carrier[q]
    return k
