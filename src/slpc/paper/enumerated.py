"""Algorithm 3's choices and rewards where every action has a number."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slpc.kernels.actions import mark_local
from slpc.paper.actions import ActionClass
from slpc.paper.lattice import Coordinates
from slpc.paper.law import law_of_leader
from slpc.paper.partition import Local, in_ball
from slpc.paper.penalties import Penalty, penalties
from slpc.paper.rewards import Rewards
from slpc.polyline import Array, Polyline


class Enumerated:
    """Estimated cumulative rewards of all actions of a class, and the leader among the awake ones."""

    rewards: Rewards

    def __init__(self, actions: ActionClass, penalty: Penalty, random: np.random.Generator) -> None:
        self.actions = actions
        self.h, self.H = penalties(penalty, actions)
        self._random = random
        self.estimated = np.zeros(len(actions))
        """Ĝ: the sum of r̂_{f,s} over the rounds so far."""
        self.held = 0
        self._probability = 1.0
        self._losses = np.empty(len(actions))

    @property
    def line(self) -> Polyline:
        """The line held now."""
        return self.actions[self.held]

    def start(self, line: Coordinates) -> None:
        """Hold a given line."""
        self.held = self.actions.index(self.actions.lattice.position(line))

    def awake(self, local: Local | Literal["all"]) -> NDArray[np.int64]:
        """Numbers of the actions in U."""
        if local == "all":
            return np.arange(len(self.actions))
        awake = np.zeros(len(self.actions), dtype=np.bool_)
        lattice = self.actions.lattice
        in_grid = in_ball(lattice.points, local.centre, local.radius)
        row = self.actions.row(self.held)
        for rows, start in zip(self.actions.blocks, self.actions.starts, strict=False):
            mark_local(
                rows, row, local.low, local.high, in_grid, self.actions.identify_reversals,
                awake[start : start + len(rows)],
            )  # fmt: skip
        return np.flatnonzero(awake)

    def law(self, local: Local | Literal["all"]) -> Array:
        """Probability of every action to lead U."""
        awake = self.awake(local)
        law = np.zeros(len(self.actions))
        law[awake] = law_of_leader(self._scores(awake))
        return law

    def _scores(self, awake: NDArray[np.int64] | slice) -> Array:
        return self.rewards.eta * self.estimated[awake] - self.h[awake]

    def lead(self, local: Local | Literal["all"] | None) -> None:
        """Hold the leader of U, or of the whole class where `local` is None."""
        whole = local is None or local == "all"
        awake = slice(None) if local is None or local == "all" else self.awake(local)
        scores = self._scores(awake)
        leader = int(np.argmax(scores + self._random.exponential(size=len(scores))))
        if local is not None and not self.rewards.full:
            self._probability = float(law_of_leader(scores)[leader])
        self.held = leader if whole else int(np.arange(len(self.actions))[awake][leader])

    def learn(self, x: Array, explored: bool) -> float:
        """Add the round's estimated rewards; return the loss of the line held."""
        losses = self.actions.losses(x, out=self._losses)
        paid = float(losses[self.held])
        if explored or self.rewards.full:
            self.estimated += self.rewards.c0
            self.estimated -= losses
        else:
            self.estimated += self.rewards.otherwise
            self.estimated[self.held] += self.rewards.chosen(paid, self._probability) - self.rewards.otherwise
        return paid
