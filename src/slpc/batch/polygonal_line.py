"""The polygonal line algorithm of Kégl, Krzyżak, Linder and Zeger (2000), "Learning and Design of Principal Curves"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.batch.base import CurveEstimator, principal_axis
from slpc.kernels.polygon import optimise, summarise
from slpc.kernels.sections import project_on_long
from slpc.polyline import Array, Polyline


class Grown(NamedTuple):
    """The line with k segments, fitted."""

    line: Array
    """Its vertices, (k + 1, d)."""
    delta: float
    """Δₙ, the mean squared distance of the points."""
    rounds: int
    """Rounds of projection and optimisation that it took."""


class PolygonalLine(CurveEstimator):
    """A principal curve that grows vertex by vertex.

    It begins as the part of the first principal component that the points project to. In turns, the points are assigned
    to their nearest vertices and segments, and the vertices are moved to lower the mean squared distance plus a penalty
    for sharp angles; then a vertex is added in the middle of the segment with most points, of several the longest.

    Parameters
    ----------
    curvature_penalty : float
        The paper's λ': the penalty weighs λ' k n^(-1/3) √Δₙ / r.
    growth : float
        The paper's β: the line is complete when it has more than β n^(1/3) r / √Δₙ segments.
    max_segments : int or None
        No more segments than these. None: half as many as there are points.
    thresh : float
        A line of k segments is fitted when what is minimised changes by less than this part. The paper leaves it open.
    max_iter : int
        Most rounds of projection and optimisation for each k.

    Attributes
    ----------
    curve_ : Polyline
        The line.
    distance_ : float
        Sum of squared distances of the training points, each times its weight.
    n_iter_ : int
        Rounds of projection and optimisation, in all.

    Examples
    --------
    >>> import numpy as np
    >>> from slpc.batch import PolygonalLine
    >>> angle = np.linspace(0, np.pi, 100)
    >>> model = PolygonalLine(max_segments=8).fit(np.column_stack([np.cos(angle), np.sin(angle)]))
    >>> model.curve_.n_segments, model.score(np.column_stack([np.cos(angle), np.sin(angle)])) > 0.99
    (8, True)

    """

    def __init__(
        self,
        *,
        curvature_penalty: float = 0.13,
        growth: float = 0.3,
        max_segments: int | None = None,
        thresh: float = 0.001,
        max_iter: int = 100,
    ) -> None:
        self.curvature_penalty = curvature_penalty
        self.growth = growth
        self.max_segments = max_segments
        self.thresh = thresh
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the line to the rows of `X`; one of weight 2 counts like two equal ones."""
        self._check_parameters()
        points, weight = self._training(X, sample_weight)
        points, weight = points[weight > 0], weight[weight > 0]
        n, r = float(weight.sum()), radius(points, weight)
        most = max(1, int(n) // 2) if self.max_segments is None else self.max_segments
        self.n_iter_ = 0
        for grown in growing(points, weight, self.curvature_penalty, self.thresh, self.max_iter):
            self.n_iter_ += grown.rounds
            k = len(grown.line) - 1
            if k >= most or k * np.sqrt(grown.delta) > self.growth * n ** (1 / 3) * r:
                break
        self.curve_ = Polyline(grown.line)
        self.distance_ = grown.delta * n
        return self

    def _check_parameters(self) -> None:
        for name in ("curvature_penalty", "growth", "thresh"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
        if self.max_segments is not None and self.max_segments < 1:
            raise ValueError(f"max_segments must be at least 1, got {self.max_segments!r}")
        if self.max_iter < 1:
            raise ValueError(f"max_iter must be at least 1, got {self.max_iter!r}")


def growing(points: Array, weight: Array, penalty: float, thresh: float, max_iter: int) -> Iterator[Grown]:
    """Fitted lines of 1, 2, 3, … segments, each grown from the one before.

    Ends where the points lie on the line but for rounding, or where no segment has a point to itself.
    """
    r = radius(points, weight)
    mean, direction, places = principal_axis(points, weight)
    line = mean + np.outer([places.min(), places.max()], direction)
    while True:
        line, delta, codes, rounds = _fitted(line, points, weight, penalty, r, thresh, max_iter)
        yield Grown(np.array(line), delta, rounds)
        if delta <= (1e-12 * r) ** 2:
            return
        held = np.bincount(codes, weight, 2 * len(line) - 1)[1::2]
        if held.max() == 0.0:
            return
        lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
        split = max(np.flatnonzero(held == held.max()), key=lambda s: lengths[s])
        line = np.insert(line, split + 1, 0.5 * (line[split] + line[split + 1]), axis=0)


def _fitted(
    line: Array, points: Array, weight: Array, penalty: float, r: float, thresh: float, max_iter: int
) -> tuple[Array, float, NDArray[np.int64], int]:
    """Projection and vertex optimisation in turns: the line, Δₙ, the Voronoi sets of the points, rounds."""
    k, d = len(line) - 1, points.shape[1]
    n = float(weight.sum())
    mass, mean, scatter = np.empty(2 * k + 1), np.empty((2 * k + 1, d)), np.empty((2 * k + 1, d, d))
    codes, delta = _voronoi(line, points, weight)
    best, best_delta, best_codes = line, delta, codes
    least = goal = np.inf
    for done in range(1, max_iter + 1):  # noqa: B007 - used after the loop
        price = penalty * k * n ** (-1 / 3) * np.sqrt(delta) / r / (k + 1)
        before, goal = goal, delta + price * _penalties(line, r)
        if goal < least:
            least, best, best_delta, best_codes = goal, line, delta, codes
        if before - goal <= thresh * goal:
            break
        summarise(points, weight, codes, mass, mean, scatter)
        line = np.array(line)
        optimise(line, mass, mean, scatter, price, r * r, 20, thresh)
        codes, delta = _voronoi(line, points, weight)
    return best, best_delta, best_codes, done


def _voronoi(line: Array, points: Array, weight: Array) -> tuple[NDArray[np.int64], float]:
    """The Voronoi set of each point, and Δₙ."""
    carrier, tau, dist2 = np.empty(len(points), np.int64), np.empty(len(points)), np.empty(len(points))
    project_on_long(line, points, carrier, tau, dist2)
    # The first line ends where the outermost points fall: rounding must not say which side of its end that is.
    codes = np.where(tau <= 1e-9, 2 * carrier, np.where(tau >= 1 - 1e-9, 2 * carrier + 2, 2 * carrier + 1))
    return codes, float(weight @ dist2) / float(weight.sum())


def _penalties(line: Array, r: float) -> float:
    """Sum of the penalties of all vertices: r² (1 + cos γ), and at the ends the squared length of the segment."""
    edges = np.diff(line, axis=0)
    lengths = np.linalg.norm(edges, axis=1)
    cos = -(edges[:-1] * edges[1:]).sum(axis=1) / (lengths[:-1] * lengths[1:])
    return float(r * r * (1.0 + cos).sum() + lengths[0] ** 2 + lengths[-1] ** 2)


def radius(points: Array, weight: Array) -> float:
    """The paper's r: the greatest distance of a point from the mean."""
    return float(np.linalg.norm(points - np.average(points, axis=0, weights=weight), axis=1).max())
