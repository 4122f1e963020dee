"""Nearest points of a polygonal line, and the segment that carries them (SPEC: the supremum at ties)."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel


@kernel
def point_to_segment(x: Floats, a: Floats, b: Floats) -> tuple[float, float]:
    """Squared distance of `x` to the segment [a, b], and the place τ in [0, 1] of the nearest point."""
    along = 0.0
    norm2 = 0.0
    for j in range(x.size):
        e = b[j] - a[j]
        along += (x[j] - a[j]) * e
        norm2 += e * e
    tau = 0.0
    if norm2 > 0.0:
        tau = min(max(along / norm2, 0.0), 1.0)
    dist2 = 0.0
    for j in range(x.size):
        # From the nearer end: exact at both ends, so that neighbours agree on their common vertex.
        gap = x[j] - (a[j] + tau * (b[j] - a[j])) if tau <= 0.5 else x[j] - (b[j] + (tau - 1.0) * (b[j] - a[j]))
        dist2 += gap * gap
    return dist2, tau


@kernel
def project(vertices: Floats, X: Floats, tie: float, carrier: Ints, tau: Floats, dist2: Floats) -> None:
    """Project every row of `X`: fill `carrier` (segment), `tau` (place on it) and `dist2`.

    Two segments tie when their squared distances differ by less than 1e-12 of themselves plus `tie`;
    the last of them carries the point, which is the supremum of the minimisers.
    """
    n_segments = vertices.shape[0] - 1
    found2 = np.empty(n_segments)
    found_tau = np.empty(n_segments)
    for i in range(X.shape[0]):
        best = np.inf
        for s in range(n_segments):
            found2[s], found_tau[s] = point_to_segment(X[i], vertices[s], vertices[s + 1])
            best = min(best, found2[s])
        bar = best * (1.0 + 1e-12) + tie
        for s in range(n_segments - 1, -1, -1):
            if found2[s] <= bar:
                carrier[i] = s
                tau[i] = found_tau[s]
                dist2[i] = found2[s]
                break


@kernel
def squared_distances(vertices: Floats, X: Floats, dist2: Floats) -> None:
    """Lower `dist2` to the squared distance of each row of `X` to a line, where that is less."""
    for i in range(X.shape[0]):
        for s in range(vertices.shape[0] - 1):
            found, _ = point_to_segment(X[i], vertices[s], vertices[s + 1])
            dist2[i] = min(dist2[i], found)


@kernel
def path_losses(paths: Floats, X: Floats, known: Floats, losses: Floats) -> None:
    """Total loss over `X` of each line paths[c] joined to a fixed rest, at squared distances `known`."""
    for c in range(paths.shape[0]):
        total = 0.0
        for i in range(X.shape[0]):
            best = known[i]
            for s in range(paths.shape[1] - 1):
                found, _ = point_to_segment(X[i], paths[c, s], paths[c, s + 1])
                best = min(best, found)
            total += best
        losses[c] = total


@kernel
def diameter(X: Floats, order: Ints, from_centre: Floats) -> float:
    """Greatest distance between two rows of `X`; `order` sorts `from_centre`, their norms, downwards."""
    best2 = 0.0
    for a in range(order.size):
        i = order[a]
        if 4.0 * from_centre[i] ** 2 < best2:
            break
        for b in range(a + 1, order.size):
            j = order[b]
            # The triangle inequality: no pair further down can be further apart.
            if (from_centre[i] + from_centre[j]) ** 2 < best2:
                break
            dist2 = 0.0
            for c in range(X.shape[1]):
                dist2 += (X[i, c] - X[j, c]) ** 2
            best2 = max(best2, dist2)
    return float(np.sqrt(best2))
