"""What the batch methods have in common: the face of a scikit-learn estimator around a curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from slpc.polyline import Array, Polyline

_LARGEST = 1e150  # squares of anything larger overflow


class CurveEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator whose `fit` sets `curve_`."""

    curve_: Polyline

    def transform(self, X: ArrayLike) -> Array:
        """Place of each row along the curve: arc length from its beginning, (n, 1)."""
        points = self._points(X)
        return self.curve_.project(points).arc_length[:, None]

    def inverse_transform(self, S: ArrayLike) -> Array:
        """Points of the curve at these places."""
        check_is_fitted(self, "curve_")
        return self.curve_.point_at(np.asarray(S, dtype=np.float64).reshape(-1))

    def score_samples(self, X: ArrayLike) -> Array:
        """Minus the squared distance of each row to the curve."""
        points = self._points(X)
        return -self.curve_.squared_distances(points)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """R²: the part of the variance of `X` that the curve accounts for."""
        points = self._points(X)
        loss = float(self.curve_.squared_distances(points).sum())
        total = float(np.square(points - points.mean(axis=0)).sum())
        return 1.0 - loss / total if total > 0 else float(loss == 0)

    @property
    def _n_features_out(self) -> int:
        return 1

    def _points(self, X: ArrayLike) -> Array:
        check_is_fitted(self, "curve_")
        return np.asarray(validate_data(self, X, dtype=np.float64, order="C", reset=False))

    def _training(self, X: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Array, Array]:
        """Check what `fit` was given: the points, and a weight for each."""
        points = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        if np.abs(points).max() > _LARGEST:
            row, column = (int(i) for i in np.argwhere(np.abs(points) > _LARGEST)[0])
            raise ValueError(f"X[{row}, {column}] is {points[row, column]}: squares of values above 1e150 overflow")
        if sample_weight is None:
            weight = np.ones(len(points))
        else:
            weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
            if weight.shape != (len(points),):
                raise ValueError(f"sample_weight must have one entry a row, {len(points)}, got shape {weight.shape}")
            if not (np.isfinite(weight).all() and (weight >= 0).all()):
                raise ValueError("sample_weight must be finite and at least 0")
        if not weight.any():
            raise ValueError("sample_weight is zero for all rows: at least two different ones must count")
        if len(distinct(points[weight > 0])) < 2:
            raise ValueError("all points of positive weight coincide: a curve needs at least two different ones")
        return points, weight


def distinct(points: Array) -> Array:
    """The points without those that stand, up to rounding, where the one before them does."""
    if len(points) < 2:
        return points
    bar = max(1e-12 * float(np.ptp(points, axis=0).max()), 1e-140)
    kept = np.r_[True, np.abs(np.diff(points, axis=0)).max(axis=1) > bar]
    return points[kept]


def principal_axis(points: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Weighted mean, direction of the first principal component, and places of the points along it.

    Of the two directions the one whose largest component is positive, so that the order of the points says nothing.
    """
    mean = np.average(points, axis=0, weights=weight)
    direction = np.linalg.svd(np.sqrt(weight)[:, None] * (points - mean), full_matrices=False)[2][0]
    size = np.abs(direction)
    direction = direction * np.sign(direction[np.argmax(size > (1.0 - 1e-9) * size.max())])
    return mean, direction, (points - mean) @ direction
