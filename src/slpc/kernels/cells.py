"""The summary of the past: weighted cells, kept in their order along the line."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel, kernel_of_sums
from slpc.kernels.tube import assign

# In the plane cells are searched in blocks of fixed size, since such a loop runs on vectors, without a branch. Behind
# the last cell there is room for a block, infinitely far away.
BLOCK = 32
_TAG = BLOCK - 1
_FARTHEST = 0x7FF0000000000000  # the bits of infinity
_SHORTEST = 1e-250  # a line not longer than this has one bucket


@kernel
def register(line: Floats, k: int, means: Floats, n_cells: int, segment: Ints) -> None:
    """Give every cell the segment of the line nearest to its mean."""
    dist2 = np.empty(n_cells)
    tau = np.empty(n_cells)
    assign(line, k, means, n_cells, dist2, segment, tau, np.empty((2, n_cells)))


@kernel
def weight_between(weight: Floats, segment: Ints, n_cells: int, low: int, high: int) -> float:
    """Weight of the cells of the segments low … high - 1."""
    total = 0.0
    for i in range(n_cells):
        if low <= segment[i] < high:
            total += weight[i]
    return total


@kernel
def sort_along(
    anchor: Floats,
    edge: Floats,
    norm2: Floats,
    inverse: Floats,
    k: int,
    means: Floats,
    rows: Floats,
    weight: Floats,
    scatter: Floats,
    segment: Ints,
    n_cells: int,
    arc: Floats,
    first_at: Ints,
) -> float:
    """Order the cells along the held line, by buckets of equal arc length; return buckets a unit of length.

    `arc[s]` is set to the arc length at which segment s begins; the cells of bucket b are first_at[b] …
    first_at[b + 1] - 1. Within a bucket they keep their order. `rows` becomes a copy of the means.
    """
    d = means.shape[0]
    buckets = first_at.size - 1
    arc[0] = 0.0
    for s in range(k):
        arc[s + 1] = arc[s] + np.sqrt(norm2[s + 1])
    density = buckets / arc[k] if arc[k] > _SHORTEST else 0.0
    bucket = np.empty(n_cells, np.int64)
    first_at[:] = 0
    for i in range(n_cells):
        s = segment[i]
        along = 0.0
        for a in range(d):
            along += (means[a, i] - anchor[a, s + 1]) * edge[a, s + 1]
        at = min(1.0, max(0.0, along * inverse[s + 1]))
        place = arc[s] + at * (arc[s + 1] - arc[s])
        bucket[i] = bucket_of(place, density, buckets)
        first_at[bucket[i] + 1] += 1
    for b in range(buckets):
        first_at[b + 1] += first_at[b]
    free = first_at[:buckets].copy()
    target = np.empty(n_cells, np.int64)
    for i in range(n_cells):
        target[i] = free[bucket[i]]
        free[bucket[i]] += 1
    old = np.empty(n_cells)
    for a in range(d):
        old[:] = means[a, :n_cells]
        for i in range(n_cells):
            means[a, target[i]] = old[i]
    old[:] = weight[:n_cells]
    for i in range(n_cells):
        weight[target[i]] = old[i]
    old[:] = scatter[:n_cells]
    for i in range(n_cells):
        scatter[target[i]] = old[i]
    old_segment = segment[:n_cells].copy()
    for i in range(n_cells):
        segment[target[i]] = old_segment[i]
    for i in range(n_cells):
        for a in range(d):
            rows[i, a] = means[a, i]
    means[0, n_cells:] = np.inf
    return float(density)


@kernel
def bucket_of(place: float, density: float, buckets: int) -> int:
    """Number of the bucket at a place along the line; of the first or the last, where the place is beyond."""
    return int(min(max(place * density, 0.0), buckets - 1.0))


@kernel
def make_room(
    means: Floats,
    rows: Floats,
    weight: Floats,
    scatter: Floats,
    segment: Ints,
    n_cells: int,
    first_at: Ints,
    bucket: int,
) -> int:
    """Free a place at the end of a bucket for one more cell, by moving those behind it; return its number."""
    place = first_at[bucket + 1]
    for b in range(bucket + 1, first_at.size):
        first_at[b] += 1
    for a in range(means.shape[0]):
        coordinate = means[a]
        for i in range(n_cells, place, -1):
            coordinate[i] = coordinate[i - 1]
    for i in range(n_cells, place, -1):
        for a in range(means.shape[0]):
            rows[i, a] = rows[i - 1, a]
    for i in range(n_cells, place, -1):
        weight[i] = weight[i - 1]
        scatter[i] = scatter[i - 1]
        segment[i] = segment[i - 1]
    return int(place)


@kernel
def nearest_cell(means: Floats, low: int, high: int, x: Floats) -> tuple[float, int]:
    """Squared distance to the nearest of the cells low … high - 1, and its number (-1 where there is none)."""
    best = np.inf
    found = -1
    for i in range(low, high):
        dist2 = 0.0
        for a in range(x.size):
            dist2 += (x[a] - means[a, i]) ** 2
        if dist2 < best:
            best = dist2
            found = i
    return best, found


@kernel
def nearest_in_plane(means: Floats, low: int, high: int, x0: float, x1: float) -> tuple[float, int]:
    """The same in two dimensions, many times as fast; the cells up to the next whole block may be found, too."""
    best = np.inf
    found = -1
    for begin in range(low, high, BLOCK):
        row0, row1 = means[0, begin : begin + BLOCK], means[1, begin : begin + BLOCK]
        least = _FARTHEST
        for i in range(BLOCK):
            gap0 = x0 - row0[i]
            gap1 = x1 - row1[i]
            least = min(least, _tagged(gap0 * gap0 + gap1 * gap1, i))
        i = least & _TAG
        dist2 = (x0 - row0[i]) ** 2 + (x1 - row1[i]) ** 2
        if dist2 < best:
            best = dist2
            found = begin + i
    return best, found


@kernel
def _tagged(dist2: float, i: int) -> int:
    """A squared distance as a whole number that is greater the farther, with `i` for its last five bits."""
    return int((np.float64(dist2).view(np.int64) & ~_TAG) | i)


@kernel_of_sums
def nearest_in_space(rows: Floats, low: int, high: int, X: Floats, t: int) -> tuple[float, int]:
    """The same as `nearest_cell` for the row X[t], and for means that stand in rows: their sums run on vectors."""
    best = np.inf
    found = -1
    for i in range(low, high):
        dist2 = 0.0
        for a in range(X.shape[1]):
            gap = X[t, a] - rows[i, a]
            dist2 += gap * gap
        if dist2 < best:
            best = dist2
            found = i
    return best, found


@kernel
def coarsen(
    means: Floats, weight: Floats, scatter: Floats, segment: Ints, n_cells: int, room: int, radius2: float
) -> tuple[int, float]:
    """Merge cells within a growing radius until they fit into `room`; return how many are left, and the radius².

    The first radius is the median distance to a nearest neighbour, later ones grow by a quarter (of the square).
    """
    d = means.shape[0]
    if radius2 == 0.0:
        nearest = np.empty(n_cells)
        x = np.empty(d)
        for i in range(n_cells):
            for a in range(d):
                x[a] = means[a, i]
            before, _ = nearest_cell(means, 0, i, x)
            after, _ = nearest_cell(means, i + 1, n_cells, x)
            nearest[i] = min(before, after)
        nearest.sort()
        radius2 = max(nearest[n_cells // 2], 1e-300)
    else:
        radius2 *= 1.25
    x = np.empty(d)
    while True:
        kept = 0
        for i in range(n_cells):
            for a in range(d):
                x[a] = means[a, i]
            dist2, into = nearest_cell(means, 0, kept, x)
            if into >= 0 and dist2 < radius2:
                whole = weight[into] + weight[i]
                part = weight[i] / whole
                scatter[into] += scatter[i] + dist2 * weight[into] * part
                for a in range(d):
                    means[a, into] += part * (x[a] - means[a, into])
                weight[into] = whole
            else:
                weight[kept] = weight[i]
                scatter[kept] = scatter[i]
                segment[kept] = segment[i]
                for a in range(d):
                    means[a, kept] = x[a]
                kept += 1
        n_cells = kept
        if n_cells <= room:
            return n_cells, radius2
        radius2 *= 1.25


@kernel
def drop_outliers(
    means: Floats, weight: Floats, scatter: Floats, segment: Ints, n_cells: int, dist2: Floats, cap: float, keep: int
) -> tuple[int, float]:
    """Forget cells beyond the cap, the lightest first and of these the farthest, until `keep` of them are left.

    Return how many cells are left, and the weight forgotten.
    """
    out = np.flatnonzero(dist2[:n_cells] > cap)
    by_distance = out[np.argsort(-dist2[out], kind="mergesort")]
    lightest = by_distance[np.argsort(weight[by_distance], kind="mergesort")]
    forgotten = np.zeros(n_cells, np.bool_)
    forgotten[lightest[: max(lightest.size - keep, 0)]] = True
    kept = 0
    lost = 0.0
    for i in range(n_cells):
        if forgotten[i]:
            lost += weight[i]
            continue
        weight[kept] = weight[i]
        scatter[kept] = scatter[i]
        segment[kept] = segment[i]
        for a in range(means.shape[0]):
            means[a, kept] = means[a, i]
        kept += 1
    return kept, lost


@kernel
def drop_light(
    means: Floats, weight: Floats, scatter: Floats, segment: Ints, n_cells: int, least: float, scale: float
) -> int:
    """Divide all weights by `scale` and forget the cells then lighter than `least`; return how many are left."""
    kept = 0
    for i in range(n_cells):
        w = weight[i] / scale
        if w > least:
            weight[kept] = w
            scatter[kept] = scatter[i] / scale
            segment[kept] = segment[i]
            for a in range(means.shape[0]):
                means[a, kept] = means[a, i]
            kept += 1
    return kept
