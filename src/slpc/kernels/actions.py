"""Action classes: counting, enumerating and scoring all polygonal lines on a lattice."""

import numpy as np
from numpy.typing import NDArray

from slpc.kernels._jit import Booleans, Floats, Ints, Unsigned, kernel

Counts = NDArray[np.int64] | NDArray[np.float64]


@kernel
def extend_walks(
    counts: Counts, first: Ints, neighbour: Ints, step: Ints, next_length: Ints, extended: Counts, modulus: int
) -> None:
    """Lengthen every walk by one segment.

    `counts[i, v]` walks of the i-th length end in v. The neighbours of v are `neighbour[first[v]:first[v+1]]`,
    at step lengths numbered `step`; a walk of length i that takes step s has length `next_length[i, s]`
    afterwards, or is too long (-1). With `modulus` 0 the counts are added as they are, else modulo it.
    """
    for i in range(counts.shape[0]):
        for v in range(counts.shape[1]):
            c = counts[i, v]
            if c != 0:
                for e in range(first[v], first[v + 1]):
                    longer = next_length[i, step[e]]
                    if longer >= 0:
                        total = extended[longer, neighbour[e]] + c
                        if modulus > 0 and total >= modulus:
                            total -= modulus
                        extended[longer, neighbour[e]] = total


@kernel
def enumerate_walks(
    first: Ints, neighbour: Ints, length: Floats, limit: float, identify_reversals: bool, rows: Unsigned
) -> int:
    """Write every walk of `rows.shape[1] - 1` segments into `rows`, in lexicographic order; return how many.

    With `identify_reversals` only the walks that do not come after their own reverse are kept. Walks beyond
    the room in `rows` are counted, not written.
    """
    n_vertices = first.size - 1
    k = rows.shape[1] - 1
    walk = np.empty(k + 1, np.int64)
    edge = np.empty(k + 1, np.int64)  # edge[j]: next edge to try out of walk[j]
    so_far = np.zeros(k + 1)
    found = 0
    for start in range(n_vertices):
        walk[0] = start
        edge[0] = first[start]
        depth = 0
        while depth >= 0:
            if edge[depth] == first[walk[depth] + 1]:
                depth -= 1
                continue
            e = edge[depth]
            edge[depth] += 1
            longer = so_far[depth] + length[e]
            if longer > limit:
                continue
            walk[depth + 1] = neighbour[e]
            if depth + 1 < k:
                depth += 1
                so_far[depth] = longer
                edge[depth] = first[walk[depth]]
                continue
            if identify_reversals and after_its_reverse(walk):
                continue
            if found < rows.shape[0]:
                for j in range(k + 1):
                    rows[found, j] = walk[j]
            found += 1
    return found


@kernel
def after_its_reverse(walk: Ints) -> bool:
    """Whether `walk` comes after its reverse in lexicographic order."""
    i = 0
    j = walk.size - 1
    while i < j:
        if walk[i] != walk[j]:
            return bool(walk[i] > walk[j])
        i += 1
        j -= 1
    return False


@kernel
def segment_table(points: Floats, x: Floats, table: Floats) -> None:
    """Fill table[a, b] with the squared distance of `x` to the segment between lattice points a and b."""
    n, d = points.shape
    to_point = np.empty((n, d))
    norm2 = np.empty(n)
    for a in range(n):
        total = 0.0
        for j in range(d):
            to_point[a, j] = points[a, j] - x[j]
            total += to_point[a, j] * to_point[a, j]
        norm2[a] = total
        table[a, a] = total
    for a in range(n):
        for b in range(a):
            # Relative to x: the segment runs from A to B, and the origin is the point to measure from.
            dot = 0.0
            for j in range(d):
                dot += to_point[a, j] * to_point[b, j]
            along = norm2[a] - dot
            edge2 = along + norm2[b] - dot
            if along <= 0.0:
                dist2 = norm2[a]
            elif along >= edge2:
                dist2 = norm2[b]
            else:
                tau = along / edge2
                dist2 = 0.0
                for j in range(d):
                    gap = to_point[a, j] + tau * (to_point[b, j] - to_point[a, j])
                    dist2 += gap * gap
            table[a, b] = dist2
            table[b, a] = dist2


@kernel
def walk_losses(rows: Unsigned, table: Floats, losses: Floats) -> None:
    """Loss of each walk: the least of its entries in the segment table."""
    k = rows.shape[1] - 1
    for i in range(rows.shape[0]):
        best = table[rows[i, 0], rows[i, 1]]
        for j in range(1, k):
            best = min(best, table[rows[i, j], rows[i, j + 1]])
        losses[i] = best


@kernel
def perturbed_leader(total: Floats, offset: Floats, rate: float) -> int:
    """Index of the least total_f + offset_f / rate; the first at ties."""
    best = np.inf
    leader = 0
    for i in range(total.size):
        score = total[i] + offset[i] / rate
        if score < best:
            best = score
            leader = i
    return leader


@kernel
def mark_local(
    rows: Unsigned, line: Ints, low: int, high: int, in_grid: Booleans, identify_reversals: bool, awake: Booleans
) -> None:
    """Mark the walks that differ from `line` only in its vertices low … high - 1, replaced by grid points.

    The number of those vertices may go down by one, stay, or go up by one: the paper's U(f).
    """
    n_line = line.size
    n = rows.shape[1]
    middle_end = high + n - n_line
    if n < n_line - 1 or n > n_line + 1 or middle_end < low:
        return
    for i in range(rows.shape[0]):
        for backwards in range(2 if identify_reversals else 1):
            fits = True
            for j in range(n):
                v = rows[i, n - 1 - j] if backwards == 1 else rows[i, j]
                if j < low:
                    fits = v == line[j]
                elif j < middle_end:
                    fits = in_grid[v]
                else:
                    fits = v == line[j - n + n_line]
                if not fits:
                    break
            if fits:
                awake[i] = True
                break
