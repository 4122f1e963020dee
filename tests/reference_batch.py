"""Slow and literal twins of the kernels of the batch methods."""

import itertools
import math

import numpy as np

from reference import nearest_on_segment

# -- smoothing splines --------------------------------------------------------------------------------------------


def b_spline(j, order, knots, x):
    """Value of a B-spline at x by the recursion of its definition; the last interval is closed."""
    if order == 1:
        last = knots[j + 1] == knots[-1] and x == knots[-1] and knots[j] < knots[j + 1]
        return float(knots[j] <= x < knots[j + 1] or last)
    left, right = knots[j + order - 1] - knots[j], knots[j + order] - knots[j + 1]
    value = 0.0
    if left > 0:
        value += (x - knots[j]) / left * b_spline(j, order - 1, knots, x)
    if right > 0:
        value += (knots[j + order] - x) / right * b_spline(j + 1, order - 1, knots, x)
    return value


def b_spline_curvature(j, knots, x):
    """Second derivative of a cubic B-spline, from differences of those of lower order."""

    def derivative(j, order, times):
        if times == 0:
            return b_spline(j, order, knots, x)
        value = 0.0
        if knots[j + order - 1] > knots[j]:
            value += (order - 1) / (knots[j + order - 1] - knots[j]) * derivative(j, order - 1, times - 1)
        if knots[j + order] > knots[j + 1]:
            value -= (order - 1) / (knots[j + order] - knots[j + 1]) * derivative(j + 1, order - 1, times - 1)
        return value

    return derivative(j, 4, 2)


def design(x, knots):
    return np.array([[b_spline(j, 4, knots, at) for j in range(len(knots) - 4)] for at in x])


def roughness(knots):
    """Integrals of products of second derivatives, interval by interval; 0.333 for the third in ∫ t² is R's."""
    size = len(knots) - 4
    total = np.zeros((size, size))
    for a, b in itertools.pairwise(np.unique(knots)):
        inner = b - (b - a) * 1e-9  # the second derivative jumps at the last knot
        low = np.array([b_spline_curvature(j, knots, a) for j in range(size)])
        rise = np.array([b_spline_curvature(j, knots, inner) for j in range(size)]) - low
        total += (b - a) * (np.outer(low, low) + 0.5 * (np.outer(low, rise) + np.outer(rise, low)))
        total += (b - a) * 0.333 * np.outer(rise, rise)
    return total


# -- lowess -------------------------------------------------------------------------------------------------------


def lowess(x, y, neighbours, rounds):
    """Cleveland's robust local lines at every point, without interpolation."""
    n = len(x)
    robust = np.ones(n)
    for done in range(rounds + 1):
        fitted = np.empty(n)
        for i in range(n):
            reach = np.sort(np.abs(x - x[i]))[neighbours - 1]
            near = np.clip(1 - (np.abs(x - x[i]) / reach) ** 3, 0, None) ** 3 * robust
            slope, level = np.polyfit(x, y, 1, w=np.sqrt(near))
            fitted[i] = slope * x[i] + level
        cutoff = 6 * np.median(np.abs(y - fitted))
        robust = np.clip(1 - ((y - fitted) / cutoff) ** 2, 0, None) ** 2
        if done == rounds:
            return fitted


# -- projection ---------------------------------------------------------------------------------------------------


def first_nearest(line, x):
    """Squared distance of x to a line, the first segment at that distance, and the place on it."""
    found = [nearest_or_point(x, a, b) for a, b in itertools.pairwise(line)]
    s = min(range(len(found)), key=lambda s: found[s][0])
    return found[s][0], s, found[s][1]


def nearest_or_point(x, a, b):
    return (float((x - a) @ (x - a)), 0.0) if np.array_equal(a, b) else nearest_on_segment(x, a, b)


# -- polygonal lines ----------------------------------------------------------------------------------------------


def penalised(line, X, w, codes, price, r):
    """Kégl's G for fixed Voronoi sets: vertices' points to the vertices, segments' points to whole lines."""
    total = 0.0
    for x, weight, code in zip(X, w, codes, strict=True):
        gap = x - line[code // 2]
        if code % 2:
            along = line[code // 2 + 1] - line[code // 2]
            gap = gap - (gap @ along) / (along @ along) * along
        total += weight * float(gap @ gap) / w.sum()
    for a, b, c in zip(line, line[1:], line[2:], strict=False):
        cos = (a - b) @ (c - b) / math.dist(a, b) / math.dist(b, c)
        total += price * r**2 * (1 + cos)
    return total + price * (math.dist(line[0], line[1]) ** 2 + math.dist(line[-1], line[-2]) ** 2)
