"""The paper's constants c₀, c₁, c₂, c₃ and the learning rates tuned with them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from slpc.paper.lattice import Lattice, log_ball_volume


@dataclass(frozen=True)
class Theorem3Tuning:
    """The parameters that Theorem 3 prescribes for Algorithm 3."""

    beta: float
    alpha: float
    c0_hat: float
    epsilon: float
    eta: float


@dataclass(frozen=True, kw_only=True)
class Constants:
    """Constants of Theorems 1 to 3 for polygonal lines of at most p segments and length L.

    Parameters
    ----------
    dim, R, delta, p, L
        The paper's d, R, δ, p and L: data and vertices lie in B(0, √d R), vertices on a lattice of spacing δ.
    loss_bound : float, optional
        Any number that no loss exceeds may stand in for c₀ = d(2R + δ)²; 4 d R² is one (curve and data lie in
        one ball). Default: the paper's c₀.

    """

    dim: int
    R: float
    delta: float
    p: int
    L: float
    loss_bound: float | None = None

    def __post_init__(self) -> None:
        for name in ("R", "delta", "L") + (("loss_bound",) if self.loss_bound is not None else ()):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a positive finite number, got {value!r}")
        for name in ("dim", "p"):
            value = getattr(self, name)
            if value != int(value) or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")

    @classmethod
    def of(cls, lattice: Lattice, *, p: int, L: float, loss_bound: float | None = None) -> Constants:
        """The constants that belong to a lattice."""
        return cls(dim=lattice.dim, R=lattice.radius, delta=lattice.spacing, p=p, L=L, loss_bound=loss_bound)

    @property
    def c0(self) -> float:
        """Bound of the loss: d(2R + δ)² unless `loss_bound` is given."""
        if self.loss_bound is not None:
            return self.loss_bound
        return self.dim * (2 * self.R + self.delta) ** 2

    @property
    def c1(self) -> float:
        """Price of a segment: ln(8 p e V_d) + 3 d^{3/2} - d."""
        return math.log(8 * self.p * math.e) + log_ball_volume(self.dim) + 3 * self.dim * math.sqrt(self.dim) - self.dim

    @property
    def c2(self) -> float:
        """Price of a unit of length: (ln 2 / √d + d) / δ."""
        return (math.log(2) / math.sqrt(self.dim) + self.dim) / self.delta

    @property
    def c3(self) -> float:
        """Price of a starting point: d ln(√d (2R + δ) / δ)."""
        return self.dim * math.log(math.sqrt(self.dim) * (2 * self.R + self.delta) / self.delta)

    @property
    def H(self) -> float:
        """c₁ p + c₂ L + c₃: the largest penalty."""
        return self.penalty(self.p)

    def penalty(self, k: int) -> float:
        """h(f) = c₁ k + c₂ L + c₃ of a polygonal line of k segments."""
        return self.c1 * k + self.c2 * self.L + self.c3

    def eta_corollary1(self, best_loss: float, H: float | None = None) -> float:
        """Corollary 1's rate, from the loss of the best action in hindsight (the paper's H by default)."""
        if not best_loss >= 0:
            raise ValueError(f"the best cumulative loss must be at least 0, got {best_loss!r}")
        clipped = 1 / self.c0
        if best_loss == 0:
            return clipped
        return min(clipped, math.sqrt((self.H if H is None else H) / (self.c0 * (math.e - 1) * best_loss)))

    def eta_theorem2(self, t: int, H: float | None = None) -> float:
        """Theorem 2's rate η_t, t = 0, 1, 2, …; η₀ = η₁ (the paper's H by default)."""
        if t < 0:
            raise ValueError(f"rounds are numbered from 0, got t={t}")
        return math.sqrt((self.H if H is None else H) / ((math.e - 1) * max(t, 1))) / self.c0

    def theorem3(self, n_actions: int, T: int, H: float | None = None) -> Theorem3Tuning:
        """Theorem 3's α, β, ε, ĉ₀ and η for |F_p| = `n_actions` and T rounds."""
        if n_actions < 1 or T < 1:
            raise ValueError(f"Theorem 3 needs at least one action and one round, got {n_actions} and {T}")
        log_n = math.log(n_actions)  # an int may be too large for a float
        beta = math.exp(-0.5 * log_n) * T**-0.25
        c0_hat = 2 * self.c0 / beta
        return Theorem3Tuning(
            beta=beta,
            alpha=self.c0 / beta,
            c0_hat=c0_hat,
            epsilon=1 - math.exp((0.5 - 3 / self.p) * log_n) * T**-0.25,
            eta=math.sqrt((self.H if H is None else H) / (T * (math.e - 1))) / c0_hat,
        )
