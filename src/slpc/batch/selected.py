"""Biau and Fischer (2012), "Parameter selection for principal curves": how many segments, and how long."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from slpc.batch.base import CurveEstimator
from slpc.batch.polygonal_line import growing, radius
from slpc.polyline import Array, Polyline


class SelectedPolygonalLine(CurveEstimator):
    """A polygonal line whose number of segments k and length ℓ are chosen by a penalised criterion.

    crit(k, ℓ) = Δₙ(f_{k,ℓ}) + pen(k, ℓ) with pen(k, ℓ) = c₀ g(k/n) + c₁ ℓ/n, where g is the square root in the paper's
    bound. The paper leaves to the reader, and is done here, as follows.

    - Its f_{k,ℓ} minimises Δₙ over all lines on a lattice with k segments and a length of at most ℓ, which nobody can
      compute. The candidates are lines of the polygonal line algorithm instead, of 1, 2, … segments, for several
      weights of its penalty for angles: the less it weighs, the longer the line.
    - The constants of its bound are too large to be of use. They are calibrated by the slope heuristic: on rich models
      Δₙ falls by the least penalty that keeps from overfitting, and twice that is right. c₀ and c₁ are twice the slopes
      (at least 0) of the least-squares plane of Δₙ over g(k/n) and ℓ/n, on the candidates of more than `rich` times
      the most segments.
    - k and ℓ grow together, and the plane gives to ℓ what belongs to k: lines come out too short. By default c₁ is 0
      and the slope is that over g(k/n) alone; ℓ is then chosen among the candidates, but not charged for.
    - With its root the heuristic has no straight line to find: fitting k segments to noise gains in proportion to k.
      The default is g(u) = u.
    - The term in √(1/n) is the same for all candidates, and the weights w_{k,ℓ} of the models are taken as equal.

    Parameters
    ----------
    max_segments : int or None
        The most segments of a candidate. None: 40, or a third of the points when there are fewer than 120.
    curvature_penalties : sequence of float
        Weights λ' of the polygonal line algorithm's penalty for angles. It keeps many segments from following the
        noise, so that many are cheap; with 0 alone few are chosen: two for a corner, but rough ones for a smooth curve.
    shape : "linear" or "root"
        g(u) = u or √u.
    charge_length : bool
        Whether ℓ has a price, c₁.
    rich : float
        See above; from 0 to below 1.

    Attributes
    ----------
    curve_ : Polyline
        The candidate of the least criterion.
    distance_ : float
        Sum of squared distances of the training points, each times its weight.
    constants_ : array of shape (2,)
        c₀ and c₁.
    candidates_ : array of shape (m, 5)
        λ', k, ℓ, Δₙ and the criterion of each candidate.

    Examples
    --------
    >>> import numpy as np
    >>> from slpc.batch import SelectedPolygonalLine
    >>> random = np.random.default_rng(0)
    >>> x = random.uniform(-1, 1, 300)
    >>> X = np.column_stack([x, np.abs(x)]) + 0.02 * random.normal(size=(300, 2))
    >>> SelectedPolygonalLine(curvature_penalties=[0.0]).fit(X).curve_.n_segments
    2

    """

    def __init__(
        self,
        *,
        max_segments: int | None = None,
        curvature_penalties: Sequence[float] = (0.03, 0.13, 0.5),
        shape: str = "linear",
        charge_length: bool = False,
        rich: float = 0.5,
    ) -> None:
        self.max_segments = max_segments
        self.curvature_penalties = curvature_penalties
        self.shape = shape
        self.charge_length = charge_length
        self.rich = rich

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the candidates to the rows of `X` and choose one; a row of weight 2 counts like two equal ones."""
        self._check_parameters()
        points, weight = self._training(X, sample_weight)
        points, weight = points[weight > 0], weight[weight > 0]
        n = float(weight.sum())
        most = max(1, min(40, int(n) // 3)) if self.max_segments is None else self.max_segments
        lines, rows = [], []
        for penalty in self.curvature_penalties:
            for grown in islice(growing(points, weight, penalty, 0.001, 100), most):
                lines.append(Polyline(grown.line))
                rows.append((penalty, lines[-1].n_segments, lines[-1].length, grown.delta))
        table = np.array(rows)
        slopes, price = self._calibrated(table, n, radius(points, weight))
        criterion = table[:, 3] + price
        best = int(np.argmin(criterion))
        self.constants_ = 2.0 * slopes
        self.candidates_ = np.column_stack([table, criterion])
        self.curve_ = lines[best]
        self.distance_ = float(table[best, 3]) * n
        return self

    def _calibrated(self, table: Array, n: float, r: float) -> tuple[Array, Array]:
        """Slopes of Δₙ over g(k/n) and ℓ/n among the rich candidates, and the penalties of all candidates."""
        k, length, delta = table[:, 1], table[:, 2], table[:, 3]
        features = np.column_stack([k / n if self.shape == "linear" else np.sqrt(k / n), length / n])
        rich = k > self.rich * k.max()
        if not self.charge_length:
            features[:, 1] = 0.0
        # Scaled so that nnls meets numbers of one size, whatever the units.
        scale, unit = np.array([1.0, r]), max(float(delta.max()), np.finfo(float).tiny)
        falling = -(features[rich] - features[rich].mean(axis=0)) / scale
        slopes = nnls(falling, (delta[rich] - delta[rich].mean()) / unit)[0] * unit / scale
        return slopes, 2.0 * features @ slopes

    def _check_parameters(self) -> None:
        if self.shape not in ("linear", "root"):
            raise ValueError(f'shape must be "linear" or "root", got {self.shape!r}')
        if not 0 <= self.rich < 1:
            raise ValueError(f"rich must be a number from 0 to below 1, got {self.rich!r}")
        if self.max_segments is not None and self.max_segments < 1:
            raise ValueError(f"max_segments must be at least 1, got {self.max_segments!r}")
        penalties = np.asarray(self.curvature_penalties, dtype=np.float64)
        if penalties.ndim != 1 or not len(penalties) or not (np.isfinite(penalties).all() and (penalties >= 0).all()):
            raise ValueError(
                f"curvature_penalties must be one or more numbers of at least 0, got {self.curvature_penalties!r}"
            )
