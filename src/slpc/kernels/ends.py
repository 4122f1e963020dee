"""Where the curve ends, and how far ahead of its ends it looks."""

import math

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.trail import drawn_end
from slpc.kernels.tube import line_length

BEYOND = 0.3989422804014327  # 1/√(2π): of a density ρ with noise σ, so many ρσ points lie beyond a true end
BUSY = 0.25  # points keep arriving beyond an end: its rate of hits is above this
SURPRISE = 0.05  # chance that the next point beyond all others, spread evenly, lies beyond what is looked ahead


@kernel
def calibrated_ends(
    line: Floats,
    k: int,
    means: Floats,
    weight: Floats,
    scatter: Floats,
    segment: Ints,
    n_cells: int,
    unit: float,
    n: float,
    sigma: float,
    cap: float,
    far: Floats,
    held: Floats,
) -> float:
    """Copy the line to `held[1 : k + 2]` with its ends where the data end; return the mean density of points.

    An end stands where as many points lie beyond it as beyond a true end, but never past the farthest one seen.
    """
    d = line.shape[1]
    for v in range(k + 1):
        for a in range(d):
            held[v + 1, a] = line[v, a]
    length = line_length(line, k)
    everywhere = n / max(length, 1e-300)
    for e in range(2):
        end, inner, last = (0, 1, 0) if e == 0 else (k, k - 1, k - 1)
        step = 0.0
        for a in range(d):
            step += (line[end, a] - line[inner, a]) ** 2
        step = np.sqrt(step)
        if step <= 0.0:
            continue
        # Places along the end's direction, from the end; and the spread of each cell along it.
        place = np.empty(n_cells)
        spread = np.empty(n_cells)
        mass = np.empty(n_cells)
        m = 0
        window = min(step, 12.0 * sigma)
        inside = 0.0
        reach = 0.0
        for i in range(n_cells):
            if segment[i] != last:
                continue
            along = 0.0
            gap2 = 0.0
            for a in range(d):
                gap = means[a, i] - line[end, a]
                along += gap * (line[end, a] - line[inner, a]) / step
                gap2 += gap * gap
            if gap2 - along * along > cap:
                continue
            place[m] = along
            spread[m] = np.sqrt(max(scatter[i], 0.0) / (weight[i] * d))
            mass[m] = weight[i] / unit
            if -window <= along < -2.0 * sigma:
                inside += mass[m]
            reach = max(reach, along + 2.0 * spread[m])
            m += 1
        density = inside / (window - 2.0 * sigma) if window > 4.0 * sigma else everywhere
        if density <= 0.0:
            density = everywhere
        limit = 0.0
        for a in range(d):
            limit += (far[e, a] - line[end, a]) * (line[end, a] - line[inner, a]) / step
        wanted = BEYOND * density * sigma
        low = -min(2.0 * sigma, 0.25 * step)
        high = min(reach, max(limit, 0.0))
        if m == 0 or high <= low:
            continue
        # Cells that lie beyond every place in question count whole, those that lie before it not at all.
        certain = 0.0
        unsure = 0
        for i in range(m):
            if place[i] - 5.0 * spread[i] > high:
                certain += mass[i]
            elif place[i] + 5.0 * spread[i] >= low:
                place[unsure], spread[unsure], mass[unsure] = place[i], spread[i], mass[i]
                unsure += 1
        wanted -= certain
        if _beyond(low, place, spread, mass, unsure) < wanted:
            continue
        if _beyond(high, place, spread, mass, unsure) < wanted:
            for _ in range(25):
                middle = 0.5 * (low + high)
                if _beyond(middle, place, spread, mass, unsure) < wanted:
                    high = middle
                else:
                    low = middle
            high = low
        for a in range(d):
            held[end + 1, a] = line[end, a] + high * (line[end, a] - line[inner, a]) / step
    return everywhere


@kernel
def _beyond(at: float, place: Floats, spread: Floats, mass: Floats, m: int) -> float:
    """Weight of the points at or beyond a place, each cell spread as a Gaussian.

    A point counts at its own place however that is rounded: the farthest one often is the end.
    """
    at -= 1e-9 * abs(at)
    total = 0.0
    for i in range(m):
        if spread[i] > 0.0:
            total += 0.5 * mass[i] * math.erfc((at - place[i]) / (1.4142135623730951 * spread[i]))
        elif place[i] >= at:
            total += mass[i]
    return total


