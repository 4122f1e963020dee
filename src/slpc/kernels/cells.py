"""The summary of the past: weighted cells, kept in their order along the line."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.tube import assign


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
    weight: Floats,
    scatter: Floats,
    segment: Ints,
    n_cells: int,
    arc: Floats,
    first_at: Ints,
) -> float:
    """Order the cells along the held line, by buckets of equal arc length; return buckets a unit of length.

    `arc[s]` is set to the arc length at which segment s begins; the cells of bucket b are first_at[b] …
    first_at[b + 1] - 1. Within a bucket they keep their order.
    """
    d = means.shape[0]
    buckets = first_at.size - 1
    arc[0] = 0.0
    for s in range(k):
        arc[s + 1] = arc[s] + np.sqrt(norm2[s + 1])
    density = buckets / arc[k] if arc[k] > 0.0 else 0.0
    bucket = np.empty(n_cells, np.int64)
    first_at[:] = 0
    for i in range(n_cells):
        s = segment[i]
        along = 0.0
        for a in range(d):
            along += (means[a, i] - anchor[a, s + 1]) * edge[a, s + 1]
        at = min(1.0, max(0.0, along * inverse[s + 1]))
        place = arc[s] + at * (arc[s + 1] - arc[s])
        bucket[i] = min(int(place * density), buckets - 1)
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
    return float(density)


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
    """The same in two dimensions, several times as fast."""
    row0, row1 = means[0, low:high], means[1, low:high]  # indices from 0 up need no check for negative ones
    best = np.inf
    found = -1
    for i in range(row0.size):
        g0 = x0 - row0[i]
        g1 = x1 - row1[i]
        dist2 = g0 * g0 + g1 * g1
        if dist2 < best:
            best = dist2
            found = low + i
    return best, found


@kernel
def nearest_in_space(means: Floats, low: int, high: int, X: Floats, t: int, dist2: Floats) -> tuple[float, int]:
    """The same for the row X[t] in any number of dimensions, coordinate by coordinate; `dist2` is room."""
    n = high - low
    for i in range(n):
        dist2[i] = 0.0
    for a in range(X.shape[1]):
        xa = X[t, a]
        row = means[a, low:high]
        for i in range(n):
            gap = xa - row[i]
            dist2[i] += gap * gap
    best = np.inf
    found = -1
    for i in range(n):
        if dist2[i] < best:
            best = dist2[i]
            found = low + i
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
