"""Nearest points of long lines: whole runs of segments are ruled out by the boxes around them."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.projection import point_to_segment


@kernel
def boxes(line: Floats, run: int, low: Floats, high: Floats) -> None:
    """The box around each run of so many segments."""
    for b in range(low.shape[0]):
        last = min((b + 1) * run, line.shape[0] - 1)
        for j in range(line.shape[1]):
            low[b, j] = line[b * run : last + 1, j].min()
            high[b, j] = line[b * run : last + 1, j].max()


@kernel
def project_on_long(line: Floats, X: Floats, carrier: Ints, tau: Floats, dist2: Floats) -> None:
    """Project each row of `X`; the first of segments at the very same distance carries it. Segments may be points."""
    segments = line.shape[0] - 1
    run = max(4, int(np.sqrt(segments)))
    count = (segments + run - 1) // run
    low, high = np.empty((count, line.shape[1])), np.empty((count, line.shape[1]))
    boxes(line, run, low, high)
    least = np.empty(count)
    for i in range(X.shape[0]):
        for b in range(count):
            least[b] = 0.0
            for j in range(X.shape[1]):
                outside = max(low[b, j] - X[i, j], X[i, j] - high[b, j], 0.0)
                least[b] += outside * outside
        dist2[i] = np.inf
        carrier[i] = segments
        start = np.argmin(least)
        for turn in range(count):
            b = (start + turn) % count
            # A box's distance and a segment's are rounded differently.
            if least[b] * (1.0 - 1e-12) > dist2[i]:
                continue
            for s in range(b * run, min((b + 1) * run, segments)):
                found, place = point_to_segment(X[i], line[s], line[s + 1])
                if found < dist2[i] or (found == dist2[i] and s < carrier[i]):
                    dist2[i], tau[i], carrier[i] = found, place, s
