"""Regret of Algorithm 2 as the stream goes on, beside what Theorem 2 allows."""

from __future__ import annotations

import numpy as np
from rich.progress import Progress

from slpc.data import parabola
from slpc.experiments import drawing
from slpc.experiments.section import Picture, Row, Section, Table
from slpc.paper import ActionClass, Lattice, PerturbedLeader, bounds
from slpc.plot import CURVE, POINTS, TRUTH

_SEEDS = 5
_MARKS = (30, 100, 300, 1000, 3000, 10_000)
"""Rounds of the table."""


def run(quick: bool, progress: Progress) -> Section:
    """Regret curves of the exact expectation and of single draws."""
    T = 1_000 if quick else 10_000
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=3)
    X = parabola(T, random_state=0)
    forecasters = [
        PerturbedLeader(actions, eta="adaptive", penalty="tight", random_state=seed) for seed in range(_SEEDS)
    ]
    first = forecasters[0]
    # Law and bound cost far more than a round: they are looked at here only, at equal ratios.
    looked_at = np.unique(np.geomspace(1, T, 200).astype(int))
    expected, best, bound, trivial = np.zeros(T), np.zeros(T), np.zeros(T), np.zeros(T)
    paid = np.zeros((_SEEDS, T))
    for t, x in enumerate(progress.track(X, description="Regret")):
        expected[t] = first.expected_loss(x)
        for seed, forecaster in enumerate(forecasters):
            paid[seed, t] = forecaster.observe(x)
        best[t] = first.cumulative_losses.min()
        if t + 1 in looked_at:
            bound[t], trivial[t] = bounds.theorem2(first).value, bounds.trivial(first)
    expected = np.cumsum(expected)
    picture = _picture(looked_at, expected - best, np.cumsum(paid, axis=1) - best, bound - best, trivial - best)
    rows: list[Row] = []
    for mark in _MARKS:
        if mark <= T:
            at = looked_at[np.argmin(np.abs(looked_at - mark))]
            i = at - 1
            rows.append(
                {
                    "rounds": int(at),
                    "best line's loss": float(best[i]),
                    "expected loss": float(expected[i]),
                    "regret": float(expected[i] - best[i]),
                    "regret / √T": float((expected[i] - best[i]) / np.sqrt(at)),
                    "Theorem 2's bound on the regret": float(bound[i] - best[i]),
                    "most that can be lost, c₀ T": float(trivial[i]),
                }
            )
    text = (
        f"Algorithm 2, the perturbed leader, on all {len(actions):,} lines of up to three segments on nine lattice "
        "points; the points lie around a parabola, in random order. The penalty is ln(pe) + ln |F_k|, the least that "
        "the theorem allows. The expected loss is exact, not a mean over draws."
    )
    more = (
        "The bound holds, and is far above what happens: the paper's bounds are for the worst of all streams. "
        "<code>python -m slpc.experiments.bounds</code> sets all bounds of the paper beside what is lost."
    )
    table = Table("regret", "Regret: what was lost more than by the best fixed line of the class in hindsight.", rows)
    return Section("Regret against Theorem 2's bound", [text, more], [picture, table],
                   f"seed 0 of the points, seeds 0 to {_SEEDS - 1} of the draws")  # fmt: skip


def _picture(
    looked_at: np.ndarray, expected: np.ndarray, paid: np.ndarray, bound: np.ndarray, trivial: np.ndarray
) -> Picture:
    figure, (ax,) = drawing.panels(1, columns=1, width=7.5, height=4.6)
    i = looked_at - 1
    for seed, losses in enumerate(paid):
        label = f"{len(paid)} draws" if seed == 0 else None
        ax.plot(looked_at, losses[i], color=POINTS, linewidth=0.9, label=label)
    ax.plot(looked_at, expected[i], color=CURVE, linewidth=2.2, label="expected regret (exact)")
    ax.plot(looked_at, bound[i], "--", color=TRUTH, label="Theorem 2's bound")
    ax.plot(looked_at, trivial[i], ":", color=drawing.MAP, linewidth=2, label="largest possible")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlabel="rounds", ylabel="regret")
    ax.legend(frameon=False, fontsize=9)
    caption = (
        "Regret of Algorithm 2 against the best fixed line so far, on logarithmic axes: a straight line of slope ½ "
        "is √T. The expected regret stays below Theorem 2's bound from the first round on; the bound says something "
        "once it falls below the largest possible regret."
    )
    return Picture("regret", caption, figure)
