"""SLPC: the learner with the face of a scikit-learn estimator."""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from slpc import _checks as checks
from slpc.learner import Learner, Settings
from slpc.learner.merge import merge
from slpc.learner.persist import another_version, from_bytes, to_bytes, write_file
from slpc.learner.settings import number
from slpc.polyline import Array, Polyline

_BLOCK = 65_536  # rows between two steps of the progress bar


class SLPC(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A principal curve learnt from a stream, in one pass and bounded memory.

    Parameters
    ----------
    max_segments : int
        The paper's p, 1,000 at most.
    memory : int
        Cells that summarise the past.
    half_life : float or None
        A point counts half as much after so many further ones. None: never forget.
    lookahead : bool
        Hold a curve that is prolonged at its ends, `forecast_curve_`, where the next point may fall.
    length_penalty, segment_penalty : float
        Multiply the prices of length and of segments.
    exploration : float or None
        Probability that a point makes the learner look over the whole class, as in the paper's Algorithm 3. None: when
        the number of points has grown by a tenth, by half above 32, or doubled above 1,000.
    warm_up : int
        The paper's t₀: points before there is a curve.
    start : point or None
        The curve begins at its end nearer to this point. None: it keeps the direction in which the stream began.
    origin : "start" or "anchor"
        Where `transform` counts from: the beginning of the curve, or the place of the stream's first point, so that
        places do not jump when the curve grows at its beginning.
    temperature : float
        0: the curve of the least score is held. Above: the perturbed leader, as in the paper; every line has a random
        bonus z_f of mean 1, and counts as if it had lost 2 σ² · temperature · z_f less.
    spacing : float or None
        The paper's δ: the vertices of `curve_` lie on the lattice δℤᵈ, in the units of the data. None: anywhere. About
        the noise's σ costs little.
    random_state : int or None
        Seed of the exploring rounds and of the perturbations; without `exploration` and `temperature` nothing is drawn.
    verbose : int or bool
        Above 0 shows a progress bar.

    Attributes
    ----------
    curve_ : Polyline
        The summary of what has passed by.
    forecast_curve_ : Polyline
        What the learner holds against the next point: `curve_`, prolonged by the look-ahead.
    losses_ : array
        For each row of the last `partial_fit`, the squared distance to the curve held just before it came (NaN
        during the warm-up).
    cumulative_loss_ : float
        Their sum over the whole stream.
    n_samples_seen_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from slpc import SLPC
    >>> t = np.random.default_rng(0).uniform(0, 1, 2000)
    >>> noise = np.random.default_rng(1).normal(0, 0.02, (2000, 2))
    >>> model = SLPC().partial_fit(np.column_stack([t, abs(t - 0.5)]) + noise)
    >>> model.n_segments_
    2
    >>> bool(model.score(np.column_stack([t, abs(t - 0.5)])) > 0.99)
    True

    """

    learner_: Learner

    def __init__(
        self,
        *,
        max_segments: int = 64,
        memory: int = 512,
        half_life: float | None = None,
        lookahead: bool = True,
        length_penalty: float = 1.0,
        segment_penalty: float = 1.0,
        exploration: float | None = None,
        warm_up: int = 3,
        start: ArrayLike | None = None,
        origin: str = "start",
        temperature: float = 0.0,
        spacing: float | None = None,
        random_state: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_segments = max_segments
        self.memory = memory
        self.half_life = half_life
        self.lookahead = lookahead
        self.length_penalty = length_penalty
        self.segment_penalty = segment_penalty
        self.exploration = exploration
        self.warm_up = warm_up
        self.start = start
        self.origin = origin
        self.temperature = temperature
        self.spacing = spacing
        self.random_state = random_state
        self.verbose = verbose

    def _settings(self, d: int) -> Settings:
        checks.origin(self.origin)
        checks.verbose(self.verbose)
        return Settings(
            max_segments=self.max_segments,
            memory=self.memory,
            half_life=self.half_life,
            lookahead=self.lookahead,
            length_penalty=self.length_penalty,
            segment_penalty=self.segment_penalty,
            exploration=self.exploration,
            warm_up=self.warm_up,
            start=checks.start(self.start, d),
            temperature=self.temperature,
            spacing=self.spacing,
            random_state=0 if self.random_state is None else self.random_state,
        )

    # -- learning -----------------------------------------------------------------------------------------

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Forget everything, then learn the rows of `X` in order."""
        return self._learn(X, None, fresh=True)

    def partial_fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the rows of `X` in order, after all that came before. One row may be given as it is.

        A row of weight 2 counts like two points at the same place; one of weight 0 is only measured.
        """
        return self._learn(checks.as_table(X), sample_weight, fresh=not hasattr(self, "learner_"))

    def _learn(self, X: ArrayLike, sample_weight: ArrayLike | None, *, fresh: bool) -> Self:
        with checks.unchanged_if_refused(self):
            points = checks.rows(self, X, fresh=fresh)
            settings = self._settings(points.shape[1])
            past = 0.0 if fresh else float(self.learner_.head["n"])
            weight = None if sample_weight is None else checks.weights(sample_weight, len(points), past)
            if fresh:
                self.learner_ = Learner(settings, points.shape[1])
                self._cumulative_loss = 0.0
            else:
                self.learner_.retune(settings)
            self._losses = self._with_progress(points, weight) if self.verbose else self.learner_.learn(points, weight)
            self._cumulative_loss += float(np.nansum(self._losses))
        return self

    def _with_progress(self, points: Array, weight: Array | None) -> Array:
        from rich.progress import track

        starts = range(0, len(points), _BLOCK)
        losses = [
            self.learner_.learn(points[i : i + _BLOCK], None if weight is None else weight[i : i + _BLOCK])
            for i in track(starts, description="slpc")
        ]
        return np.concatenate(losses)

    @classmethod
    def from_curve(
        cls, curve: Polyline | ArrayLike, *, weight: float = 100.0, noise: float | None = None, **parameters: Any
    ) -> SLPC:
        """A model that begins with a curve (or its vertices), known from a map, say, and goes on from there.

        It is as if points of this `weight`, `noise` away from the curve in each direction across it (default: a
        hundredth of its length), had been seen. The more weight, the longer the curve stands against the stream.
        """
        if not isinstance(curve, Polyline):
            curve = Polyline(curve)
        weight = number("weight", weight, 1e-100, 1e15, "a positive number up to 1e15")
        if noise is not None:
            noise = number("noise", noise, 1e-150, 1e150, "a positive number up to 1e150, or None")
        model = cls(**parameters)
        spread = 0.01 * curve.length if noise is None else noise
        model.learner_ = Learner.from_curve(model._settings(curve.dim), curve, weight, spread)
        model.n_features_in_ = curve.dim
        model._losses = np.empty(0)
        model._cumulative_loss = 0.0
        return model

    def merge(self, other: SLPC) -> SLPC:
        """One model of what this one and `other` have seen, with this one's parameters and direction."""
        check_is_fitted(self, "learner_")
        check_is_fitted(other, "learner_")
        if self.n_features_in_ != other.n_features_in_:
            raise ValueError(f"cannot merge models of {self.n_features_in_} and {other.n_features_in_} features")
        names = [model.feature_names_in_ for model in (self, other) if hasattr(model, "feature_names_in_")]
        if not all(np.array_equal(names[0], others) for others in names):
            raise ValueError(
                f"cannot merge models of the features {names[0].tolist()} and {names[1].tolist()}: "
                "teach both the same, in the same order"
            )
        merged: SLPC = clone(self)
        merged.n_features_in_ = self.n_features_in_
        if names:
            merged.feature_names_in_ = names[0]
        merged.learner_ = merge(self.learner_, other.learner_)
        merged._losses = np.empty(0)
        merged._cumulative_loss = self.cumulative_loss_ + other.cumulative_loss_
        return merged

    # -- what it has learnt -------------------------------------------------------------------------------

    @property
    def curve_(self) -> Polyline:
        """The summary of what has passed by."""
        return Polyline(self._with_a_point().curve())

    @property
    def forecast_curve_(self) -> Polyline:
        """The curve held against the next point."""
        return Polyline(self._with_a_point().forecast())

    @property
    def vertices_(self) -> Array:
        """Vertices of `curve_`."""
        return self.curve_.vertices

    @property
    def n_segments_(self) -> int:
        """Number of segments of `curve_`."""
        return self.curve_.n_segments

    @property
    def n_samples_seen_(self) -> int:
        """Points learnt from."""
        return int(self._fitted().state.head[0]["seen"])

    @property
    def losses_(self) -> Array:
        """What each row of the last `partial_fit` cost the curve held just before it came."""
        self._fitted()
        return self._losses

    @property
    def cumulative_loss_(self) -> float:
        """Sum of all losses so far."""
        self._fitted()
        return self._cumulative_loss

    def _fitted(self) -> Learner:
        if not hasattr(self, "learner_"):
            raise NotFittedError("this SLPC has not learnt from any point yet: call fit or partial_fit first")
        return self.learner_

    def _with_a_point(self) -> Learner:
        learner = self._fitted()
        if learner.head["waiting"] and not learner.head["seen"]:
            raise NotFittedError("this SLPC has seen points of weight 0 only: call partial_fit with others first")
        return learner

    # -- using it -----------------------------------------------------------------------------------------

    def transform(self, X: ArrayLike, origin: str | None = None) -> Array:
        """Place of each row along the curve: arc length from `origin` (the parameter, unless given here)."""
        check_is_fitted(self, "learner_")
        points = checks.rows(self, X)
        curve = self.curve_
        return curve.project(points).arc_length[:, None] - self._zero(curve, origin)

    def inverse_transform(self, S: ArrayLike, origin: str | None = None) -> Array:
        """Points of the curve at these places."""
        check_is_fitted(self, "learner_")
        curve = self.curve_
        return curve.point_at(checks.places(S) + self._zero(curve, origin))

    def _zero(self, curve: Polyline, origin: str | None) -> float:
        wanted = checks.origin(self.origin if origin is None else origin)
        return 0.0 if wanted == "start" else float(curve.project(self.learner_.state.origin).arc_length[0])

    def score_samples(self, X: ArrayLike) -> Array:
        """Minus the squared distance of each row to the curve."""
        check_is_fitted(self, "learner_")
        points = checks.rows(self, X)
        return -self.curve_.squared_distances(points)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """R²: the part of the variance of `X` that the curve accounts for."""
        check_is_fitted(self, "learner_")
        points = checks.rows(self, X)
        losses = self.curve_.squared_distances(points)
        total = float(np.square(points - points.mean(axis=0)).sum())
        return 1.0 - float(losses.sum()) / total if total > 0 else float(losses.sum() == 0)

    @property
    def _n_features_out(self) -> int:
        return 1

    # -- keeping it ---------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file that `slpc.load` reads: data only, whole or not at all."""
        parameters = self.get_params()
        if self.start is not None:
            parameters["start"] = np.asarray(self.start, dtype=np.float64).tolist()
        extra: dict[str, Any] = {"parameters": parameters, "output": getattr(self, "_sklearn_output_config", {})}
        if hasattr(self, "learner_"):
            extra["cumulative_loss"] = self.cumulative_loss_
            if hasattr(self, "feature_names_in_"):
                extra["feature_names"] = [str(name) for name in self.feature_names_in_]
        write_file(path, to_bytes(getattr(self, "learner_", None), extra))


def load(path: str | os.PathLike[str]) -> SLPC:
    """Read a model that `SLPC.save` wrote. It goes on learning bit for bit as if it had never been saved."""
    with open(path, "rb") as file:
        data = file.read()
    learner, extra = from_bytes(data, source=str(path))
    try:
        model: SLPC = SLPC(**extra["parameters"]).set_output(**extra["output"])
        if learner is not None:
            model.learner_ = learner
            model.n_features_in_ = len(learner.state.origin)
            model._losses = np.empty(0)
            model._cumulative_loss = float(extra["cumulative_loss"])
            if "feature_names" in extra:
                model.feature_names_in_ = np.array(extra["feature_names"], dtype=object)
    except (KeyError, TypeError, ValueError) as error:
        raise another_version(str(path), error) from error
    return model
