"""The curve of a model: its own, a path through its centres, or its first component."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.polyline import Array, Polyline, as_points


class NoCurveError(ValueError):
    """The model has no curve, or none yet."""


def curve_of(model: Any, X: ArrayLike | None = None) -> Polyline:
    """The curve of a model.

    - A `Polyline` is its own curve.
    - `curve_` or `curve`: what the model says.
    - `cluster_centers_` (scikit-learn) or `centers` (river): a short path through the centres.
    - `components_` and `mean_` (PCA): the first component, between the outermost projections of the points `X`.
    """
    if isinstance(model, Polyline):
        return model
    for name in ("curve_", "curve"):
        if isinstance(found := getattr(model, name, None), Polyline):
            return found
    if (centres := getattr(model, "cluster_centers_", None)) is not None:
        return path_through(centres)
    if by_number := getattr(model, "centers", None):
        return path_through([[centre[name] for name in sorted(centre, key=str)] for centre in by_number.values()])
    if hasattr(model, "components_") and getattr(model, "mean_", None) is not None:
        return _first_component(model.components_[0], model.mean_, X)
    raise NoCurveError(
        f"{type(model).__name__} has no curve, or none yet: it needs curve_, curve, cluster_centers_, centers or "
        f"components_; else give it a property curve_ that is a Polyline"
    )


def held_curve(model: Any, seen: Array) -> Polyline:
    """The curve held against the next point: that of the look-ahead, if the model has one."""
    for name in ("forecast_curve_", "forecast_curve"):
        if isinstance(found := getattr(model, name, None), Polyline):
            return found
    return curve_of(model, seen)


def path_through(centres: ArrayLike) -> Polyline:
    """A short path through all these points: always on to the nearest, then untangled by reversing parts of it."""
    points = np.unique(as_points(centres, None), axis=0)
    n = len(points)
    if n < 2:
        raise NoCurveError("a path needs two different centres, there is one")
    # An open path is a round trip by way of one more place, that is no distance away from any.
    gaps = np.zeros((n + 1, n + 1))
    gaps[:n, :n] = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
    trips = [_nearest_first(gaps, start) for start in range(n)]
    shortest = min(trips, key=lambda trip: float(gaps[trip, np.roll(trip, -1)].sum()))
    return Polyline(points[_untangled(gaps, shortest)[1:]])


def _first_component(direction: Array, mean: Array, X: ArrayLike | None) -> Polyline:
    if X is None:
        raise ValueError("a component has no ends of its own: give the points that it is to be drawn for")
    along = (as_points(X, len(mean)) - mean) @ direction if len(np.atleast_2d(X)) else np.zeros(1)
    if np.ptp(along) == 0:
        raise NoCurveError("the points do not differ along the first component")
    return Polyline(mean + np.outer([along.min(), along.max()], direction))


def _nearest_first(gaps: Array, start: int) -> list[int]:
    """From the extra place to `start`, then always on to the nearest place not yet visited."""
    trip = [len(gaps) - 1, start]
    left = gaps.copy()
    left[:, trip] = np.inf
    while len(trip) < len(gaps):
        trip.append(int(np.argmin(left[trip[-1]])))
        left[:, trip[-1]] = np.inf
    return trip


def _untangled(gaps: Array, trip: list[int]) -> NDArray[np.intp]:
    """Reverse parts of a round trip as long as this makes it shorter."""
    n = len(trip)
    shorter = True
    while shorter:
        shorter = False
        for i in range(1, n - 1):
            for j in range(i + 1, n):
                a, b, c, d = trip[i - 1], trip[i], trip[j], trip[(j + 1) % n]
                now = gaps[a, b] + gaps[c, d]
                if gaps[a, c] + gaps[b, d] < now * (1 - 1e-12):
                    trip[i : j + 1] = trip[i : j + 1][::-1]
                    shorter = True
    return np.array(trip)
