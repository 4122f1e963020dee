"""Smoothers of points against their arc length, as R has them: smoothing spline, lowess, and lowess around a circle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from slpc.kernels import lowess as lowess_kernel
from slpc.kernels import spline
from slpc.polyline import Array


def smooth_spline(s: Array, Y: Array, weight: Array, df: float) -> Array:
    """Cubic smoothing spline with `df` degrees of freedom, like R's `smooth.spline(s, y, w, df)`, at the ascending `s`.

    Values of s that agree to a millionth of their interquartile range count as one, with their mean. From 50 different
    ones on, not all are knots. With fewer than four there is a straight line instead.
    """
    bin_of, place = _binned(s)
    n = len(place)
    total: Array = np.bincount(bin_of, weight, n).astype(np.float64)
    mean = np.stack([np.bincount(bin_of, weight * y, n) for y in Y.T], axis=1) / total[:, None]
    if n < 4:
        return _straight(s, place, mean, total)
    scaled = (place - place[0]) / (place[-1] - place[0])
    knots = np.concatenate([np.zeros(3), scaled[_knot_indices(n)], np.ones(3)])
    coefficients = np.empty((len(knots) - 4, Y.shape[1]))
    spline.fit(scaled, mean, total * (len(s) / total.sum()), knots, float(min(df, n)), coefficients)
    out = np.empty_like(Y)
    spline.evaluate((s - place[0]) / (place[-1] - place[0]), knots, coefficients, out)
    return out


def lowess(s: Array, Y: Array, span: float, rounds: int) -> Array:
    """Locally weighted regression on the nearest `span` of the points, like R's `lowess`, at the ascending `s`."""
    out = np.empty_like(Y)
    neighbours = max(2, min(len(s), int(span * len(s) + 1e-7)))
    lowess_kernel.lowess(s, np.ascontiguousarray(Y), neighbours, rounds, 0.01 * float(s[-1] - s[0]), out)
    return out


def periodic_lowess(s: Array, Y: Array, span: float, rounds: int) -> Array:
    """Lowess on a circle: the second half of the points is put before the first too, the first half after the last.

    The ends of `s` are as far apart as its different values are on average. Of an odd number of points the last is not
    put before the first: so it is in R.
    """
    n, half = len(s), len(s) // 2
    around = s[-1] - s[0] + (s[-1] - s[0]) / max(len(np.unique(s)) - 1, 1)
    before = slice(max(half - 1, 0), n - n % 2)
    wrapped = np.concatenate([s[before] - around, s, s[:half] + around])
    values = np.concatenate([Y[before], Y, Y[:half]])
    return lowess(wrapped, values, span / 2.0, rounds)[before.stop - before.start :][:n]


def _binned(s: Array) -> tuple[NDArray[np.int64], Array]:
    """Number of each value's bin, and the first value in each bin."""
    quartiles = np.quantile(s, [0.25, 0.75])
    width = 1e-6 * float(quartiles[1] - quartiles[0]) or 1e-6 * float(s[-1] - s[0])
    if width == 0.0:
        return np.zeros(len(s), np.int64), s[:1]
    _, first, bin_of = np.unique(np.round((s - s.mean()) / width), return_index=True, return_inverse=True)
    return bin_of, s[first]


def _knot_indices(n: int) -> NDArray[np.int64]:
    """Which of n places are knots: all below 50, then ever fewer of them, evenly spread."""
    if n < 50:
        return np.arange(n)
    if n < 3200:
        count = int(2.0 ** np.interp(n, [50, 200, 800, 3200], np.log2([50, 100, 140, 200])))
    else:
        count = int(200 + (n - 3200) ** 0.2)
    indices = (1.0 + np.arange(count) * ((n - 1) / (count - 1))).astype(np.int64) - 1
    indices[-1] = n - 1
    return indices


def _straight(s: Array, place: Array, mean: Array, weight: Array) -> Array:
    centre, middle = np.average(place, weights=weight), np.average(mean, axis=0, weights=weight)
    spread = float(weight @ np.square(place - centre))
    slope = weight * (place - centre) @ (mean - middle) / spread if spread > 0.0 else np.zeros_like(middle)
    return np.asarray(middle + np.outer(s - centre, slope))
