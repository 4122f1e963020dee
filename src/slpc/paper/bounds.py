"""The paper's regret bounds as numbers for a given run, as stated and as corrected, with what they assume.

Each function takes a forecaster that has seen its stream and returns a `Bound` on its expected cumulative
loss. See the errata for what the corrections are and why.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from slpc.paper.leader import PerturbedLeader
from slpc.paper.posterior import QuasiPosterior
from slpc.paper.sleeping import SleepingLeader

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Bound:
    """A bound and the assumptions it rests on."""

    value: float
    """The expected cumulative loss is at most this, where every assumption is met."""
    assumes: dict[str, bool]
    """Each assumption in words, and whether this run meets it."""

    @property
    def applies(self) -> bool:
        """Whether every assumption is met."""
        return all(self.assumes.values())


def theorem1(run: PerturbedLeader, *, corrected: bool = True) -> Bound:
    """Theorem 1, for Algorithm 1.

    With S = min_f {Σ Δ(f, x_t) + h(f)/η} and u = Σ_f exp(-h(f)): as stated, (1 + c₀(e-1)η) S + (1 + ln u)/η;
    corrected, (1 + c₀(e-1)η)(S + ln(u)/η). The factor may be left off the second term only where that is
    negative, and the mean of z_f, which is 1 and not 0, cancels the other 1.
    """
    _need_constant_rate(run)
    eta, c0 = run.rate, run.constants.c0
    factor = 1 + c0 * (math.e - 1) * eta
    best = float((run.cumulative_losses + run.h / eta).min())
    stated = factor * best + (1 + run.log_u) / eta
    value = factor * (best + run.log_u / eta) if corrected else stated
    return Bound(value, _in_ball(run) | {"eta <= 1 / c0": eta * c0 <= 1 + _ROUNDING})


def corollary1(run: PerturbedLeader, *, corrected: bool = True) -> Bound:
    """Corollary 1, for Algorithm 1 with the rate `Constants.eta_corollary1`.

    The stated bound leaves out c₀ h(f) inside the infimum, which is there when the rate is clipped at 1/c₀.
    The penalty's own largest value stands for c₁ p + c₂ L + c₃.
    """
    _need_constant_rate(run)
    c0, H = run.constants.c0, run.H
    best = float(run.cumulative_losses.min())
    inner = run.cumulative_losses + np.sqrt(c0 * (math.e - 1) * best * run.h)
    if corrected:
        inner = inner + c0 * run.h
    value = float(inner.min()) + math.sqrt(c0 * (math.e - 1) * best * H) + c0 * (math.e - 1) * H
    tuned = run.constants.eta_corollary1(best, H)
    assumes = {
        "eta is Corollary 1's": math.isclose(run.rate, tuned, rel_tol=1e-6),
        "sum of exp(-h) <= 1 / e": run.log_u <= -1 + _ROUNDING,
    }
    return Bound(value, _in_ball(run) | assumes)


def theorem2(run: PerturbedLeader) -> Bound:
    """Theorem 2, for Algorithm 2: min_f {Σ Δ(f, x_t) + c₀ √((e-1) T h(f))} + 2 c₀ √((e-1) T H)."""
    if run.eta != "adaptive":
        raise ValueError('Theorem 2 is about Algorithm 2: a run with eta="adaptive"')
    c0, T = run.constants.c0, run.n_seen
    best = float((run.cumulative_losses + c0 * np.sqrt((math.e - 1) * T * run.h)).min())
    value = best + 2 * c0 * math.sqrt((math.e - 1) * T * run.H)
    return Bound(value, _in_ball(run) | {"sum of exp(-h) <= 1 / e": run.log_u <= -1 + _ROUNDING})


def theorem3(run: SleepingLeader, best_loss: float, awake_total: float | None = None) -> Bound:
    """The explicit form of Theorem 3 that its proof arrives at, for Algorithm 3, in place of its O(T^{3/4}).

    H/η is added for the penalty of the best action, which the proof leaves in.

    `best_loss` is min_f Σ Δ(f, x_t); `awake_total` is Σ_t |U(f_{t-1})|, by default T |F_p|^{3/p} as the proof
    reckons. The theorem is not proved for `rewards="literal"`, which it is about, and fails in an example
    (see the errata): the bound is there to compare with.
    """
    c, T = run.constants, run.rounds
    if T < 1:
        raise ValueError("no round has been played yet")
    n = run.actions.count()
    eta, eps, alpha, beta = run.eta, run.epsilon, run.alpha, run.beta
    if beta <= 0:
        raise ValueError("Theorem 3 needs beta > 0: give beta or a horizon")
    c0_hat = c.c0 / beta + alpha
    if awake_total is None:
        awake_total = T * math.exp(3 / c.p * math.log(n))
    spread = c.c0**2 / beta + alpha**2 * (1 - beta) + (c.c0 + 2 * alpha) ** 2
    value = (
        best_loss
        + run.H / eta
        + 2 * (1 - eps) * alpha * beta * awake_total
        + c0_hat**2 * (math.e - 1) * eta * T
        + c0_hat * (math.e - 1) * run.H
        + (1 - n * beta) * math.sqrt(2 * T * spread * math.log(1 / beta))
        + n * beta * c.c0 * T
    )
    assumes = {
        "every |x_t| <= sqrt(d) R": run.largest_norm <= run.actions.lattice.ball_radius * (1 + _ROUNDING),
        "p > 6": c.p > 6,
        "T >= 2 |F_p|^2": 2 * n * n <= T,
        "beta < 1 / |F_p|": beta * n < 1,
        "alpha >= c0 / beta": alpha * beta >= c.c0 * (1 - _ROUNDING),
        "eta < 1 / c0_hat": eta * c0_hat < 1,
        "|U| <= |F_p|^(3/p)": awake_total <= T * math.exp(3 / c.p * math.log(n)) * (1 + _ROUNDING),
    }
    return Bound(value, assumes)


def quasi_posterior(run: QuasiPosterior) -> Bound:
    """min_f {Σ Δ(f, x_t) - ln π(f)/λ} + λ c₀² T / 2, for draws from the quasi-posterior."""
    best = float((run.cumulative_losses - run.log_prior / run.lam).min())
    value = best + run.lam * run.constants.c0**2 * run.n_seen / 2
    return Bound(
        value,
        {
            "every |x_t| <= sqrt(d) R": run.largest_norm <= run.actions.lattice.ball_radius * (1 + _ROUNDING),
            'predict_by="sample"': run.predict_by == "sample",
        },
    )


def trivial(run: PerturbedLeader | QuasiPosterior) -> float:
    """c₀ T, which no forecaster can exceed."""
    return run.constants.c0 * run.n_seen


def _in_ball(run: PerturbedLeader) -> dict[str, bool]:
    inside = run.largest_norm <= run.actions.lattice.ball_radius * (1 + _ROUNDING)
    return {"every |x_t| <= sqrt(d) R": inside}


def _need_constant_rate(run: PerturbedLeader) -> None:
    if run.eta == "adaptive":
        raise ValueError("this bound is about Algorithm 1: a run whose eta is a number")
