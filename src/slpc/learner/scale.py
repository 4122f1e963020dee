"""The scales of the moment: noise, cap and prices, taken from the summary and the losses."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from slpc.kernels.lattice import Actions
from slpc.kernels.tube import END_CAPS, Rules, assign, capped_loss, line_length, variance
from slpc.learner.actions import actions_of
from slpc.learner.settings import Settings
from slpc.learner.state import State
from slpc.polyline import Array

_FINENESS = 32.0  # points a cell from which the summary limits what a segment can show
# Of the length's pull, in a refit: the whole would pull a bend inwards twice as much as noise pushes it outwards.
REFIT_SHARE = 0.5


class Scale(NamedTuple):
    """What a score and a refit need to know."""

    loss: float
    """Total capped loss of the curve on the past."""
    hidden: float
    """The part of it that the cells do not show."""
    beyond: float
    """Weight beyond the cap."""
    sigma2: float
    cap: float
    m: float
    outliers: float
    pull: float
    """Weight of the length in a refit, in the units of the cells."""
    rules: Rules
    actions: Actions | None


def measure(s: State, settings: Settings) -> Scale:
    """Scales for the curve as it is, the last point's surprise left out of the noise."""
    head = s.head[0]
    k, n_cells = int(head["k"]), int(head["n_cells"])
    n, unit = float(head["n"]), float(head["unit"])
    d = len(s.means)
    m = float(head["m"])
    mean, mean2 = float(head["mean_loss"]), float(head["mean_loss2"])
    if d > 3 and n > 100:
        # The loss is σ² times a chi-square: its mean and variance tell how many dimensions it has.
        m = min(max(2 * mean * mean / max(mean2 - mean * mean, 1e-300), 1.0), d - 1.0)
    loss, beyond = loss_on_cells(s.vertices, k, s, float(head["cap"]))
    # Cells hide the scatter within them, running means do not.
    hidden = max(0.0, n * mean - loss) if head["radius2"] > 0 else 0.0
    loss += hidden
    total = _variance(s, n_cells)
    floor = 1e-12 * total + 1e-300
    length = float(line_length(s.vertices, k))
    sigma2 = float(variance(max(loss - float(head["last_loss"]), 0.0), length, k, n, m, floor))
    actions = actions_of(s, settings, sigma2)
    cap = math.inf
    if n >= 64:
        # What a lattice keeps a vertex away from a point is no reason to leave the point out.
        cap = max(
            sigma2 * (m + 10 * math.sqrt(2 * m) + 25),
            2.5e-3 * total,
            d * (0.0 if actions is None else actions.spacing) ** 2,
        )
    rare = float(head["beyond_rate"])
    outliers = beyond if rare < 0.2 else float(head["outliers"])
    rules = Rules(
        n=n,
        m=m,
        floor=floor,
        outliers=0.05 * n if rare < 0.5 else min(0.05 * n, outliers),
        per_segment=float(settings.segment_penalty),
        per_length=float(settings.length_penalty),
        fineness=_FINENESS * settings.memory,
    )
    pull = REFIT_SHARE * length_pull(rules, sigma2, length) * unit
    return Scale(loss, hidden, beyond, sigma2, cap, m, outliers, pull, rules, actions)


def loss_on_cells(line: Array, k: int, s: State, cap: float) -> tuple[float, float]:
    """Capped loss of a line on the summary, and the weight beyond the cap."""
    n_cells, unit = int(s.head[0]["n_cells"]), float(s.head[0]["unit"])
    dist2, found = np.empty(n_cells), np.empty(2)
    assign(line, k, s.means, n_cells, dist2, np.empty(n_cells, np.int64), np.empty(n_cells), np.empty((2, n_cells)))
    capped_loss(dist2, s.weight, n_cells, cap, found)
    return float(found[0]) / unit, float(found[1]) / unit


def length_pull(rules: Rules, sigma2: float, length: float) -> float:
    """What a unit of length costs in units of squared distance: the score's length term, linearised."""
    return rules.per_length * 2 * sigma2 * rules.n / (length + END_CAPS * math.sqrt(sigma2) + 1e-300)


def _variance(s: State, n_cells: int) -> float:
    """Variance of the summary, summed over coordinates."""
    weight = s.weight[:n_cells]
    total = weight.sum()
    mean = s.means[:, :n_cells] @ weight / total
    return float((np.square(s.means[:, :n_cells] - mean[:, None]) @ weight).sum() / total)
