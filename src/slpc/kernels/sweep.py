"""Local moves all along a line, again and again while they pay."""

import numpy as np

from slpc.kernels._jit import Booleans, Floats, Ints, kernel
from slpc.kernels.cells import register
from slpc.kernels.explore import prune
from slpc.kernels.lattice import on_lattice
from slpc.kernels.measure import REFIT_SHARE, Scale, length_pull, on_cells, value_on_cells
from slpc.kernels.moves import QUIET, local_moves
from slpc.kernels.tube import assign, line_length, noise, segment_price

_SWEEPS = 4  # at most, over a candidate
_FAR = 9.0  # times σ², in each dimension of the noise: a point farther from the line surprises
_HOPE = 3.0  # times what the last sweep gained: no more is expected of all later ones


@kernel
def improve(
    line: Floats,
    k: int,
    segment: Ints,
    means: Floats,
    weight: Floats,
    n_cells: int,
    most_segments: int,
    scale: Scale,
    best: float,
) -> tuple[int, float]:
    """Prune a candidate and sweep over it until it settles, or has no hope of scoring below `best`.

    Returns its number of segments and its score.
    """
    loss, beyond, _ = on_cells(line, k, means, weight, n_cells, scale.unit, scale.rules)
    length = line_length(line, k)
    sigma2 = noise(loss + scale.hidden, beyond, length, k, scale.rules)
    price = segment_price(scale.rules) * sigma2 * scale.unit
    pull = length_pull(scale.rules, sigma2, length) * scale.unit
    k = prune(line, k, means, weight, n_cells, most_segments, price, pull, scale.cap)
    k = on_lattice(line, k, True, scale.actions)
    register(line, k, means, n_cells, segment)
    value = value_on_cells(line, k, means, weight, n_cells, scale)
    restless = np.ones(line.shape[0], np.bool_)
    for _ in range(_SWEEPS):
        k = sweep(line, k, segment, means, weight, n_cells, most_segments, scale, restless, 2)
        lower = value_on_cells(line, k, means, weight, n_cells, scale)
        gained = value - lower
        value = lower
        # Settled, or too far behind to catch up even if the next sweeps gained several times as much.
        if gained < 0.5 or value - _HOPE * gained > best:
            break
    return k, value


@kernel
def sweep(
    line: Floats,
    k: int,
    segment: Ints,
    means: Floats,
    weight: Floats,
    n_cells: int,
    most_segments: int,
    scale: Scale,
    restless: Booleans,
    step: int,
) -> int:
    """Local moves once along the line, around every `step`-th segment that is `restless`; its new number of segments.

    What a move gains makes the segments around it restless; where it gains nothing, its segment comes to rest.
    """
    rules = scale.rules
    loss, beyond, crowd = on_cells(line, k, means, weight, n_cells, scale.unit, scale.rules)
    loss += scale.hidden
    length = line_length(line, k)
    found = np.empty(6)
    j = 0
    while j < k:
        if restless[j]:
            pull = REFIT_SHARE * length_pull(rules, noise(loss, beyond, length, k, rules), length) * scale.unit
            old = k
            k = local_moves(
                line, k, j, line[0], False, means, weight, segment, n_cells, most_segments,
                loss, beyond, crowd, scale.unit, scale.cap, pull, rules, scale.actions, found,
            )  # fmt: skip
            loss, beyond, crowd = found[0], found[1], found[5]
            length = line_length(line, k)
            _mark(restless, old, k, int(found[2]), int(found[3]), found[4] > QUIET, j)
        j += step
    return k


@kernel
def reach_from_an_end(
    line: Floats,
    k: int,
    x: Floats,
    segment: Ints,
    means: Floats,
    weight: Floats,
    n_cells: int,
    most_segments: int,
    scale: Scale,
) -> int:
    """Append x to an end of the line, however far from it, if that lowers the score; the new number of segments.

    A stream that turns back at an end soon is nearer to what it has passed than to that end: no local move reaches x.
    """
    d = line.shape[1]
    dist2 = np.empty(1)
    assign(line, k, x.reshape((d, 1)), 1, dist2, np.empty(1, np.int64), np.empty(1), np.empty((2, 1)))
    if k >= most_segments or dist2[0] <= _FAR * scale.m * scale.sigma2:
        return k
    best = value_on_cells(line, k, means, weight, n_cells, scale)
    trial = np.empty((k + 2, d))
    found = -1
    for end in range(2):
        trial[1 - end : k + 2 - end] = line[: k + 1]
        trial[0 if end == 0 else k + 1] = x
        size = on_lattice(trial, k + 1, True, scale.actions)
        value = value_on_cells(trial, size, means, weight, n_cells, scale)
        if value < best - QUIET and size == k + 1:
            best, found = value, end
    if found < 0:
        return k
    if found == 0:
        for v in range(k, -1, -1):
            line[v + 1] = line[v]
    line[0 if found == 0 else k + 1] = x
    k = on_lattice(line, k + 1, True, scale.actions)
    register(line, k, means, n_cells, segment)
    return k


@kernel
def turn_an_end(line: Floats, k: int, segment: Ints, means: Floats, weight: Floats, n_cells: int, scale: Scale) -> bool:
    """Reverse the part of the line beyond a vertex, where that shortens the line most, if it lowers the score.

    A stream that turns back at an end first makes a loop that comes back to that end: turned, it begins there. The
    other end of the line stays, and with it the direction.
    """
    shorter = 2.0 * np.sqrt(scale.sigma2)
    at, end = -1, 0
    for v in range(1, k):
        tail = _distance(line, v - 1, v) - _distance(line, v - 1, k)
        head = _distance(line, v, v + 1) - _distance(line, 0, v + 1)
        if tail > shorter:
            shorter, at, end = tail, v, 1
        if head > shorter:
            shorter, at, end = head, v, 0
    if at < 0:
        return False
    trial = line[: k + 1].copy()
    if end == 1:
        trial[at:] = line[at : k + 1][::-1]
    else:
        trial[: at + 1] = line[: at + 1][::-1]
    value = value_on_cells(trial, k, means, weight, n_cells, scale)
    if not value < value_on_cells(line, k, means, weight, n_cells, scale) - QUIET:
        return False
    line[: k + 1] = trial
    register(line, k, means, n_cells, segment)
    return True


@kernel
def _distance(line: Floats, v: int, w: int) -> float:
    """Between two vertices."""
    total = 0.0
    for a in range(line.shape[1]):
        total += (line[v, a] - line[w, a]) ** 2
    return float(np.sqrt(total))


@kernel
def _mark(restless: Booleans, old: int, k: int, low: int, high: int, gained: bool, j: int) -> None:
    """Keep `restless` in step with a line whose window low … high - 1 has just been looked at, around segment j."""
    if k > old:
        for s in range(k - 1, high - 1, -1):
            restless[s] = restless[s - 1]
    elif k < old:
        for s in range(high, k):
            restless[s] = restless[s + 1]
    if gained:
        restless[max(low - 2, 0) : min(high + 2, k)] = True
    else:
        restless[j] = False
