"""Lines to start from: principal components and curves through binned means, rounded to the lattice."""

from __future__ import annotations

import numpy as np

from slpc.paper.lattice import Coordinates, Lattice
from slpc.polyline import Array


def principal_ends(X: Array) -> Array:
    """The two farthest projections of the points on their first principal component, (2, d)."""
    mean = X.mean(axis=0)
    direction = np.linalg.svd(X - mean, full_matrices=False)[2][0]
    along = (X - mean) @ direction
    return np.asarray(mean + np.outer([along.min(), along.max()], direction))


def binned_means(X: Array, k: int) -> Array:
    """Means of k + 1 equal shares of the points, in their order along the first principal component."""
    start, end = principal_ends(X)
    order = np.argsort((X - start) @ (end - start), kind="stable")
    return np.stack([X[part].mean(axis=0) for part in np.array_split(order, min(k + 1, len(X)))])


def rounded(line: Array, lattice: Lattice) -> Coordinates:
    """The nearest lattice points to the vertices of a line, without repeats."""
    coordinates = lattice.nearest(line)
    keep = np.ones(len(coordinates), dtype=np.bool_)
    keep[1:] = (np.diff(coordinates, axis=0) != 0).any(axis=1)
    return coordinates[keep]


def first_line(X: Array, lattice: Lattice, longest: float) -> Coordinates:
    """f₁: the first principal component of the warm-up points, as an action of one segment.

    Its ends are rounded to different lattice points; a segment longer than `longest` is shrunk towards its
    middle. Points that are all equal give a shortest segment next to them.
    """
    ends = principal_ends(X)
    middle = ends.mean(axis=0)
    for shrink in np.linspace(1.0, 0.0, 64, endpoint=False):
        line = rounded(middle + shrink * (ends - middle), lattice)
        if len(line) < 2:
            break
        if np.linalg.norm(np.diff(lattice.position(line), axis=0)) <= longest:
            return line
    near = lattice.nearest(middle)
    axes = np.concatenate([np.eye(lattice.dim, dtype=np.int64), -np.eye(lattice.dim, dtype=np.int64)])
    beside = (near + axes)[lattice.contains(near + axes)]
    if lattice.spacing > longest or not len(beside):
        raise ValueError(
            f"no segment of the lattice of spacing {lattice.spacing:g} fits in the ball and in L={longest:g}"
        )
    towards = np.square(lattice.position(beside) - ends[1]).sum(axis=1)
    return np.stack([near, beside[int(np.argmin(towards))]])
