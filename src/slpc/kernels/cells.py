"""The summary of the past: weighted cells, kept in the order of the segments they belong to."""

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
def sort_by_segment(
    means: Floats, weight: Floats, scatter: Floats, segment: Ints, n_cells: int, k: int, start: Ints
) -> None:
    """Order the cells by segment; those of segment s are start[s] … start[s + 1] - 1. Stable."""
    d = means.shape[0]
    for s in range(k + 1):
        start[s] = 0
    for i in range(n_cells):
        start[segment[i] + 1] += 1
    for s in range(k):
        start[s + 1] += start[s]
    place = start[:k].copy()
    target = np.empty(n_cells, np.int64)
    for i in range(n_cells):
        target[i] = place[segment[i]]
        place[segment[i]] += 1
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
