"""Lines as arrays: the one a learner begins with, and what makes an array a curve."""

from __future__ import annotations

import math

import numpy as np

from slpc.polyline import Array

TINIEST = 1e-145  # what differs by less is equal: its squares would underflow


def principal_segment(X: Array, weight: Array) -> Array:
    """The first principal component between the outermost projections, in the direction of the stream, (2, d)."""
    mean = np.average(X, axis=0, weights=weight)
    direction = np.linalg.svd((X - mean) * np.sqrt(weight)[:, None], full_matrices=False)[2][0]
    along = (X - mean) @ direction
    if along[0] > along[-1]:
        direction, along = -direction, -along
    return np.stack([mean + along.min() * direction, mean + along.max() * direction])


def distinct(line: Array) -> Array:
    """The line without vertices that fall on the one before; where all do, a very short segment at their place."""
    steps = np.abs(np.diff(line, axis=0)).max(axis=1)
    line = line[np.r_[True, steps > TINIEST]]
    if len(line) == 1:
        step = np.zeros(line.shape[1])
        step[0] = math.ldexp(max(float(np.abs(line).max()), 1e-100), -30)
        line = np.concatenate([line - step, line + step])
    return line