@kernel
def look_ahead(
    held: Floats,
    k: int,
    sigma: float,
    m: float,
    n: float,
    rates: Floats,
    far: Floats,
    trail: Floats,
    trail_weight: Floats,
    newest: int,
    lookahead: bool,
    ahead: float,
) -> None:
    """Move the ends at which the stream is moving on; set held[0] and held[k + 2], to which the curve is prolonged.

    Where points keep arriving beyond an end, in order, it stands where they have drawn it to, and goes on along the
    same bend for `ahead` points and a σ. Any other is prolonged straight on. Without look-ahead nothing is prolonged.
    """
    d = held.shape[1]
    length = line_length(held[1:], k)
    drawn = np.zeros((2, d))
    moving = -1
    if max(rates[0], rates[1]) > BUSY and drawn_end(trail, trail_weight, newest, sigma * sigma, m, ahead, drawn):
        moving = _end_reached(held, k, sigma, drawn[0])
        if moving >= 0 and rates[moving] > BUSY:
            held[1 if moving == 0 else k + 1] = drawn[0]
        else:
            moving = -1
    for e in range(2):
        end, tip, inward = (1, 0, 1) if e == 0 else (k + 1, k + 2, -1)
        goes_on = e == moving
        if goes_on or (moving >= 0 and k == 1):  # the only segment turns with either end
            _hold_back(held, end, end + inward, far[e], trail, trail_weight)
        for a in range(d):
            held[tip, a] = held[end, a]
        if not lookahead:
            continue
        if goes_on:
            tail2 = 0.0
            for a in range(d):
                tail2 += (drawn[1, a] - held[end, a]) ** 2
            part = min(1.0, 0.25 * length / np.sqrt(tail2)) if tail2 > 0.0 else 0.0
            for a in range(d):
                held[tip, a] += part * (drawn[1, a] - held[end, a])
            continue
        # Straight on, in the direction of the end over at least 4σ.
        inner = end
        step = 0.0
        while True:
            inner += inward
            step = 0.0
            for a in range(d):
                step += (held[end, a] - held[inner, a]) ** 2
            step = np.sqrt(step)
            if step >= 4.0 * sigma or inner == 1 or inner == k + 1:
                break
        if step <= 0.0:
            continue
        busy = min(1.0, max(0.0, 4.0 * (rates[e] - BUSY)))
        reach = (1.0 + 3.0 * busy) * sigma + length * (SURPRISE ** (-1.0 / max(n - 1.0, 1.0)) - 1.0)
        for a in range(d):
            held[tip, a] = held[end, a] + (held[end, a] - held[inner, a]) * reach / step


@kernel
def _end_reached(held: Floats, k: int, sigma: float, place: Floats) -> int:
    """The end (0 or 1) that a place lies beyond or beside, -1 where it is well inside."""
    d = held.shape[1]
    nearest = np.inf
    carrier = 1
    before = 0.0
    after = 0.0
    for s in range(1, k + 1):
        along = 0.0
        norm2 = 0.0
        gap2 = 0.0
        for a in range(d):
            edge = held[s + 1, a] - held[s, a]
            gap = place[a] - held[s, a]
            along += gap * edge
            norm2 += edge * edge
            gap2 += gap * gap
        at = min(1.0, max(0.0, along / norm2)) if norm2 > 0.0 else 0.0
        dist2 = gap2 + at * (at * norm2 - 2.0 * along)
        if dist2 < nearest:
            nearest, carrier = dist2, s
            before, after = at * np.sqrt(norm2), (1.0 - at) * np.sqrt(norm2)
    off_the_line = nearest > 4.0 * sigma * sigma
    if carrier == k and (k > 1 or after <= before) and (after <= 2.0 * sigma or off_the_line):
        return 1
    if carrier == 1 and (k > 1 or before < after) and (before <= 2.0 * sigma or off_the_line):
        return 0
    return -1


@kernel
def _hold_back(held: Floats, end: int, inner: int, far: Floats, trail: Floats, weight: Floats) -> None:
    """Take an end back, along its segment, to the farthest point seen beyond it."""
    d = held.shape[1]
    reach = 0.0
    limit = 0.0
    for a in range(d):
        reach += (held[end, a] - held[inner, a]) ** 2
        limit += (held[end, a] - held[inner, a]) * (far[a] - held[inner, a])
    for i in range(weight.size):
        along = 0.0
        for a in range(d):
            along += (held[end, a] - held[inner, a]) * (trail[i, a] - held[inner, a])
        if weight[i] > 0.0:
            limit = max(limit, along)
    if 0.0 < limit < reach:
        for a in range(d):
            held[end, a] = held[inner, a] + limit / reach * (held[end, a] - held[inner, a])


@kernel
def outwards(x: Floats, e: int, k: int, anchor: Floats, edge: Floats, norm2: Floats) -> float:
    """How far x lies beyond end e of the held line, in lengths of the end's segment times its length."""
    s = 1 if e == 0 else k
    along = 0.0
    for a in range(x.size):
        along += (x[a] - anchor[a, s]) * edge[a, s]
    return -along if e == 0 else along - norm2[s]


@kernel
def lay_out(held: Floats, k: int, anchor: Floats, edge: Floats, norm2: Floats, inverse: Floats) -> None:
    """The k + 2 segments of the held line as the stream kernel wants them, coordinates first."""
    for s in range(k + 2):
        total = 0.0
        for a in range(held.shape[1]):
            anchor[a, s] = held[s, a]
            edge[a, s] = held[s + 1, a] - held[s, a]
            total += edge[a, s] ** 2
        norm2[s] = total
        inverse[s] = 1.0 / total if total > 0.0 else 0.0
