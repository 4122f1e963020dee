"""The algorithm of Hastie and Stuetzle (1989), as R's princurve has it: projection and smoothing in turns."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.batch.base import CurveEstimator, distinct, principal_axis
from slpc.batch.smoothers import lowess, periodic_lowess, smooth_spline
from slpc.kernels.sections import project_on_long
from slpc.polyline import Array, Polyline, as_points

_SPANS = {"lowess": 2 / 3, "periodic_lowess": 0.6}


class Fit(NamedTuple):
    """Where points fall on a curve."""

    points: Array
    """Nearest points of the curve, (n, d)."""
    order: NDArray[np.int64]
    """Sorts them along the curve."""
    arc_length: Array
    """Places on the polygonal line through the nearest points, in the order of the data."""
    distance: float
    """Weighted sum of the squared distances."""


class HastieStuetzle(CurveEstimator):
    """A principal curve by projection and smoothing in turns, like `principal_curve` of R's package princurve 2.1.6.

    Parameters
    ----------
    smoother : "smooth_spline", "lowess" or "periodic_lowess"
        How each coordinate is smoothed against arc length. The last fits closed curves, and is followed by Banfield's
        correction of the bias.
    df : float
        Degrees of freedom of "smooth_spline".
    span : float or None
        Part of the points that each value of "lowess" or "periodic_lowess" looks at. None: R's, 2/3 and 0.6.
    rounds : int
        Robustifying rounds of lowess, R's `iter`.
    stretch : float
        How many times their length the end segments are prolonged by before points are projected.
    thresh : float
        Stop when the sum of squared distances has changed by less than this part.
    max_iter : int
        Stop after so many rounds.
    start : None, "circle", Polyline or array of shape (m, d)
        Curve to start from. None: the first principal component, or a circle for "periodic_lowess".

    Attributes
    ----------
    curve_ : Polyline
        The line through the fitted points, in the order of arc length, each taken once.
    fitted_points_ : array of shape (n, d)
        Projections of the training points.
    arc_length_ : array of shape (n,)
        Their places along `curve_`.
    distance_ : float
        Sum of squared distances of the training points to their projections, each times its weight.
    n_iter_ : int
        Rounds of smoothing and projection.
    converged_ : bool
        Whether `thresh` was met.

    Examples
    --------
    >>> import numpy as np
    >>> from slpc.batch import HastieStuetzle
    >>> x = np.linspace(-1, 1, 60)
    >>> model = HastieStuetzle().fit(np.column_stack([x, x**2]))
    >>> model.converged_, round(model.curve_.length, 1)
    (True, 2.9)

    """

    def __init__(
        self,
        *,
        smoother: str = "smooth_spline",
        df: float = 5.0,
        span: float | None = None,
        rounds: int = 3,
        stretch: float = 2.0,
        thresh: float = 0.001,
        max_iter: int = 10,
        start: Any = None,
    ) -> None:
        self.smoother = smoother
        self.df = df
        self.span = span
        self.rounds = rounds
        self.stretch = stretch
        self.thresh = thresh
        self.max_iter = max_iter
        self.start = start

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the curve to the rows of `X`; weight 2 counts like two equal ones, weight 0 is projected only."""
        self._check_parameters()
        points, weight = self._training(X, sample_weight)
        if sample_weight is not None and self.smoother != "smooth_spline" and np.ptp(weight) > 0:
            raise ValueError(f'smoother="{self.smoother}" knows no weights: use "smooth_spline", or repeat the rows')
        counts = weight > 0
        rows, merged, member = points[counts], weight[counts], np.arange(int(counts.sum()))
        if self.smoother == "smooth_spline":
            rows, merged, member = _merged(rows, merged)
        fit = self._iterate(rows, merged)
        vertices = distinct(fit.points[fit.order])
        if len(vertices) < 2:
            raise ValueError("the curve has shrunk to a point: smooth less (a larger df, a smaller span)")
        self.curve_ = Polyline(vertices)
        self.distance_ = fit.distance
        self.fitted_points_, self.arc_length_ = np.empty_like(points), np.empty(len(points))
        self.fitted_points_[counts], self.arc_length_[counts] = fit.points[member], fit.arc_length[member]
        if not counts.all():
            placed = self.curve_.project(points[~counts])
            self.fitted_points_[~counts], self.arc_length_[~counts] = placed.point, placed.arc_length
        return self

    def _iterate(self, points: Array, weight: Array) -> Fit:
        total = float(weight @ np.square(points - np.average(points, axis=0, weights=weight)).sum(axis=1))
        fit, before = self._start(points, weight), total
        self.n_iter_ = 0
        # Below a part in 10²⁰ of the variance there is nothing but rounding.
        while not (converged := abs(before - fit.distance) <= max(self.thresh * before, 1e-20 * total)):
            if self.n_iter_ == self.max_iter:
                break
            before = fit.distance
            line = self._smoothed(points, weight, fit.arc_length)
            if self.smoother == "periodic_lowess":
                fit = self._without_bias(points, weight, projected(points, line, weight, 0.0))
            else:
                fit = projected(points, line, weight, self.stretch)
            self.n_iter_ += 1
        self.converged_ = bool(converged)
        return fit

    def _smoothed(self, points: Array, weight: Array, arc_length: Array) -> Array:
        order = np.argsort(arc_length, kind="stable")
        s, Y = arc_length[order], points[order]
        if self.smoother == "smooth_spline":
            return smooth_spline(s, Y, weight[order], self.df)
        smooth = lowess if self.smoother == "lowess" else periodic_lowess
        return smooth(s, Y, self._span, self.rounds)

    @property
    def _span(self) -> float:
        return _SPANS[self.smoother] if self.span is None else self.span

    def _without_bias(self, points: Array, weight: Array, fit: Fit) -> Fit:
        """Banfield's correction of closed curves, which smoothing draws inwards, as princurve does it.

        The distances of the points to the curve, negative inside, are smoothed too. By the size of the result each
        fitted point is moved outwards, on the line through it and its data point.
        """
        gaps = points - fit.points
        size = np.linalg.norm(gaps, axis=1)
        centre = fit.points.mean(axis=0)
        outside = np.linalg.norm(points - centre, axis=1) >= np.linalg.norm(fit.points - centre, axis=1)
        sign = np.where(outside, 1.0, -1.0)
        shift = np.abs(self._smoothed((sign * size)[:, None], weight, fit.arc_length))
        outwards = (sign / np.maximum(size, np.finfo(float).tiny))[:, None] * gaps
        line = fit.points[fit.order] + shift * outwards[fit.order]
        return projected(points, line, weight, 0.0)

    def _start(self, points: Array, weight: Array) -> Fit:
        start = self.start
        if start is None and self.smoother == "periodic_lowess":
            start = "circle"
        if start is None:
            mean, direction, places = principal_axis(points, weight)
            order = np.argsort(places, kind="stable")
            fitted = mean + np.outer(places, direction)
            distance = float(weight @ np.square(points - fitted).sum(axis=1))
            return Fit(fitted, order, places - places[order[0]], distance)
        line = _circle(points, weight) if isinstance(start, str) else self._given(start, points.shape[1])
        return projected(points, line, weight, self.stretch)

    def _given(self, start: Any, dim: int) -> Array:
        line = start.vertices if isinstance(start, Polyline) else as_points(start, None)
        if len(line) < 2 or line.shape[1] != dim:
            raise ValueError(
                f"start must be a curve of at least 2 vertices in {dim} dimensions, got shape {line.shape}"
            )
        return np.array(line)

    def _check_parameters(self) -> None:
        if self.smoother not in ("smooth_spline", "lowess", "periodic_lowess"):
            raise ValueError(f'smoother must be "smooth_spline", "lowess" or "periodic_lowess", got {self.smoother!r}')
        if isinstance(self.start, str) and self.start != "circle":
            raise ValueError(f'start must be None, "circle" or a curve, got {self.start!r}')
        for name, least, most in (("df", 1, np.inf), ("stretch", 0, np.inf), ("thresh", 0, np.inf), ("span", 0, 1)):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and least <= value <= most):
                raise ValueError(f"{name} must be a number from {least} to {most}, got {value!r}")
        for name in ("rounds", "max_iter"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be a whole number of at least 0, got {getattr(self, name)!r}")


def projected(points: Array, line: Array, weight: Array, stretch: float) -> Fit:
    """Nearest points of the line through `line`, its end segments prolonged by `stretch` times their lengths."""
    line = np.array(line)
    line[0], line[-1] = line[0] + stretch * (line[0] - line[1]), line[-1] + stretch * (line[-1] - line[-2])
    n = len(points)
    carrier, tau, dist2 = np.empty(n, np.int64), np.empty(n), np.empty(n)
    project_on_long(line, points, carrier, tau, dist2)
    nearest = line[carrier] + tau[:, None] * (line[carrier + 1] - line[carrier])
    order = np.argsort(carrier + tau, kind="stable")
    arc = np.zeros(n)
    arc[order[1:]] = np.cumsum(np.linalg.norm(np.diff(nearest[order], axis=0), axis=1))
    return Fit(nearest, order, arc, float(weight @ dist2))


def _merged(points: Array, weight: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Different rows, in the order in which they come first, their weights, and which of them each row is.

    Equal rows at an end would make an end segment of no length, which is not prolonged.
    """
    _, first, member = np.unique(points, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    member = rank[member.reshape(-1)]
    return points[first[order]], np.bincount(member, weight).astype(np.float64), member.astype(np.int64)


def _circle(points: Array, weight: Array) -> Array:
    """An ellipse in the first two coordinates, as wide as the mean absolute deviations, and the mean in all others."""
    if points.shape[1] < 2:
        raise ValueError("a circle needs points of at least 2 coordinates: give another start")
    mean = np.average(points, axis=0, weights=weight)
    radii = np.average(np.abs(points[:, :2] - mean[:2]), axis=0, weights=weight)
    angle = np.deg2rad(np.arange(361.0))
    line = np.tile(mean, (len(angle), 1))
    line[:, :2] += radii * np.column_stack([np.sin(angle), np.cos(angle)])
    return line
