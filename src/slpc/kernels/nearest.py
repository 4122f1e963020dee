"""The segments of the held line nearest to a run of points: one segment at a time over all of them, in vectors."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel_of_numbers
from slpc.kernels.tube import TIE


@kernel_of_numbers
def distances_in_space(
    X: Floats,
    begin: int,
    n: int,
    anchor: Floats,
    edge: Floats,
    norm2: Floats,
    inverse: Floats,
    dot: Floats,
    dist2: Floats,
) -> None:
    """For the rows X[begin + i], i < n: dot[s, i] with the edge of segment s, and squared distance dist2[s, i] to it.

    As many segments as `dist2` has rows.
    """
    d = X.shape[1]
    columns = np.empty((d, n))
    for i in range(n):
        for a in range(d):
            columns[a, i] = X[begin + i, a]
    for s in range(dist2.shape[0]):
        dots, gaps2 = dot[s], dist2[s]
        for i in range(n):
            dots[i] = 0.0
            gaps2[i] = 0.0
        for a in range(d):
            column, start, step = columns[a], anchor[a, s], edge[a, s]
            for i in range(n):
                gap = column[i] - start
                dots[i] += gap * step
                gaps2[i] += gap * gap
        whole, part = norm2[s], inverse[s]
        for i in range(n):
            at = min(1.0, max(0.0, dots[i] * part))
            gaps2[i] = max(0.0, gaps2[i] + at * (at * whole - 2.0 * dots[i]))


@kernel_of_numbers
def distances_in_plane(
    X: Floats,
    begin: int,
    n: int,
    anchor: Floats,
    edge: Floats,
    norm2: Floats,
    inverse: Floats,
    dot: Floats,
    dist2: Floats,
) -> None:
    """The same in two dimensions, several times as fast."""
    column0 = np.empty(n)
    column1 = np.empty(n)
    for i in range(n):
        column0[i] = X[begin + i, 0]
        column1[i] = X[begin + i, 1]
    for s in range(dist2.shape[0]):
        dots, gaps2 = dot[s], dist2[s]
        start0, start1, step0, step1 = anchor[0, s], anchor[1, s], edge[0, s], edge[1, s]
        whole, part = norm2[s], inverse[s]
        for i in range(n):
            gap0 = column0[i] - start0
            gap1 = column1[i] - start1
            along = gap0 * step0 + gap1 * step1
            at = min(1.0, max(0.0, along * part))
            dots[i] = along
            gaps2[i] = max(0.0, gap0 * gap0 + gap1 * gap1 + at * (at * whole - 2.0 * along))


@kernel_of_numbers
def first_of_nearest(dist2: Floats, n: int, least: Floats, carrier: Ints) -> None:
    """For each of n columns the least entry and the first row as near as that: see TIE."""
    nearer_than = np.empty(n)
    for i in range(n):
        least[i] = np.inf
        nearer_than[i] = np.inf
        carrier[i] = 0
    for s in range(dist2.shape[0]):
        row = dist2[s]
        for i in range(n):
            least[i] = min(least[i], row[i])
            nearer = row[i] < nearer_than[i]
            nearer_than[i] = row[i] * TIE if nearer else nearer_than[i]
            carrier[i] = s if nearer else carrier[i]
