"""The Gibbs quasi-posterior over actions: draws from it, and its mode."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from slpc.paper.actions import ActionClass
from slpc.paper.penalties import Penalty, constants_of, penalties
from slpc.polyline import Array, Polyline, as_points


class QuasiPosterior:
    """ρ_t ∝ π exp(-λ S_{t-1}), with S_t(f) = S_{t-1}(f) + Δ_t(f) + (λ/2)(Δ_t(f) - Δ_t(f_t))².

    The prior is π(f) ∝ exp(-h(f)); f_t is a draw from ρ_t or its mode.

    Parameters
    ----------
    actions : ActionClass
    lam : float
        The inverse temperature λ; `tuned_lambda` gives the one that balances the bound.
    penalty : "paper", "tight", "chernoff" or a function of a Polyline
    predict_by : "sample" or "mode"
        Only the draw has a regret bound; the mode is deterministic and an adversary can exploit that.
    random_state : int, Generator or None

    """

    def __init__(
        self,
        actions: ActionClass,
        *,
        lam: float,
        penalty: Penalty = "tight",
        predict_by: Literal["sample", "mode"] = "sample",
        random_state: int | np.random.Generator | None = None,
        loss_bound: float | None = None,
    ) -> None:
        if not 0 < lam < np.inf:
            raise ValueError(f"lam must be a positive number, got {lam!r}")
        if predict_by not in ("sample", "mode"):
            raise ValueError(f'predict_by must be "sample" or "mode", got {predict_by!r}')
        self.actions = actions
        self.lam = float(lam)
        self.penalty = penalty
        self.predict_by = predict_by
        self.constants = constants_of(actions, loss_bound)
        self.h, self.H = penalties(penalty, actions)
        least = self.h.min()
        self.log_prior = -self.h + least - np.log(np.exp(least - self.h).sum())
        self._random = np.random.default_rng(random_state)
        self.S = np.zeros(len(actions))
        """S_{t-1}(f) of every action."""
        self.cumulative_losses = np.zeros(len(actions))
        self.cumulative_loss = 0.0
        self.n_seen = 0
        self.largest_norm = 0.0
        self._held: int | None = None

    @staticmethod
    def tuned_lambda(H: float, T: int, c0: float) -> float:
        """λ = √(2 H / T) / c₀, which balances the bound's two terms for T rounds and penalties up to H."""
        return float(np.sqrt(2 * H / T) / c0)

    def law(self) -> Array:
        """ρ_t(f) of every action."""
        u = self.log_prior - self.lam * self.S
        weights = np.exp(u - u.max())
        return np.asarray(weights / weights.sum())

    def sample(self, size: int | None = None) -> int | np.ndarray:
        """Numbers of actions drawn from ρ_t (one where `size` is None)."""
        return self._random.choice(len(self.actions), size=size, p=self.law())

    def mode(self) -> int:
        """Number of the action with the largest ρ_t; the simplest at ties."""
        return int(np.argmin(self.S - self.log_prior / self.lam))

    @property
    def leader(self) -> int:
        """Number of the action held now, f_t."""
        if self._held is None:
            self._held = self.mode() if self.predict_by == "mode" else int(self.sample())
        return self._held

    def predict(self) -> Polyline:
        """f_t, the curve held before the next point comes."""
        return self.actions[self.leader]

    def observe(self, x: ArrayLike) -> float:
        """Take x_t: return the loss Δ(f_t, x_t) and learn from it."""
        point = as_points(x, self.actions.lattice.dim)
        losses = self.actions.losses(point)
        paid = float(losses[self.leader])
        self.S += losses + 0.5 * self.lam * np.square(losses - paid)
        self.cumulative_losses += losses
        self.cumulative_loss += paid
        self.largest_norm = max(self.largest_norm, float(np.linalg.norm(point)))
        self.n_seen += 1
        self._held = None
        return paid

    def expected_loss(self, x: ArrayLike) -> float:
        """E Δ(f_t, x) over the draw of f_t from ρ_t, given the draws before."""
        return float(self.law() @ self.actions.losses(x))
