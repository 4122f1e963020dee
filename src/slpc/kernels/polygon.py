"""The vertex optimisation of the polygonal line algorithm (Kégl, Krzyżak, Linder and Zeger, 2000).

While the Voronoi sets stay as they are, all that counts of their points is weight, mean and scatter. The sets are
numbered V₁, S₁, V₂, S₂, … from 0.
"""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel


@kernel
def summarise(X: Floats, w: Floats, codes: Ints, mass: Floats, mean: Floats, scatter: Floats) -> None:
    """Weight, mean and scatter about the mean of the points of each Voronoi set."""
    d = X.shape[1]
    mass[:] = 0.0
    mean[:] = 0.0
    scatter[:] = 0.0
    for i in range(X.shape[0]):
        mass[codes[i]] += w[i]
        for a in range(d):
            mean[codes[i], a] += w[i] * X[i, a]
    for s in range(mass.size):
        if mass[s] > 0.0:
            mean[s] /= mass[s]
    for i in range(X.shape[0]):
        for a in range(d):
            gap = X[i, a] - mean[codes[i], a]
            for b in range(d):
                scatter[codes[i], a, b] += w[i] * gap * (X[i, b] - mean[codes[i], b])


@kernel
def to_line(a: Floats, b: Floats, mass: float, mean: Floats, scatter: Floats, scale: float, slope: Floats) -> float:
    """Sum of squared distances to the line through `a` and `b`; `scale` times its derivative by `b` joins `slope`."""
    d = a.size
    length = 0.0
    for j in range(d):
        length += (b[j] - a[j]) ** 2
    length = np.sqrt(length)
    if length == 0.0:
        return float(np.inf)
    along = total = 0.0
    for j in range(d):
        along += (mean[j] - a[j]) * (b[j] - a[j]) / length
        total += scatter[j, j] + mass * (mean[j] - a[j]) ** 2
    explained = 0.0
    moment = np.empty(d)
    for j in range(d):
        moment[j] = mass * (mean[j] - a[j]) * along
        for q in range(d):
            moment[j] += scatter[j, q] * (b[q] - a[q]) / length
        explained += moment[j] * (b[j] - a[j]) / length
    for j in range(d):
        slope[j] -= scale * 2.0 / length * (moment[j] - explained * (b[j] - a[j]) / length)
    return float(total - explained)


@kernel
def bend(before: Floats, at: Floats, after: Floats, moved: int, scale: float, slope: Floats) -> float:
    """1 + cos γ at a vertex; its derivative by the vertex moved (-1, 0, 1 of the three) goes to `slope`."""
    d = at.size
    p2 = q2 = pq = 0.0
    for j in range(d):
        p, q = before[j] - at[j], after[j] - at[j]
        p2 += p * p
        q2 += q * q
        pq += p * q
    if p2 == 0.0 or q2 == 0.0:
        return float(np.inf)
    cos = pq / np.sqrt(p2 * q2)
    for j in range(d):
        p, q = before[j] - at[j], after[j] - at[j]
        by_before = q / np.sqrt(p2 * q2) - cos * p / p2
        by_after = p / np.sqrt(p2 * q2) - cos * q / q2
        if moved < 0:
            slope[j] += scale * by_before
        elif moved > 0:
            slope[j] += scale * by_after
        else:
            slope[j] -= scale * (by_before + by_after)
    return float(1.0 + cos)


@kernel
def around(
    line: Floats,
    v: int,
    mass: Floats,
    mean: Floats,
    scatter: Floats,
    fit: float,
    price: float,
    r2: float,
    slope: Floats,
) -> float:
    """All terms of G that vertex `v` enters, and their derivative by it.

    G is `fit` times the sum of squared distances plus `price` times the penalties: r² (1 + cos γ) at inner vertices,
    the squared length of the first and the last segment at the ends.
    """
    k, d = line.shape[0] - 1, line.shape[1]
    slope[:] = 0.0
    total = 0.0
    for j in range(d):
        gap = line[v, j] - mean[2 * v, j]
        total += fit * (mass[2 * v] * gap * gap + scatter[2 * v, j, j])
        slope[j] += 2.0 * fit * mass[2 * v] * gap
    for other, s in ((v - 1, 2 * v - 1), (v + 1, 2 * v + 1)):
        if 0 <= other <= k:
            total += fit * to_line(line[other], line[v], mass[s], mean[s], scatter[s], fit, slope)
            ends = (1 if min(other, v) == 0 else 0) + (1 if max(other, v) == k else 0)
            for j in range(d):
                gap = line[v, j] - line[other, j]
                total += price * ends * gap * gap
                slope[j] += 2.0 * price * ends * gap
    for at in range(max(v - 1, 1), min(v + 1, k - 1) + 1):
        total += price * r2 * bend(line[at - 1], line[at], line[at + 1], v - at, price * r2, slope)
    return total


@kernel
def optimise(
    line: Floats,
    mass: Floats,
    mean: Floats,
    scatter: Floats,
    price: float,
    r2: float,
    sweeps: int,
    thresh: float,
) -> None:
    """Lower G vertex by vertex, each along its steepest descent, until a sweep gains less than `thresh` of G."""
    k, d = line.shape[0] - 1, line.shape[1]
    fit = 1.0 / mass.sum()
    slope, ignored, old = np.empty(d), np.empty(d), np.empty(d)
    # The curvature of the terms that do not depend on angles: a step that is right but for the angles.
    step = np.empty(k + 1)
    for v in range(k + 1):
        near = mass[max(2 * v - 1, 0) : 2 * v + 2].sum()
        step[v] = 0.5 / (fit * near + price)
    for _ in range(sweeps):
        gained = total = 0.0
        for v in range(k + 1):
            value = around(line, v, mass, mean, scatter, fit, price, r2, slope)
            steep = 0.0
            for j in range(d):
                steep += slope[j] * slope[j]
            old[:] = line[v]
            step[v] *= 2.0
            for _ in range(60):
                line[v] = old - step[v] * slope
                new = around(line, v, mass, mean, scatter, fit, price, r2, ignored)
                if new <= value - 1e-4 * step[v] * steep:
                    gained += value - new
                    break
                line[v] = old
                step[v] *= 0.5
            total += value
        if gained <= thresh * total:
            break
