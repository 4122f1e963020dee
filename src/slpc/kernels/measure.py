"""The scales of the moment, from the summary and the running means of the losses."""

from typing import Any, NamedTuple

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.lattice import Actions, bonus
from slpc.kernels.tube import END_CAPS, Rules, assign, capped_loss, crowding, line_length, noise, overlap, score

# Of the length's pull, in a refit: the whole would pull a bend inwards twice as much as noise pushes it outwards.
REFIT_SHARE = 0.5
FEW = 0.05  # of all points, so many may be outliers
OFTEN = 0.2  # points beyond the cap come so often: it is not the noise


class Scale(NamedTuple):
    """What a score and a refit need to know."""

    loss: float
    """Total capped loss of the curve on the past."""
    hidden: float
    """The part of it that the cells do not show."""
    beyond: float
    """Weight beyond the cap."""
    crowd: float
    """What the points of crowded segments gain."""
    sigma2: float
    cap: float
    m: float
    outliers: float
    pull: float
    """Weight of the length in a refit, in the units of the cells."""
    unit: float
    """What a cell weighs for a point."""
    rules: Rules
    actions: Actions | None
    """The class of lines; None, any line, from `measure`."""


@kernel
def measure(
    head: Any,
    vertices: Floats,
    means: Floats,
    weight: Floats,
    scatter: Floats,
    per_segment: float,
    per_length: float,
    fineness: float,
    spacing: float,
) -> Scale:
    """Scales for the curve as it is, the last point's surprise left out of the noise."""
    k, n_cells, n, unit, m = head.k, head.n_cells, head.n, head.unit, head.m
    d = means.shape[0]
    mean, mean2 = head.mean_loss, head.mean_loss2
    if d > 3 and n > 100.0:
        # The loss is σ² times a chi-square: its mean and variance tell how many dimensions it has.
        m = min(max(2.0 * mean * mean / max(mean2 - mean * mean, 1e-300), 1.0), d - 1.0)
    dist2, segment = cells_along(vertices, k, means, n_cells)
    loss, beyond = total_of(dist2, weight, unit, head.cap)
    # Cells hide the scatter within them, running means (of the points within the cap) do not; but those remember
    # what the line lost before it was as it is.
    hidden = 0.0
    if head.radius2 > 0.0:
        inside = loss - head.cap * beyond if beyond > 0.0 else loss
        hidden = min(max(0.0, (n - beyond) * mean - inside), scatter[:n_cells].sum() / unit)
    total = variance_of_cells(means, weight, dist2, head.cap)
    length = line_length(vertices, k)
    rare = head.beyond_rate
    outliers = beyond if rare < OFTEN else head.outliers
    allowed = FEW * n if rare < 0.5 else min(FEW * n, outliers)
    floor = 1e-12 * total + 1e-300
    rules = Rules(n, m, floor, head.cap, allowed, 0.0, per_segment, per_length, 0.0, 0.0, fineness)
    sigma2 = noise(max(loss + hidden - head.last_loss, 0.0), beyond, length, k, rules)
    cap, per_outlier = np.inf, 0.0
    if n >= 64.0:
        # What a lattice keeps a vertex away from a point is no reason to leave the point out.
        least = max(2.5e-3 * total, d * spacing * spacing)
        wide = m + 10.0 * np.sqrt(2.0 * m) + 25.0
        cap = max(wide * sigma2, least)
        # A cap that outliers have widened is drawn in as long as few are left out by it, and it fits those left in.
        while least < cap < np.inf:
            narrow = 0.25 * cap
            loss, beyond = total_of(dist2, weight, unit, narrow)
            rules = Rules(n, m, floor, narrow, allowed, 0.0, per_segment, per_length, 0.0, 0.0, fineness)
            inner = noise(loss + hidden, beyond, length, k, rules)
            if beyond > allowed or wide * inner > narrow:
                break
            sigma2 = inner
            cap = max(wide * sigma2, least)
        per_outlier = cap / sigma2
    loss, beyond = total_of(dist2, weight, unit, cap)
    sigma = np.sqrt(sigma2)
    density = n / (length + END_CAPS * sigma + 1e-300)
    rules = Rules(n, m, floor, cap, allowed, per_outlier, per_segment, per_length, density, sigma, fineness)
    crowd = crowding(vertices, k, weight, n_cells, dist2, segment, unit, rules, 3)
    pull = REFIT_SHARE * length_pull(rules, sigma2, length) * unit
    return Scale(loss + hidden, hidden, beyond, crowd, sigma2, cap, m, outliers, pull, unit, rules, None)


@kernel
def on_cells(
    line: Floats, k: int, means: Floats, weight: Floats, n_cells: int, unit: float, rules: Rules
) -> tuple[float, float, float]:
    """Of a line, on the summary: capped loss, weight beyond the cap, and crowding."""
    dist2, segment = cells_along(line, k, means, n_cells)
    loss, beyond = total_of(dist2, weight, unit, rules.cap)
    return loss, beyond, crowding(line, k, weight, n_cells, dist2, segment, unit, rules, 3)


@kernel
def cells_along(line: Floats, k: int, means: Floats, n_cells: int) -> tuple[Floats, Ints]:
    """Squared distances of the cells to a line, and their segments."""
    dist2 = np.empty(n_cells)
    segment = np.empty(n_cells, np.int64)
    assign(line, k, means, n_cells, dist2, segment, np.empty(n_cells), np.empty((2, n_cells)))
    return dist2, segment


@kernel
def total_of(dist2: Floats, weight: Floats, unit: float, cap: float) -> tuple[float, float]:
    """Capped loss of all cells, and the weight beyond the cap, both in points."""
    found = np.empty(2)
    capped_loss(dist2, weight, dist2.size, cap, found)
    return found[0] / unit, found[1] / unit


@kernel
def variance_of_cells(means: Floats, weight: Floats, dist2: Floats, cap: float) -> float:
    """Variance of the summary, summed over coordinates, without what lies beyond the cap."""
    total = 0.0
    for i in range(dist2.size):
        total += weight[i] if dist2[i] <= cap else 0.0
    spread = 0.0
    for a in range(means.shape[0]):
        mean = 0.0
        for i in range(dist2.size):
            mean += weight[i] * means[a, i] if dist2[i] <= cap else 0.0
        mean /= max(total, 1e-300)
        for i in range(dist2.size):
            spread += weight[i] * (means[a, i] - mean) ** 2 if dist2[i] <= cap else 0.0
    return spread / max(total, 1e-300)


@kernel
def value_on_cells(line: Floats, k: int, means: Floats, weight: Floats, n_cells: int, scale: Scale) -> float:
    """Score of a line on the summary, less its perturbation: what the learner minimises."""
    loss, beyond, crowd = on_cells(line, k, means, weight, n_cells, scale.unit, scale.rules)
    length = line_length(line, k) - overlap(line, k, scale.rules.sigma)
    value = score(loss + scale.hidden, beyond, length, crowd, k, scale.rules)
    return value - bonus(np.uint64(0), line, k, scale.actions)


@kernel
def length_pull(rules: Rules, sigma2: float, length: float) -> float:
    """What a unit of length costs in units of squared distance: the score's length term, linearised."""
    return float(rules.per_length * 2.0 * sigma2 * rules.n / (length + END_CAPS * np.sqrt(sigma2) + 1e-300))
