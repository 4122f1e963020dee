"""The penalty h(f): the price of an action's complexity.

Every regret bound asks for Σ_f exp(-h(f)) <= 1/e, which the three penalties named here meet.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from slpc.paper.actions import ActionClass
from slpc.paper.constants import Constants
from slpc.paper.counting import log_count_bound
from slpc.polyline import Array, Polyline

Penalty = str | Callable[[Polyline], float]
"""``"paper"``, ``"tight"``, ``"chernoff"``, or a function of the polygonal line."""

NAMES = ("paper", "tight", "chernoff")


@dataclass(frozen=True)
class Linear:
    """h(f) = `per_segment` · K(f) + `per_length` · length(f): a penalty to scale by hand."""

    per_segment: float
    per_length: float = 0.0

    def __call__(self, f: Polyline) -> float:
        """The penalty of one line."""
        return self.per_segment * f.n_segments + self.per_length * f.length


def constants_of(actions: ActionClass, loss_bound: float | None = None) -> Constants:
    """The paper's constants for a class; where L is infinite, with the greatest length that a line can have."""
    longest = min(actions.L, 2 * actions.lattice.ball_radius * actions.p)
    return Constants.of(actions.lattice, p=actions.p, L=longest, loss_bound=loss_bound)


def by_segments(penalty: str, actions: ActionClass) -> Array:
    """A named penalty of lines of 1, …, p segments.

    ``"paper"`` is c₁ k + c₂ L + c₃; ``"tight"`` is ln(p e) + ln N_k, the least that meets the condition with a
    value for each k; ``"chernoff"`` puts an upper bound of N_k in its place that needs no counting.
    """
    ks = range(1, actions.p + 1)
    if penalty == "paper":
        constants = constants_of(actions)
        return np.array([constants.penalty(k) for k in ks])
    share = math.log(actions.p * math.e)
    if penalty == "tight":
        return np.array([share + math.log(max(n, 1)) for n in actions.count_by_segments()])
    if penalty == "chernoff":
        # Below 0 the bound says that there are no such lines: their penalty is never asked for.
        return np.array([share + max(log_count_bound(actions.lattice, k, actions.longest), 0.0) for k in ks])
    raise ValueError(f"unknown penalty {penalty!r}: choose one of {', '.join(NAMES)} or give a function")


def penalties(penalty: Penalty, actions: ActionClass) -> tuple[Array, float]:
    """h(f) of every action of an enumerated class, and H, the largest penalty the bounds reckon with.

    A function is called once for every action, with its Polyline.
    """
    if callable(penalty):
        h = np.array([float(penalty(actions[i])) for i in range(len(actions))])
        if np.isnan(h).any() or (h < 0).any():
            worst = int(np.flatnonzero(~(h >= 0))[0])
            raise ValueError(f"a penalty must be at least 0: action {worst} ({actions[worst]!r}) has {h[worst]}")
        return h, float(h.max())
    values = by_segments(penalty, actions)
    h = values[actions.segments.astype(np.int64) - 1]
    return h, float(values[-1] if penalty == "paper" else h.max())
