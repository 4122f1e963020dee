"""Algorithms 1 and 2: follow the perturbed leader over the whole class of actions."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slpc.kernels.actions import perturbed_leader
from slpc.paper.actions import ActionClass
from slpc.paper.law import law_of_leader
from slpc.paper.penalties import Penalty, constants_of, penalties
from slpc.polyline import Array, Polyline, as_points


class PerturbedLeader:
    """The paper's Algorithm 1 (a constant rate) and Algorithm 2 (``eta="adaptive"``).

    A perturbation z_f of law Exp(1) is drawn once for each action. In round t the forecaster holds the action
    with the least Σ_{s<t} Δ(f, x_s) + (h(f) - z_f) / η_{t-1}; then it sees x_t and pays Δ(f_t, x_t).

    Parameters
    ----------
    actions : ActionClass
    eta : float or "adaptive"
        The learning rate η. Theorem 1 asks for at most 1/c₀. ``"adaptive"`` is Algorithm 2's √(H/(e-1)) /
        (c₀ √t).
    penalty : "paper", "tight", "chernoff" or a function of a Polyline
    random_state : int, Generator or None
        The same whole number gives the same run.
    loss_bound : float, optional
        Stands in for c₀ in the adaptive rate and in the bounds.

    Examples
    --------
    >>> from slpc.paper import ActionClass, Lattice, PerturbedLeader
    >>> actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=2)
    >>> forecaster = PerturbedLeader(actions, eta=0.1, random_state=0)
    >>> curve = forecaster.predict()
    >>> loss = forecaster.observe([0.5, 0.4])
    >>> bool(loss == curve.squared_distances([0.5, 0.4])[0])
    True

    """

    def __init__(
        self,
        actions: ActionClass,
        *,
        eta: float | Literal["adaptive"] = "adaptive",
        penalty: Penalty = "paper",
        random_state: int | np.random.Generator | None = None,
        loss_bound: float | None = None,
    ) -> None:
        if eta != "adaptive" and not (isinstance(eta, (int, float)) and 0 < eta < np.inf):
            raise ValueError(f'eta must be a positive number or "adaptive", got {eta!r}')
        self.actions = actions
        self.eta = eta
        self.penalty = penalty
        self.constants = constants_of(actions, loss_bound)
        self.h, self.H = penalties(penalty, actions)
        if eta == "adaptive" and not 0 < self.H < np.inf:
            raise ValueError(f"the adaptive rate grows with the largest penalty, which is {self.H}; give eta a number")
        self.z = np.random.default_rng(random_state).exponential(size=len(actions))
        self._offset = self.h - self.z
        self._losses = np.empty(len(actions))
        self.cumulative_losses = np.zeros(len(actions))
        """G_{t-1}(f) of every action f: its loss over the points seen."""
        self.n_seen = 0
        """Points seen, t - 1."""
        self.cumulative_loss = 0.0
        """What the forecaster itself has paid."""
        self.largest_norm = 0.0
        """Greatest |x_t| seen: the bounds ask for at most √d R."""
        self._held: int | None = None

    @property
    def rate(self) -> float:
        """η_{t-1}, the rate of the next prediction."""
        return self.rate_at(self.n_seen)

    def rate_at(self, t: int) -> float:
        """η_t."""
        if self.eta == "adaptive":
            return self.constants.eta_theorem2(t, self.H)
        return float(self.eta)

    @property
    def leader(self) -> int:
        """Number of the action that is held now, f_t."""
        if self._held is None:
            self._held = int(perturbed_leader(self.cumulative_losses, self._offset, self.rate))
        return self._held

    def predict(self) -> Polyline:
        """f_t, the curve held before the next point comes."""
        return self.actions[self.leader]

    def observe(self, x: ArrayLike) -> float:
        """Take x_t: return the loss Δ(f_t, x_t) and learn from it."""
        point = as_points(x, self.actions.lattice.dim)
        losses = self.actions.losses(point, out=self._losses)
        paid = float(losses[self.leader])
        self.cumulative_losses += losses
        self.cumulative_loss += paid
        self.largest_norm = max(self.largest_norm, float(np.linalg.norm(point)))
        self.n_seen += 1
        self._held = None
        return paid

    def law(self) -> Array:
        """Probability of each action to be held next, over the draw of z: exact, and free of the seed."""
        return law_of_leader(-self.rate * self.cumulative_losses - self.h)

    def expected_loss(self, x: ArrayLike) -> float:
        """E Δ(f_t, x) over the draw of z: exact, and free of the seed. Learns nothing."""
        return float(self.law() @ self.actions.losses(x))

    @cached_property
    def log_u(self) -> float:
        """Ln Σ_f exp(-h(f)), which the bounds ask to be at most -1."""
        least = float(self.h.min())
        return float(np.log(np.exp(least - self.h).sum()) - least)
