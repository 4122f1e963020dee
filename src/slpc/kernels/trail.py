"""Where the stream has lately been: a trail of its last points, and the end that it draws by moving on."""

import numpy as np

from slpc.kernels._jit import Floats, kernel

TRAIL = 64  # places remembered
FOLLOWED = 0.05  # the stream is followed while points arrive beyond an end at this rate
LEAST = 12  # places that an end is drawn from, at least
_WIDER = 1.42  # each window is so much longer than the one before
_ORDERED = 0.7  # correlation of place and time from which the stream counts as moving on
_MARGIN = 3.0  # σ that a moving end looks ahead besides the way of the next points


@kernel
def follow(trail: Floats, weight: Floats, newest: int, X: Floats, t: int, w: float, pause: float) -> int:
    """Add the point X[t] to the mean that is the newest place, or begin a place once that weighs `pause`."""
    if weight[newest] >= pause:
        newest = (newest + 1) % weight.size
        weight[newest] = 0.0
    weight[newest] += w
    part = w / weight[newest]
    for a in range(X.shape[1]):
        trail[newest, a] = (1.0 - part) * trail[newest, a] + part * X[t, a]
    return newest


@kernel
def drawn_end(trail: Floats, weight: Floats, newest: int, sigma2: float, m: float, ahead: float, drawn: Floats) -> bool:
    """Where the last points, in their order, have drawn the line to: drawn[0], and drawn[1] `ahead` points further on.

    Parabolas through the last 12, 17, 24, … places, as many as end where those through fewer say, to within their
    errors (Lepski's rule): a straight stream is averaged for long, a bend is followed. The end is the mean of theirs,
    each counting by the square of its weight.
    False where the last places are not in order along a line, as when points arrive at random.
    """
    d = trail.shape[1]
    count = 0
    while count < weight.size and weight[(newest - count) % weight.size] > 0.0:
        count += 1
    places = np.empty((count, d))
    w = np.empty(count)
    for i in range(count):  # latest first
        row = (newest - i) % weight.size
        w[i] = weight[row]
        for a in range(d):
            places[i, a] = trail[row, a]
    at = np.empty(count)
    feet = np.empty(count)
    fitted = np.empty((3, d))
    ends = np.empty((8, d))
    masses = np.empty(8)
    windows = 0
    likely = m + 2.0 * np.sqrt(2.0 * m)  # two standard deviations above the mean of a chi-square
    size = LEAST
    while size <= count and windows < 8:
        if not parabola(places, w, size, m * sigma2, at, feet, fitted):
            break
        if _misfit(places, w, size, at, fitted) > sigma2 * (m * (size - 3) + 4.0 * np.sqrt(2.0 * m * (size - 3))):
            break
        if _order(at, size) < _ORDERED:
            break
        last = feet[:size].max()
        mass = w[:size].sum()
        agrees = True
        for e in range(windows):
            # The end of a parabola through n places has 9/n of a place's variance.
            allowed = 9.0 * sigma2 * likely * (1.0 / masses[e] - 1.0 / mass)
            agrees = agrees and _aside2(fitted, last, ends[e]) <= allowed
        if not agrees:
            break
        early = min(size, 2 * LEAST) - 1
        pace = max(feet[0] - feet[early], 0.0) / max(w[:early].sum(), 1e-300)
        further = last + ahead * pace + _MARGIN * np.sqrt(sigma2)
        masses[windows] = mass
        share = mass**2 / (masses[: windows + 1] ** 2).sum()
        for a in range(d):
            ends[windows, a] = _value(fitted, last, a)
            drawn[0, a] += share * (ends[windows, a] - drawn[0, a])
            drawn[1, a] += share * (_value(fitted, further, a) - drawn[1, a])
        windows += 1
        size = min(int(_WIDER * size), count) if size < count else count + 1
    return windows > 0


