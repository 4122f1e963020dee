"""Algorithm 3's choices and rewards where the class is far too large to enumerate.

Lines are rows of lattice coordinates. Their losses are computed from the stored data when they are looked at;
their perturbations are hashed, so that a line has the same one however often it is met in a round.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slpc.kernels.perturbation import hashed_exponentials
from slpc.kernels.projection import path_losses, squared_distances
from slpc.paper.actions import ActionClass
from slpc.paper.lattice import Coordinates, log_ball_volume
from slpc.paper.law import law_of_leader
from slpc.paper.partition import Local, local_part
from slpc.paper.penalties import Linear, Penalty, by_segments
from slpc.paper.rewards import Rewards
from slpc.paper.starts import binned_means, rounded
from slpc.polyline import Array, Polyline

_GRID_LIMIT = 200  # a local grid larger than this is searched in part
_DATA_CANDIDATES = 48
_CLIMBS = 8  # places at which an explored line is improved
_SWEEPS = 3


class Searched:
    """Stored data, and a search for the leader among the awake lines."""

    rewards: Rewards

    def __init__(self, actions: ActionClass, penalty: Penalty, random: np.random.Generator, max_local: int) -> None:
        self.actions = actions
        self.lattice = actions.lattice
        self.max_local = max_local
        self._penalty = by_segments(penalty, actions) if isinstance(penalty, str) else penalty
        self._random = random
        self._rewarded = np.empty((64, self.lattice.dim))
        self._n_rewarded = 0
        self._extra: dict[bytes, float] = {}  # estimated rewards beyond those of the rewarded data
        self._probability = 1.0
        self.held: Coordinates = np.empty((0, self.lattice.dim), dtype=np.int64)
        self._seed = 0
        self._met: dict[bytes, float] = {}

    @property
    def line(self) -> Polyline:
        """The line held now."""
        return Polyline(self.lattice.position(self.held))

    @property
    def data(self) -> Array:
        """The points whose reward every line was given."""
        return self._rewarded[: self._n_rewarded]

    def start(self, line: Coordinates) -> None:
        """Hold a given line."""
        self.held = line

    def lead(self, local: Local | Literal["all"] | None) -> None:
        """Hold the leader of U, or of a pool of lines where `local` is None."""
        assert local != "all"
        self._seed = int(self._random.integers(2**63))
        self._met = {}
        self.held = self._explore() if local is None else self._lead_local(self.held, local)
        if local is not None and not self.rewards.full:
            keys = list(self._met)
            law = law_of_leader(-self.rewards.eta * np.array([self._met[key] for key in keys]))
            self._probability = float(law[keys.index(self._key(self.held))])

    def learn(self, x: Array, explored: bool) -> float:
        """Add the round's estimated rewards; return the loss of the line held."""
        paid = float(self.line.squared_distances(x)[0])
        if explored or self.rewards.full:
            if self._n_rewarded == len(self._rewarded):
                self._rewarded = np.concatenate([self._rewarded, np.empty_like(self._rewarded)])
            self._rewarded[self._n_rewarded] = x[0]
            self._n_rewarded += 1
        else:
            # What all lines get alike changes no choice: keep the difference only.
            key = self._key(self.held)
            gain = self.rewards.chosen(paid, self._probability) - self.rewards.otherwise
            self._extra[key] = self._extra.get(key, 0.0) + gain
        return paid

    # -- exploitation: U(f) -------------------------------------------------------------------------------

    def _lead_local(self, line: Coordinates, local: Local) -> Coordinates:
        """The leader of U: all of it where it is small, else the best found one vertex at a time."""
        before, free, after = line[: local.low], line[local.low : local.high], line[local.high :]
        near = self._near(before, after, local)
        m0 = len(free)
        counts = [m for m in (m0 - 1, m0, m0 + 1) if m >= 0]
        size = np.exp(log_ball_volume(self.lattice.dim)) * (local.radius / self.lattice.spacing) ** self.lattice.dim
        grid = local.grid() if size <= 2 * _GRID_LIMIT else None
        if grid is not None and sum(float(len(grid)) ** m for m in counts) <= self.max_local:
            for m in counts:
                picks = np.stack(np.meshgrid(*[np.arange(len(grid))] * m, indexing="ij"), axis=-1) if m else None
                middles = np.empty((1, 0, self.lattice.dim), np.int64) if picks is None else grid[picks.reshape(-1, m)]
                near.offer(before, middles, after)
            return near.best_line
        candidates = grid if grid is not None and len(grid) <= _GRID_LIMIT else self._some_of_grid(local, free)
        near.offer(before, free[None], after)  # U contains f itself
        for _ in range(_SWEEPS):
            score = near.best_score
            middle = near.best_line[local.low : len(near.best_line) - len(after)]
            for j in range(len(middle) + 1):
                if j < len(middle):
                    near.offer(np.concatenate([before, middle[:j]]), candidates[:, None],
                               np.concatenate([middle[j + 1 :], after]))  # fmt: skip
                if len(middle) <= m0:
                    near.offer(np.concatenate([before, middle[:j]]), candidates[:, None],
                               np.concatenate([middle[j:], after]))  # fmt: skip
                if j < len(middle) and len(middle) >= m0:
                    near.offer(before, np.delete(middle, j, axis=0)[None], after)
            if near.best_score >= score:
                break
        return near.best_line

    def _some_of_grid(self, local: Local, free: Coordinates) -> Coordinates:
        """Points of a large local grid worth trying: near its data, and steps along the axes from `free`."""
        shown = local.data[np.unique(np.linspace(0, len(local.data) - 1, _DATA_CANDIDATES).astype(np.int64))]
        picks = [self.lattice.nearest(shown), self.lattice.nearest(local.centre)[None]]
        steps = 2 ** np.arange(int(np.log2(max(local.radius / self.lattice.spacing, 1.0))) + 1)
        axes = np.eye(self.lattice.dim, dtype=np.int64)
        moves = np.concatenate([s * axes for s in steps] + [-s * axes for s in steps])
        picks += [vertex + moves for vertex in free]
        some = np.unique(np.concatenate(picks), axis=0)
        return some[local.holds(some)]

    # -- exploration: a pool ------------------------------------------------------------------------------

    def _explore(self) -> Coordinates:
        """The best of the line held, curves through binned means, and what local search makes of the best."""
        nothing = self.held[:0]
        near = _Near(self, self.data, np.full(len(self.data), np.inf), 0.0)
        near.offer(nothing, self.held[None], nothing)
        for k in (1, 2, 3, 5, 8, 13, 20, 32):
            if k <= self.actions.p:
                line = rounded(binned_means(self.data, k), self.lattice)
                near.offer(nothing, line[None], nothing)
        line = near.best_line
        for i in self._random.integers(len(self.data), size=_CLIMBS):
            f = Polyline(self.lattice.position(line))
            local = local_part(f, self.data[i], self.data, self.lattice,
                               both_sides=self.actions.identify_reversals, max_free=None)  # fmt: skip
            line = self._lead_local(line, local)
        return line

    # -- scores -------------------------------------------------------------------------------------------

    def _near(self, before: Coordinates, after: Coordinates, local: Local) -> _Near:
        """The data that lines of U can bring nearer than the parts they share; the loss of the rest is fixed."""
        known = np.full(len(self.data), np.inf)
        for part in (before, after):
            squared_distances(self.lattice.position(part), self.data, known)
        reach = local.radius
        for joint in (before[-1:], after[:1]):
            if len(joint):
                reach = max(reach, float(np.linalg.norm(self.lattice.position(joint[0]) - local.centre)))
        gap = np.sqrt(np.square(self.data - local.centre).sum(axis=1)) - reach
        fixed = (gap > 0) & (gap * gap >= known)
        return _Near(self, self.data[~fixed], known[~fixed], float(known[fixed].sum()))

    def penalties(self, positions: Array) -> Array:
        """h(f) of lines (n, k + 1, d) with as many vertices."""
        k = positions.shape[1] - 1
        if isinstance(self._penalty, np.ndarray):
            return np.full(len(positions), self._penalty[k - 1])
        if isinstance(self._penalty, Linear):
            lengths = np.sqrt(np.square(np.diff(positions, axis=1)).sum(axis=2)).sum(axis=1)
            return np.asarray(self._penalty.per_segment * k + self._penalty.per_length * lengths)
        return np.array([float(self._penalty(Polyline(line))) for line in positions])

    def perturbations(self, lines: Coordinates) -> Array:
        """z_f of lines (n, k + 1, d) in this round."""
        z = np.empty(len(lines))
        hashed_exponentials(self._seed, self.canonical(lines), z)
        return z

    def canonical(self, lines: Coordinates) -> Coordinates:
        """One row for each line, the same for a line and its reverse where they are one action."""
        forward = lines.reshape(len(lines), -1)
        if not self.actions.identify_reversals:
            return forward
        backward = lines[:, ::-1].reshape(len(lines), -1)
        differs = forward != backward
        first = differs.argmax(axis=1)
        each = np.arange(len(lines))
        turn = forward[each, first] > backward[each, first]
        return np.where(turn[:, None], backward, forward)

    def _key(self, line: Coordinates) -> bytes:
        return bytes(self.canonical(line[None])[0].tobytes())

    def extra(self, lines: Coordinates, plain: Array) -> Array:
        """Estimated rewards of lines beyond those of the rewarded data; notes the lines as met in this round."""
        if self.rewards.full:
            return np.zeros(len(lines))
        keys = [row.tobytes() for row in self.canonical(lines)]
        extra = np.array([self._extra.get(key, 0.0) for key in keys])
        self._met.update(zip(keys, (plain - extra).tolist(), strict=True))
        return extra


