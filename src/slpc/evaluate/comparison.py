"""How close a curve comes to the true one, and to points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from slpc.evaluate.models import curve_of
from slpc.polyline import Array, Polyline, as_points


@dataclass(frozen=True)
class Fidelity:
    """How close a curve is to the true one; distances in the units of the data."""

    from_truth: float
    """Mean distance from the true curve to the learnt one: large if something is missing."""
    to_truth: float
    """Mean distance from the learnt curve to the true one: large if something is there that should not be."""
    hausdorff: float
    """Largest distance of a place of either from the other."""
    length_ratio: float
    """Length of the learnt curve over that of the true one."""
    turning: float
    """Sum of the absolute angles, in radians, by which the learnt curve turns at its vertices."""
    true_turning: float
    """The same for the true curve."""
    loss_ratio: float
    """Mean loss of the learnt curve over that of the true one on the points given; NaN without points."""


def fidelity(curve: Any, truth: Polyline, X: ArrayLike | None = None, *, places: int = 1000) -> Fidelity:
    """Compare a curve (or a model's) with the true one, and on points `X` if there are any.

    Means are over so many equally spaced places of each; the Hausdorff distance looks at these and at all vertices, so
    that it is at most half a spacing too small.
    """
    if places < 2:
        raise ValueError(f"places must be at least 2, got {places}")
    learnt = curve_of(curve, X)
    there, back = _distances(truth, learnt, places), _distances(learnt, truth, places)
    return Fidelity(
        from_truth=float(there[:places].mean()),
        to_truth=float(back[:places].mean()),
        hausdorff=float(max(there.max(), back.max())),
        length_ratio=learnt.length / truth.length,
        turning=turning(learnt),
        true_turning=turning(truth),
        loss_ratio=float("nan") if X is None else _ratio(learnt, truth, X),
    )


def r_squared(curve: Any, X: ArrayLike) -> float:
    """The paper's R²: 1 - Σ Δ(f, x) / Σ |x - mean|², the part of the points' variance that a curve accounts for."""
    points = as_points(X, None)
    losses = curve_of(curve, points).squared_distances(points)
    total = float(np.square(points - points.mean(axis=0)).sum())
    return 1.0 - float(losses.sum()) / total if total > 0 else float(losses.sum() == 0)


def turning(curve: Polyline) -> float:
    """Sum of the absolute angles, in radians, by which a line turns at its vertices."""
    steps = np.diff(curve.vertices, axis=0)
    directions = steps / np.sqrt(np.square(steps).sum(axis=1, keepdims=True))
    before, after = directions[:-1], directions[1:]
    # Exact for small angles and for those near π, unlike the arc cosine.
    apart, together = (np.sqrt(np.square(v).sum(axis=1)) for v in (after - before, after + before))
    return float(2 * np.arctan2(apart, together).sum())


def _distances(of: Polyline, to: Polyline, places: int) -> Array:
    """Distances of equally spaced places, and then of the vertices, of one curve to another."""
    points = np.concatenate([of.point_at(np.linspace(0.0, of.length, places)), of.vertices])
    return np.asarray(np.sqrt(to.squared_distances(points)))


def _ratio(learnt: Polyline, truth: Polyline, X: ArrayLike) -> float:
    ours, best = (float(line.squared_distances(X).mean()) for line in (learnt, truth))
    if best > 0:
        return ours / best
    return 1.0 if ours == 0 else float("inf")