@kernel
def parabola(places: Floats, w: Floats, size: int, noise: float, at: Floats, feet: Floats, fitted: Floats) -> bool:
    """Fit a parabola over their chord to the first `size` places, the latest first; False where they have no extent.

    Its bend is shrunk by the part that `noise`, the squared error of a place of weight 1, explains (Stein's rule).

    `at` says where each place lies along the chord, growing with time, `feet` where the parabola is nearest to it (to
    first order), `fitted` the coefficients of 1, at and at².
    """
    d = places.shape[1]
    half = size // 2
    chord2 = 0.0
    chord = np.empty(d)
    for a in range(d):
        chord[a] = places[:half, a].mean() - places[half:size, a].mean()
        chord2 += chord[a] ** 2
    if not chord2 > 0.0:
        return False
    total = w[:size].sum()
    centre = 0.0
    for i in range(size):
        at[i] = 0.0
        for a in range(d):
            at[i] += (places[i, a] - places[half, a]) * chord[a] / np.sqrt(chord2)
        centre += w[i] * at[i] / total
    s2 = 0.0
    s3 = 0.0
    s4 = 0.0
    for i in range(size):
        at[i] -= centre
        s2 += w[i] * at[i] ** 2 / total
        s3 += w[i] * at[i] ** 3 / total
        s4 += w[i] * at[i] ** 4 / total
    if not s2 > 0.0:
        return False
    # The part of the square that is neither constant nor linear is orthogonal to both.
    bend = s3 / s2
    norm = s4 - s2 * s2 - bend * s3
    if not norm > 1e-12 * s4:
        return False
    curving2 = 0.0
    for a in range(d):
        mean = 0.0
        slope = 0.0
        curving = 0.0
        for i in range(size):
            value = w[i] * (places[i, a] - places[0, a]) / total
            mean += value
            slope += value * at[i] / s2
            curving += value * (at[i] ** 2 - s2 - bend * at[i]) / norm
        fitted[0, a] = places[0, a] + mean
        fitted[1, a] = slope
        fitted[2, a] = curving
        curving2 += curving * curving
    sure = max(0.0, 1.0 - noise / max(total * norm * curving2, 1e-300))
    for a in range(d):
        fitted[2, a] *= sure
        fitted[0, a] -= fitted[2, a] * s2
        fitted[1, a] -= fitted[2, a] * bend
    for i in range(size):
        ahead = 0.0
        speed2 = 0.0
        for a in range(d):
            slope = fitted[1, a] + 2.0 * fitted[2, a] * at[i]
            ahead += (places[i, a] - _value(fitted, at[i], a)) * slope
            speed2 += slope * slope
        feet[i] = at[i] + ahead / max(speed2, 1e-300)
    return True


@kernel
def _value(fitted: Floats, at: float, a: int) -> float:
    """Coordinate `a` of the parabola."""
    return float(fitted[0, a] + at * (fitted[1, a] + at * fitted[2, a]))


@kernel
def _misfit(places: Floats, w: Floats, size: int, at: Floats, fitted: Floats) -> float:
    """Weighted sum of the squared residuals."""
    total = 0.0
    for i in range(size):
        for a in range(places.shape[1]):
            total += w[i] * (places[i, a] - _value(fitted, at[i], a)) ** 2
    return total


@kernel
def _order(at: Floats, size: int) -> float:
    """Correlation of the first `size` numbers with time, which runs from the last of them to the first."""
    mean = at[:size].mean()
    both = 0.0
    spread = 0.0
    for i in range(size):
        both += (at[i] - mean) * (0.5 * (size - 1) - i)
        spread += (at[i] - mean) ** 2
    return float(both / np.sqrt(max(spread, 1e-300) * size * (size * size - 1.0) / 12.0))


@kernel
def _aside2(fitted: Floats, at: float, x: Floats) -> float:
    """Squared distance of x from the tangent of the parabola."""
    along = 0.0
    speed2 = 0.0
    gap2 = 0.0
    for a in range(x.size):
        slope = fitted[1, a] + 2.0 * fitted[2, a] * at
        gap = x[a] - _value(fitted, at, a)
        along += gap * slope
        speed2 += slope * slope
        gap2 += gap * gap
    return gap2 - along * along / max(speed2, 1e-300)
