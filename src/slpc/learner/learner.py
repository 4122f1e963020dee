"""The learner: takes points, and attends to what they make due."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from slpc.kernels.cells import register, sort_along, weight_between
from slpc.kernels.ends import BEYOND, BUSY, calibrated_ends, lay_out, look_ahead
from slpc.kernels.lattice import ends_on_lattice
from slpc.kernels.moves import QUIET, local_moves
from slpc.kernels.stream import ENDS, EXPLORE, FULL, MOVE, take
from slpc.kernels.sweep import reach_from_an_end, turn_an_end
from slpc.kernels.tube import line_length
from slpc.learner.actions import (
    actions_of,
    move_to_lattice,
    rounded,
    rounded_curve,
    rounded_forecast,
    rounded_segment,
)
from slpc.learner.explore import explore
from slpc.learner.lines import TINIEST, distinct, principal_segment
from slpc.learner.room import make_room
from slpc.learner.scale import Scale, measure
from slpc.learner.settings import Settings
from slpc.learner.state import EAGER, State
from slpc.polyline import Array, Polyline

_EARLY = 512  # up to so many points, a point beyond an end is always worth a move
_LAZY = 0.02  # of the loss in a window's memory, so much is owed before it is looked at again
_PATIENCE = 2.0  # times as much, where a look found nothing worth while
_END_GROWTH = 0.05  # the ends are set anew when so much more has arrived beyond them
_MOVING_GROWTH = 0.25  # ... or so much, where the stream moves on: less than 0.2σ of its way
_END_SHARE = 1e-4  # ... but not before so many of all points have
_AHEAD = 6.0  # points that a moving end looks ahead
_LAG = 2.0  # σ by which the fitted line may end short of the held one
_LAG_OF_LENGTH = 0.005  # ... or this part of its length, if that is more
_PAUSE = 0.25  # σ that a moving stream goes on between two places of its trail
_BLOCK = 4096
_NEVER = 2**62
_NO_WEIGHTS = np.empty(0)


class Learner:
    """One curve, learnt from one stream. Works in its own units: data minus their first point, over 2^exponent."""

    def __init__(self, settings: Settings, d: int) -> None:
        self.settings = settings
        self.state = State.empty(d, settings.max_segments, settings.memory, settings.decay)

    @classmethod
    def from_curve(cls, settings: Settings, curve: Polyline, weight: float, noise: float) -> Learner:
        """A learner that begins with a curve, as if points of this weight, with this noise, had shown it."""
        if curve.n_segments > settings.max_segments:
            raise ValueError(f"the curve has {curve.n_segments} segments, max_segments is {settings.max_segments}")
        curve = rounded_curve(curve, settings)
        learner = cls(settings, curve.dim)
        s, head = learner.state, learner.head
        k, n_cells = curve.n_segments, settings.memory // 4
        s.origin[:] = curve.vertices[0]
        head["exponent"] = learner._exponent(curve.vertices - s.origin)
        learner._set_units()
        s.vertices[: k + 1] = learner._inwards(curve.vertices)
        s.far[0], s.far[1] = s.vertices[0], s.vertices[k]
        places = curve.length * (np.arange(n_cells) + 0.5) / n_cells
        s.means[:, :n_cells] = learner._inwards(curve.point_at(places)).T
        s.weight[:n_cells] = weight / n_cells
        head["k"], head["n_cells"], head["n"], head["waiting"], head["eager"] = k, n_cells, weight, 0, 0
        head["next_exploration"] = max(EAGER, int(weight))
        move_to_lattice(s, settings)
        # Cells on the curve show no noise; running means of the losses that it would cause do.
        m, sigma2 = float(head["m"]), (noise * learner._factor) ** 2
        head["sigma2"], head["mean_loss"], head["mean_loss2"] = sigma2, m * sigma2, (m * m + 2 * m) * sigma2**2
        head["radius2"] = 1e-300
        register(s.vertices, k, s.means, n_cells, s.segment)
        learner._settle(0, k, 1.0)
        learner._hold()
        return learner

    @property
    def state(self) -> State:
        """Everything it remembers."""
        return self._state

    @state.setter
    def state(self, s: State) -> None:
        self._state = s
        self.head = s.head[0]
        self.version = 0
        """Grows whenever the curve may have changed."""
        self._arguments = (
            s.head, s.rates, s.hits, s.trail, s.trail_weight, s.far, s.anchor, s.edge, s.norm2, s.inverse,
            s.means, s.rows, s.weight, s.scatter, s.segment, s.arc, s.first_at, s.owed, s.allowed,
        )  # fmt: skip
        self._row, self._one_loss = np.empty((1, len(s.origin))), np.empty(1)
        self._set_units()

    def _set_units(self) -> None:
        self._origin = self.state.origin.tolist()
        self._factor = math.ldexp(1.0, -int(self.head["exponent"]))

    def __getstate__(self) -> dict[str, Any]:
        # The cached arguments share memory with the state: make them anew instead of copying them.
        return {"settings": self.settings, "state": self.state}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.settings = content["settings"]
        self.state = content["state"]

    def retune(self, settings: Settings) -> None:
        """Take other parameters from the next point on; those that fix the size of the state must stay."""
        for name in ("max_segments", "memory", "warm_up"):
            old, new = getattr(self.settings, name), getattr(settings, name)
            if old != new:
                raise ValueError(
                    f"{name} is fixed once learning has begun: it was {old}, not {new}; use fit to start anew"
                )
        other_lattice = settings.spacing != self.settings.spacing
        if other_lattice:
            move_to_lattice(self.state, settings)
        self.settings = settings
        self.head["decay"] = settings.decay
        if other_lattice and not self.head["waiting"]:
            self._settle(0, int(self.head["k"]), 1.0)
            self._hold()

    # -- taking points ------------------------------------------------------------------------------------

    def learn(self, X: Array, weight: Array | None = None) -> Array:
        """Take points in order; return the loss of the curve held before each (NaN during the warm-up)."""
        losses = np.full(len(X), np.nan)
        begin = 0
        while self.head["waiting"] and begin < len(X):
            w = 1.0 if weight is None else float(weight[begin])
            if w > 0.0:
                self._warm_up(X[begin], w)
            begin += 1
        if begin == len(X):
            return losses
        back = math.ldexp(1.0, 2 * int(self.head["exponent"]))
        for first in range(begin, len(X), _BLOCK):  # small enough to stay in the cache
            block = slice(first, first + _BLOCK)
            self._take(self._inwards(X[block]), _NO_WEIGHTS if weight is None else weight[block], losses[block])
            losses[block] *= back
        return losses

    def learn_one(self, x: Sequence[float]) -> float:
        """Take one point of finite numbers; the same as `learn`, without the cost of making arrays."""
        if self.head["waiting"]:
            return float(self.learn(np.array([x], dtype=np.float64))[0])
        row, origin, factor = self._row[0], self._origin, self._factor
        for a, value in enumerate(x):
            row[a] = (value - origin[a]) * factor
        take(self._row, _NO_WEIGHTS, 0, *self._arguments, self._one_loss)
        event = self.head["event"]
        if event:
            self._attend(int(event), row)
        return float(self._one_loss[0]) / (factor * factor)

    def _take(self, points: Array, weight: Array, losses: Array) -> None:
        at = 0
        while at < len(points):
            at = take(points, weight, at, *self._arguments, losses)
            event = int(self.head["event"])
            if event:
                self._attend(event, points[at - 1])

    def _warm_up(self, x: Array, weight: float) -> None:
        """Collect the first points, in the data's units; points equal to the one before are one cell."""
        s, head = self.state, self.head
        if head["seen"] == 0:
            s.origin[:] = x
        head["seen"] += 1
        point = x - s.origin
        n = int(head["n_cells"])
        if n and np.abs(point - s.means[:, n - 1]).max() <= TINIEST:
            s.weight[n - 1] += weight
        else:
            s.means[:, n], s.weight[n] = point, weight
            n += 1
        head["n_cells"], head["n"] = n, head["n"] + weight
        if head["seen"] >= self.settings.warm_up and n >= 2:
            self._start()

    def _start(self) -> None:
        """The first principal component of the warm-up points becomes the curve."""
        s, head = self.state, self.head
        n = int(head["n_cells"])
        head["exponent"] = self._exponent(s.means[:, :n])
        s.means[:, :n] *= math.ldexp(1.0, -int(head["exponent"]))
        self._set_units()
        s.vertices[:2] = principal_segment(s.means[:, :n].T, s.weight[:n])
        head["k"], head["waiting"], head["next_exploration"] = 1, 0, head["seen"] + 1
        if self.settings.exploration is not None:
            self._plan_exploration()
        head["eager"] = max(EAGER, int(head["seen"]))
        s.segment[:n] = 0
        move_to_lattice(s, self.settings)
        self._begin_at_start()
        if self.settings.exploration is None:
            explore(s, self.settings, measure(s, self.settings))
            self._begin_at_start()
        head["sigma2"] = measure(s, self.settings).sigma2
        self._see_farthest(s.means[:, :n].T)
        self._hold()

    def _see_farthest(self, places: Array) -> None:
        """The places that lie farthest beyond each end are the farthest seen."""
        s, k = self.state, int(self.head["k"])
        for e, end in enumerate((s.vertices[0] - s.vertices[1], s.vertices[k] - s.vertices[k - 1])):
            s.far[e] = places[int(np.argmax(places @ end))]

    # -- attending ----------------------------------------------------------------------------------------

    def _attend(self, event: int, x: Array) -> None:
        """Do what the last point made due, and hold the curve that comes of it."""
        s, head = self.state, self.head
        if event & FULL:
            make_room(s, self.settings)
        if event & ENDS and (head["seen"] <= _EARLY or self._lags_behind()):
            event |= MOVE
        if event & (MOVE | EXPLORE):
            scale = measure(s, self.settings)
            if scale.actions is not None:
                head["grid"] = scale.actions.grid
            head["sigma2"], head["cap"], head["m"], head["outliers"] = scale.sigma2, scale.cap, scale.m, scale.outliers
            low, high, patience = self._move(int(head["last_segment"]), x, scale)
            if self._mend_ends(x, scale):
                low, high, patience = 0, int(head["k"]), self._patience_everywhere()
            if event & EXPLORE:
                explore(s, self.settings, scale)
                self._plan_exploration()
                self._begin_at_start()
                low, high, patience = 0, int(head["k"]), self._patience_everywhere()
            self._settle(low, high, patience)
        self._hold()

    def _lags_behind(self) -> bool:
        """Whether the stream has drawn an end of the held line well beyond that of the fitted one."""
        s, k = self.state, int(self.head["k"])
        gaps = s.held[[1, k + 1]] - s.vertices[[0, k]]
        gap = math.sqrt(float(np.square(gaps).sum(axis=1).max()))
        return gap > max(_LAG * math.sqrt(self.head["sigma2"]), _LAG_OF_LENGTH * self.length)

    def _begin_at_start(self) -> None:
        """Turn the curve round where its end is nearer to the point at which it is to begin."""
        if self.settings.start is None:
            return
        s, k = self.state, int(self.head["k"])
        start = self._inwards(np.array(self.settings.start))
        if np.linalg.norm(s.vertices[k] - start) < np.linalg.norm(s.vertices[0] - start):
            s.vertices[: k + 1] = s.vertices[k::-1].copy()
            n_cells = int(self.head["n_cells"])
            s.segment[:n_cells] = k - 1 - s.segment[:n_cells]
            for array in (s.owed[:k], s.allowed[:k], s.rates, s.far, s.hits[:2], s.hits[2:]):
                array[:] = array[::-1].copy()

    def _move(self, j: int, x: Array, scale: Scale) -> tuple[int, int, float]:
        """The best local change near segment j; the range of segments it touched, and for how long to leave them."""
        s, head = self.state, self.head
        before = int(head["k"])
        found = np.empty(6)
        head["k"] = k = local_moves(
            s.vertices, before, j, x, True, s.means, s.weight, s.segment, int(head["n_cells"]),
            self.settings.max_segments, scale.loss, scale.beyond, scale.crowd, float(head["unit"]), scale.cap,
            scale.pull, scale.rules, scale.actions, found,
        )  # fmt: skip
        high = int(found[3])
        if k > before:
            s.owed[high:k], s.allowed[high:k] = s.owed[high - 1 : k - 1].copy(), s.allowed[high - 1 : k - 1].copy()
        elif k < before:
            s.owed[high:k], s.allowed[high:k] = s.owed[high + 1 : k + 1].copy(), s.allowed[high + 1 : k + 1].copy()
        return int(found[2]), high, 1.0 if found[4] > QUIET else _PATIENCE

    def _mend_ends(self, x: Array, scale: Scale) -> bool:
        """The best change at an end that is far from segment j; whether there was one."""
        s, head = self.state, self.head
        k, n_cells = int(head["k"]), int(head["n_cells"])
        turned = bool(turn_an_end(s.vertices, k, s.segment, s.means, s.weight, n_cells, scale))
        head["k"] = reach_from_an_end(
            s.vertices, k, x, s.segment, s.means, s.weight, n_cells, self.settings.max_segments, scale
        )
        return turned or int(head["k"]) > k

    def _patience_everywhere(self) -> float:
        """The same for a whole line: its segments are settled together, but looked at one window at a time."""
        return 5.0 / max(int(self.head["k"]), 5)

    def _settle(self, low: int, high: int, patience: float) -> None:
        """Nothing is owed in the segments just looked at; allow them as much as their memory bears."""
        s, head = self.state, self.head
        held = weight_between(s.weight, s.segment, int(head["n_cells"]), low, high) / float(head["unit"])
        s.owed[low:high] = 0.0
        s.allowed[low:high] = _LAZY * patience * held * float(head["sigma2"]) * float(head["m"])

    def _plan_exploration(self) -> None:
        head = self.head
        seen = int(head["seen"])
        if self.settings.exploration is not None:
            # Rounds that explore with probability ε each: the next one comes after a geometric number of them.
            wait = _NEVER
            if self.settings.exploration > 0:
                wait = int(
                    np.random.default_rng([self.settings.random_state, seen]).geometric(self.settings.exploration)
                )
            head["next_exploration"] = seen + wait
            return
        later = math.ceil(seen * (1.1 if seen < EAGER else 1.5 if seen < 1000 else 2.0))
        if head["decay"] < 1.0:
            later = min(later, seen + max(EAGER, int(0.35 / (1.0 - float(head["decay"])))))
        head["next_exploration"] = max(later, seen + 1)

    def _hold(self) -> None:
        """Set the ends, look ahead, and lay the line out for the next points."""
        s, head = self.state, self.head
        self.version += 1
        k = int(head["k"])
        sigma = math.sqrt(float(head["sigma2"]))
        head["pause"] = _PAUSE * sigma * float(head["n"]) / max(self.length, 1e-300)
        density = calibrated_ends(
            s.vertices, k, s.means, s.weight, s.scatter, s.segment, int(head["n_cells"]), float(head["unit"]),
            float(head["n"]), sigma, float(head["cap"]), s.far, s.held,
        )  # fmt: skip
        growth = _END_GROWTH if s.rates.max() <= BUSY else _MOVING_GROWTH
        s.hits[:2] = 0.0
        s.hits[2:] = max(1.0, growth * BEYOND * density * sigma, _END_SHARE * float(head["n"]))
        look_ahead(
            s.held, k, sigma, float(head["m"]), float(head["n"]), s.rates, s.far, s.trail, s.trail_weight,
            int(head["newest"]), self.settings.lookahead, _AHEAD,
        )  # fmt: skip
        actions = actions_of(s, self.settings, float(head["sigma2"]))
        if actions is not None:
            ends_on_lattice(s.held, s.vertices, k, actions)
            if not self.settings.lookahead:
                s.held[0], s.held[k + 2] = s.held[1], s.held[k + 1]
        lay_out(s.held, k, s.anchor, s.edge, s.norm2, s.inverse)
        head["density"] = sort_along(
            s.anchor, s.edge, s.norm2, s.inverse, k, s.means, s.rows, s.weight, s.scatter, s.segment,
            int(head["n_cells"]), s.arc, s.first_at,
        )  # fmt: skip

    # -- what it has learnt -------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """Length of the fitted line, in the learner's units."""
        return float(line_length(self.state.vertices, int(self.head["k"])))

    def curve(self) -> Array:
        """Vertices of the curve, in the data's units; of the points so far, during the warm-up."""
        if self.head["waiting"]:
            return self._early_curve()
        return distinct(rounded(self._outwards(self.state.held[1 : int(self.head["k"]) + 2]), self.settings))

    def forecast(self) -> Array:
        """Vertices of the curve prolonged by its look-ahead, in the data's units."""
        if self.head["waiting"]:
            return self._early_curve()
        line = self._outwards(self.state.held[: int(self.head["k"]) + 3])
        return distinct(rounded_forecast(line, self.settings))

    def _early_curve(self) -> Array:
        """The principal component of the points so far; of equal points, a very short segment at their place."""
        s = self.state
        n = int(s.head[0]["n_cells"])
        ends = rounded_segment(principal_segment(s.means[:, :n].T, s.weight[:n]) + s.origin, self.settings)
        return distinct(ends)

    def _exponent(self, gaps: Array) -> int:
        """Of the unit: the power of two above these differences of points, and above the spacing of the lattice."""
        return math.frexp(max(float(np.abs(gaps).max()), self.settings.spacing or 0.0))[1]

    def _inwards(self, X: Array) -> Array:
        return (X - self.state.origin) * math.ldexp(1.0, -int(self.head["exponent"]))

    def _outwards(self, line: Array) -> Array:
        return np.asarray(line * math.ldexp(1.0, int(self.head["exponent"])) + self.state.origin)