class _Near:
    """Scores lines on the data they can matter to, and keeps the best."""

    def __init__(self, board: Searched, data: Array, known: Array, elsewhere: float) -> None:
        self.board = board
        self.data = np.ascontiguousarray(data)
        self.known = np.ascontiguousarray(known)
        self.elsewhere = elsewhere
        self.best_score = np.inf
        self.best_line: Coordinates = board.held

    def offer(self, before: Coordinates, middles: Coordinates, after: Coordinates) -> None:
        """Look at the lines before + middle + after that belong to the class, and keep the one that leads."""
        board = self.board
        n = len(middles)
        parts = [np.broadcast_to(before, (n, *before.shape)), middles, np.broadcast_to(after, (n, *after.shape))]
        lines = np.concatenate(parts, axis=1)
        if not (n and 2 <= lines.shape[1] <= board.actions.p + 1):
            return
        positions = board.lattice.position(lines)
        steps = np.sqrt(np.square(np.diff(positions, axis=1)).sum(axis=2))
        allowed = self._allowed(steps)
        if not allowed.any():
            return
        lines, positions = lines[allowed], positions[allowed]
        known = self.known.copy()
        for part in (before, after):
            squared_distances(board.lattice.position(part), self.data, known)
        path = positions[:, max(len(before) - 1, 0) : lines.shape[1] - max(len(after) - 1, 0)]
        losses = np.empty(len(lines))
        path_losses(np.ascontiguousarray(path), self.data, known, losses)
        plain = self.elsewhere + losses + board.penalties(positions) / board.rewards.eta
        plain -= board.extra(lines, plain)
        score = plain - board.perturbations(lines) / board.rewards.eta
        leader = int(np.argmin(score))
        if score[leader] < self.best_score:
            self.best_score, self.best_line = float(score[leader]), lines[leader]

    def _allowed(self, steps: Array) -> NDArray[np.bool_]:
        return np.asarray((steps.min(axis=1) > 0) & (steps.sum(axis=1) <= self.board.actions.longest))
