"""What a model pays on a stream: the loss of every point against the curve held just before it came, and the regret."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from slpc.evaluate.models import NoCurveError, curve_of, held_curve
from slpc.polyline import Array, as_points

_WARM_UP = 3  # as for slpc's own learner


@dataclass(frozen=True, eq=False, repr=False)
class Losses:
    """One number a round, NaN in rounds that are not scored, and their sums."""

    losses: Array
    """Of each round; of a regret, what was paid more than the oracle paid."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.total:.6g} in {self.n_scored} of {len(self.losses)} rounds>"

    @property
    def cumulative(self) -> Array:
        """Sum of the scored rounds up to each round, it included."""
        return np.asarray(np.cumsum(np.nan_to_num(self.losses)))

    @property
    def total(self) -> float:
        """Sum of all scored rounds."""
        return float(np.nansum(self.losses))

    @property
    def n_scored(self) -> int:
        """Number of scored rounds."""
        return int(np.isfinite(self.losses).sum())


@dataclass(frozen=True, eq=False, repr=False)
class Prequential(Losses):
    """What a model paid on a stream, and how long it took."""

    seconds: float
    """Wall time of learning and measuring."""


def prequential(model: Any, X: ArrayLike, *, warm_up: int | None = None, every: int = 1) -> Prequential:
    """Loss Δ(f_t, x_t) of every point against the curve held just before it came.

    Parameters
    ----------
    model : object
        It learns on from the state that it is in, and has learnt all of `X` afterwards. In this order:

        - `observe(x)` (the forecasters of `slpc.paper`): its own losses count;
        - `partial_fit(X)` (`slpc.SLPC`, and scikit-learn's MiniBatchKMeans or IncrementalPCA): if it leaves `losses_`,
          these count, else its curve is asked for before every point;
        - `learn_one(dict)` (`slpc.river.SLPC`, river's clusterers): likewise;
        - `fit(X)` (batch methods): fitted anew at every step to all points so far.
    X : array of shape (n, d)
        The stream, in its order.
    warm_up : int or None
        Points, learnt together, before the first that is scored. None: the model's own `warm_up`, else 3, and 0 for
        models with `observe`.
    every : int
        Points between two steps: a model is refitted, or takes points, so many at a time, and its curve stays the same
        for them. Not for models that tell their own losses.

    Returns
    -------
    Prequential
        `.losses` (NaN in the warm-up and as long as there is no curve), `.cumulative`, `.total`, `.seconds`.

    Examples
    --------
    >>> from slpc import SLPC, evaluate
    >>> from slpc.data import cubic, curve
    >>> X = cubic(seed=0)
    >>> paid = evaluate.prequential(SLPC(), X)
    >>> paid.n_scored
    97
    >>> bool(evaluate.regret(paid, X, curve("cubic")).total > 0)
    True

    """
    points = as_points(X, None)
    tells = hasattr(model, "observe")
    if warm_up is None:
        warm_up = 0 if tells else getattr(model, "warm_up", _WARM_UP)
    for name, value, least in (("warm_up", warm_up, 0), ("every", every, 1)):
        if not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    first = min(int(warm_up), len(points))
    start = time.perf_counter()
    losses = np.array([model.observe(x) for x in points]) if tells else _held_against(model, points, first, every)
    losses[:first] = np.nan
    return Prequential(losses, time.perf_counter() - start)


def regret(losses: Losses | ArrayLike, X: ArrayLike, oracle: Any) -> Losses:
    """What was paid more than by an oracle that holds one curve all the time, over the rounds that were scored.

    `losses` are those of `prequential`, or an array with one for each row of `X`; `oracle` is a Polyline, or a model
    that has learnt its curve from the whole stream.
    """
    paid = losses.losses if isinstance(losses, Losses) else np.asarray(losses, dtype=np.float64)
    points = as_points(X, None)
    if paid.shape != (len(points),):
        raise ValueError(f"losses must have one entry a row of X, {len(points)}, got shape {paid.shape}")
    return Losses(paid - curve_of(oracle, points).squared_distances(points))


def _held_against(model: Any, points: Array, first: int, every: int) -> Array:
    """Losses of the curve that the model has before each step; it learns `first` points beforehand."""
    learn = _way_to_learn(model, points)
    if first:
        learn(0, first)
    if hasattr(model, "partial_fit") and len(getattr(model, "losses_", ())) == first > 0:
        return _own_losses(model, points, first)
    losses = np.full(len(points), np.nan)
    for start in range(first, len(points), every):
        end = min(start + every, len(points))
        with suppress(NoCurveError):
            losses[start:end] = held_curve(model, points[:start]).squared_distances(points[start:end])
        learn(start, end)
    if first < len(points) and np.isnan(losses).all():
        curve_of(model, points)  # says what is missing, if anything is
    return losses


def _way_to_learn(model: Any, points: Array) -> Callable[[int, int], object]:
    """A function that makes the model learn the points from one number up to another."""
    if hasattr(model, "partial_fit"):
        return lambda start, end: model.partial_fit(points[start:end])
    if hasattr(model, "learn_one"):
        # Zeros in front, since features are sorted by name.
        digits = len(str(points.shape[1]))
        names = [f"x{j:0{digits}d}" for j in range(points.shape[1])]
        return lambda start, end: [
            model.learn_one(dict(zip(names, row, strict=True))) for row in points[start:end].tolist()
        ]
    if hasattr(model, "fit"):
        return lambda start, end: model.fit(points[:end])
    raise TypeError(f"{type(model).__name__} cannot learn: it needs observe, partial_fit, learn_one or fit")


def _own_losses(model: Any, points: Array, first: int) -> Array:
    before = np.array(model.losses_)
    if first == len(points):
        return before
    model.partial_fit(points[first:])
    return np.concatenate([before, model.losses_])
