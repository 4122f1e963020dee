"""Where the curve ends, and how far ahead of its ends it looks."""

import math

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.tube import line_length

BEYOND = 0.3989422804014327  # 1/√(2π): of a density ρ with noise σ, so many ρσ points lie beyond a true end
BUSY = 0.25  # points keep arriving beyond an end: its rate of hits is above this
MOVING = 0.4  # ... so often that it moves


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
    held: Floats, k: int, sigma: float, n: float, rates: Floats, recent: Floats, lookahead: bool, ahead: float
) -> None:
    """Set held[0] and held[k + 2], the points to which the curve is prolonged (its ends, without look-ahead).

    A settled end is prolonged straight on by about a σ and two gaps between points. Where points keep arriving
    beyond an end, it goes on from the smoothed last of them, `recent`, at their speed for `ahead` points more.
    """
    d = held.shape[1]
    length = line_length(held[1:], k)
    for e in range(2):
        end, tip, inward = (1, 0, 1) if e == 0 else (k + 1, k + 2, -1)
        for a in range(d):
            held[tip, a] = held[end, a]
        if not lookahead:
            continue
        # The direction of the end, over at least 4σ.
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
        moving = rates[e] > MOVING
        if moving:
            speed2 = 0.0
            for a in range(d):
                speed2 += (recent[2 * e, a] - recent[2 * e + 1, a]) ** 2
            moving = speed2 > sigma * sigma
        if moving:
            # Means with weights 0.3 and 0.1 lag behind by 7/3 and 9 points: their gap is that many steps.
            tail2 = 0.0
            for a in range(d):
                velocity = (recent[2 * e, a] - recent[2 * e + 1, a]) / (9.0 - 7.0 / 3.0)
                held[tip, a] = recent[2 * e, a] + velocity * (10.0 / 3.0 + ahead)
                tail2 += (held[tip, a] - held[end, a]) ** 2
            if tail2 > (0.25 * length) ** 2:
                for a in range(d):
                    held[tip, a] = held[end, a] + (held[tip, a] - held[end, a]) * 0.25 * length / np.sqrt(tail2)
        else:
            busy = min(1.0, max(0.0, 4.0 * (rates[e] - BUSY)))
            reach = min((1.0 + 3.0 * busy) * sigma + 2.0 * length / n, 0.5 * length)
            for a in range(d):
                held[tip, a] = held[end, a] + (held[end, a] - held[inner, a]) * reach / step


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
