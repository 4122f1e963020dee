"""SLPC with the face of a river transformer: one dictionary at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from slpc.learner import Learner, Settings
from slpc.polyline import Polyline

try:
    from river import base
except ImportError:
    raise ImportError("slpc.river needs river: pip install 'slpc[river]'") from None

if TYPE_CHECKING:
    import pandas as pd

_ARC_LENGTH = "arc_length"


class SLPC(base.MiniBatchTransformer):
    """A principal curve learnt one observation at a time.

    The features of the first observation are the coordinates. Later ones that lack a feature are taken to have its mean
    so far there; features that appear later are left out.

    Parameters
    ----------
    max_segments, memory, half_life, lookahead, length_penalty, segment_penalty, exploration, warm_up
        As in `slpc.SLPC`.
    seed : int or None
        `random_state` of `slpc.SLPC`.
    temperature, spacing
        As in `slpc.SLPC`. Its `start`, `origin` and `verbose` have no counterpart here: the curve keeps the direction
        in which the stream began, and places are counted from its beginning.

    Examples
    --------
    >>> from slpc.river import SLPC
    >>> model = SLPC()
    >>> for i in range(200):
    ...     model.learn_one({"x": i % 50, "y": 2 * (i % 50)})
    >>> round(model.transform_one({"x": 10, "y": 20})["arc_length"] / 5**0.5, 6)
    10.0

    """

    def __init__(
        self,
        max_segments: int = 64,
        memory: int = 512,
        half_life: float | None = None,
        lookahead: bool = True,
        length_penalty: float = 1.0,
        segment_penalty: float = 1.0,
        exploration: float | None = None,
        warm_up: int = 3,
        seed: int | None = None,
        *,
        temperature: float = 0.0,
        spacing: float | None = None,
    ) -> None:
        self.max_segments = max_segments
        self.memory = memory
        self.half_life = half_life
        self.lookahead = lookahead
        self.length_penalty = length_penalty
        self.segment_penalty = segment_penalty
        self.exploration = exploration
        self.warm_up = warm_up
        self.seed = seed
        self.temperature = temperature
        self.spacing = spacing
        self._settings = Settings(
            max_segments=max_segments,
            memory=memory,
            half_life=half_life,
            lookahead=lookahead,
            length_penalty=length_penalty,
            segment_penalty=segment_penalty,
            exploration=exploration,
            warm_up=warm_up,
            random_state=0 if seed is None else seed,
            temperature=temperature,
            spacing=spacing,
        )
        self._features: list[Any] = []
        self._means: list[float] = []
        self._count = 0
        self._learner: Learner | None = None
        self._curve: tuple[tuple[int, int], Polyline] | None = None

    def learn_one(self, x: dict[Any, Any]) -> None:
        """Learn from one observation; NaN, infinity and text are refused."""
        learner = self._learner
        if learner is None:
            if not x:
                return
            learner = self._begin(x)
        try:
            values = [x[name] + 0.0 for name in self._features]  # not all that compares with numbers adds to them
            for value in values:
                if not -1e150 < value < 1e150:
                    raise ValueError
        except (KeyError, OverflowError, TypeError, ValueError):
            values = self._values(x)
        learner.learn_one(values)
        self._count += 1
        step = 1.0 / self._count
        means = self._means
        for i, value in enumerate(values):
            means[i] += step * (value - means[i])

    def _begin(self, x: dict[Any, Any]) -> Learner:
        """Take the features of the first observation as the coordinates, if it can be learnt."""
        features = sorted(x, key=str)
        means = [0.0] * len(features)
        _numbers(x, features, means)
        self._features, self._means = features, means
        self._learner = Learner(self._settings, len(features))
        return self._learner

    def _values(self, x: dict[Any, Any]) -> list[float]:
        """The coordinates of an observation, the mean where one is missing."""
        return _numbers(x, self._features, self._means)

    def transform_one(self, x: dict[Any, Any]) -> dict[Any, Any]:
        """Place along the curve, {"arc_length": …}; 0 before anything was learnt."""
        if self._learner is None:
            return {_ARC_LENGTH: 0.0}
        return {_ARC_LENGTH: float(self.curve.project(self._values(x)).arc_length[0])}

    def score_one(self, x: dict[Any, Any]) -> float:
        """Squared distance to the curve: large for an outlier; 0 before anything was learnt."""
        if self._learner is None:
            return 0.0
        return float(self.curve.squared_distances(self._values(x))[0])

    def learn_many(self, X: pd.DataFrame) -> None:
        """Learn from the rows of a DataFrame, in order, or from none of them; the same as one by one."""
        rows = X.to_dict(orient="records")
        features = self._features or list(X.columns)
        means = self._means or [0.0] * len(features)
        for i, row in enumerate(rows):
            try:
                _numbers(row, features, means)
            except ValueError as error:
                raise ValueError(f"row {i}: {error}") from None
        for row in rows:
            self.learn_one(row)

    def transform_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Places of the rows along the curve, in a column "arc_length"."""
        import pandas as pd

        if self._learner is None or not len(X):
            places = np.zeros(len(X))
        else:
            places = self.curve.project([self._values(row) for row in X.to_dict(orient="records")]).arc_length
        return pd.DataFrame({_ARC_LENGTH: places}, index=X.index)

    @property
    def curve(self) -> Polyline:
        """The summary of what has passed by."""
        if self._learner is None:
            raise AttributeError("nothing has been learnt yet: call learn_one first")
        # During the warm-up the curve changes with every point, later with the learner's version.
        now = (self._learner.version, self._count if self._learner.head["waiting"] else -1)
        if self._curve is None or self._curve[0] != now:
            self._curve = now, Polyline(self._learner.curve())
        return self._curve[1]

    @property
    def forecast_curve(self) -> Polyline:
        """What is held against the next observation: `curve`, prolonged by the look-ahead."""
        if self._learner is None:
            raise AttributeError("nothing has been learnt yet: call learn_one first")
        line = self._learner.forecast()
        return Polyline(line[np.r_[True, (np.diff(line, axis=0) != 0).any(axis=1)]])

    @property
    def n_samples_seen(self) -> int:
        """Observations learnt from."""
        return self._count


def _numbers(x: dict[Any, Any], features: list[Any], means: list[float]) -> list[float]:
    """These features of an observation, the mean where one is missing; ValueError for what is no number."""
    values = []
    for name, mean in zip(features, means, strict=True):
        value = x.get(name, mean)
        try:
            number = math.nan if isinstance(value, np.datetime64) else float(value)
        except (OverflowError, TypeError, ValueError):
            number = math.nan
        if not -1e150 < number < 1e150:
            raise ValueError(f"feature {name!r} must be a finite number below 1e150, got {value!r}")
        values.append(number)
    return values
