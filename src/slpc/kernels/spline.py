"""Cubic smoothing splines: B-splines, their roughness, and the penalty that leaves a given trace of the smoother.

Symmetric matrices of bandwidth 3 are kept as bands: band[i, m] is the entry (i, i + m).
"""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel

_GOLDEN = 0.5 * (3.0 - np.sqrt(5.0))


@kernel
def basis(x: Floats, knots: Floats, first: Ints, values: Floats) -> None:
    """The four B-splines that do not vanish at each x, by de Boor's recursion.

    `knots` holds the boundaries four times each; `first[i]` becomes the number of the first of the four.
    Beyond the boundaries the outermost polynomials go on.
    """
    last = knots.size - 5
    for i in range(x.size):
        at = min(max(np.searchsorted(knots, x[i], side="right") - 1, 3), last)
        first[i] = at - 3
        values[i, 0] = 1.0
        for order in range(1, 4):
            carried = 0.0
            for r in range(order):
                right, left = knots[at + r + 1], knots[at + 1 - order + r]
                share = values[i, r] / (right - left)
                values[i, r] = carried + (right - x[i]) * share
                carried = (x[i] - left) * share
            values[i, order] = carried


@kernel
def roughness(knots: Floats, band: Floats) -> None:
    """Σ: the integrals of products of second derivatives of the B-splines.

    The second derivative is linear between knots, so its values there, a and b, say everything.

    R's smooth.spline has 0.333 for the third in the integral of (a + (b - a) t)². So do we: it changes λ by a part in
    500, and what R fits by 1e-4.
    """
    size = knots.size - 4
    curvature = np.zeros((size - 2, 3))
    for m in range(size - 2):
        t = knots[m + 1 :]
        low, high = 3.0 / (t[3] - t[0]), 3.0 / (t[4] - t[1])
        scale = 2.0 / (t[3] - t[1])
        curvature[m, 0] = scale * low
        curvature[m, 1] = -scale * (low + high)
        curvature[m, 2] = scale * high
    band[:] = 0.0
    a, b = np.empty(4), np.empty(4)
    for m in range(size - 3):
        h = knots[m + 4] - knots[m + 3]
        a[:3], a[3] = curvature[m], 0.0
        b[0], b[1:] = 0.0, curvature[m + 1]
        for i in range(4):
            for j in range(i, 4):
                c, d = b[i] - a[i], b[j] - a[j]
                band[m + i, j - i] += h * (a[i] * a[j] + 0.5 * (a[i] * d + c * a[j]) + 0.333 * c * d)


@kernel
def gram(first: Ints, values: Floats, weight: Floats, band: Floats) -> None:
    """X'WX."""
    band[:] = 0.0
    for p in range(first.size):
        for i in range(4):
            for j in range(i, 4):
                band[first[p] + i, j - i] += weight[p] * values[p, i] * values[p, j]


@kernel
def factorise(band: Floats) -> None:
    """Turn a positive definite matrix into its LDL' in place: D in column 0, L' in the others."""
    size = band.shape[0]
    for i in range(size):
        for m in range(1, 4):
            if i + m < size:
                share = band[i, m] / band[i, 0]
                for q in range(m, 4):
                    band[i + m, q - m] -= share * band[i, q]
        for m in range(1, 4):
            band[i, m] /= band[i, 0]


@kernel
def trace_of_product(factor: Floats, other: Floats) -> float:
    """Trace of A⁻¹ B, from the factor of A and the bands of B; of A⁻¹ only the bands are computed (Takahashi)."""
    size = factor.shape[0]
    inverse = np.zeros((size + 3, 4))
    trace = 0.0
    for i in range(size - 1, -1, -1):
        for m in range(3, -1, -1):
            total = 1.0 / factor[i, 0] if m == 0 else 0.0
            for q in range(1, 4):
                if i + q < size and i + m < size:
                    total -= factor[i, q] * inverse[i + min(q, m), abs(q - m)]
            inverse[i, m] = total
            if i + m < size:
                trace += (1.0 if m == 0 else 2.0) * total * other[i, m]
    return trace


@kernel
def solve(factor: Floats, right: Floats) -> None:
    """Solve A c = right in place, for all columns."""
    size = factor.shape[0]
    for i in range(size):
        for m in range(1, min(4, size - i)):
            for j in range(right.shape[1]):
                right[i + m, j] -= factor[i, m] * right[i, j]
    for i in range(size - 1, -1, -1):
        for j in range(right.shape[1]):
            right[i, j] /= factor[i, 0]
            for m in range(1, min(4, size - i)):
                right[i, j] -= factor[i, m] * right[i + m, j]


@kernel
def degrees_of_freedom(grams: Floats, rough: Floats, ridge: float, work: Floats) -> float:
    """Trace of the smoother; `work` is left with the factor of X'WX + λΣ."""
    work[:] = grams + ridge * rough
    factorise(work)
    return trace_of_product(work, grams)


@kernel
def misfit(grams: Floats, rough: Floats, ratio: float, spar: float, df: float, work: Floats) -> float:
    """3 + (trace - df)². The 3 is R's: it hides differences that its search must not see either."""
    trace = degrees_of_freedom(grams, rough, ratio * 256.0 ** (3.0 * spar - 1.0), work)
    return 3.0 + (trace - df) ** 2


@kernel
def ridge_for(grams: Floats, rough: Floats, ratio: float, df: float, work: Floats) -> float:
    """λ = ratio · 256^(3 spar - 1) for the spar in [-1.5, 1.5] whose trace is nearest to `df`.

    Brent's (1973) minimiser, golden sections and parabolas, to 1e-4 in spar and not to full precision: the reference
    stops there too, and its choice can only be met on its own path. What counts, as there, is the last λ tried, which
    is within 1e-4 of the best; `work` is left with its factor.
    """
    low, high = -1.5, 1.5
    trial = best = second = third = low + _GOLDEN * (high - low)
    f_best = misfit(grams, rough, ratio, best, df, work)
    f_second = f_third = f_best
    step = before = 0.0
    for _ in range(500):
        middle = 0.5 * (low + high)
        tol = 2e-8 * abs(best) + 1e-4 / 3.0
        if abs(best - middle) <= 2.0 * tol - 0.5 * (high - low):
            break
        golden = True
        if abs(before) > tol:
            r = (best - second) * (f_best - f_third)
            q = (best - third) * (f_best - f_second)
            p = (best - third) * q - (best - second) * r
            q = 2.0 * (q - r)
            if q > 0.0:
                p = -p
            q = abs(q)
            if abs(p) < abs(0.5 * q * before) and q * (low - best) < p < q * (high - best):
                golden = False
                before, step = step, p / q
                if best + step - low < 2.0 * tol or high - best - step < 2.0 * tol:
                    step = tol if middle >= best else -tol
        if golden:
            before = (low if best >= middle else high) - best
            step = _GOLDEN * before
        trial = best + (step if abs(step) >= tol else (tol if step >= 0.0 else -tol))
        f_trial = misfit(grams, rough, ratio, trial, df, work)
        if f_trial <= f_best:
            if trial >= best:
                low = best
            else:
                high = best
            third, f_third = second, f_second
            second, f_second = best, f_best
            best, f_best = trial, f_trial
        else:
            if trial < best:
                low = trial
            else:
                high = trial
            if f_trial <= f_second or second == best:
                third, f_third = second, f_second
                second, f_second = trial, f_trial
            elif f_trial <= f_third or third in (best, second):
                third, f_third = trial, f_trial
    return float(ratio * 256.0 ** (3.0 * trial - 1.0))


@kernel
def fit(x: Floats, Y: Floats, weight: Floats, knots: Floats, df: float, coefficients: Floats) -> float:
    """Smooth the columns of `Y` against `x` with `df` degrees of freedom: fill `coefficients`, return λ."""
    size = knots.size - 4
    first, values = np.empty(x.size, np.int64), np.zeros((x.size, 4))
    grams, rough, work = np.empty((size, 4)), np.empty((size, 4)), np.empty((size, 4))
    basis(x, knots, first, values)
    gram(first, values, weight, grams)
    roughness(knots, rough)
    # Without the outermost three, as R has it.
    ratio = grams[2 : size - 3, 0].sum() / rough[2 : size - 3, 0].sum()
    ridge = ridge_for(grams, rough, ratio, df, work)
    coefficients[:] = 0.0
    for p in range(x.size):
        for i in range(4):
            for j in range(Y.shape[1]):
                coefficients[first[p] + i, j] += weight[p] * values[p, i] * Y[p, j]
    solve(work, coefficients)
    return ridge


@kernel
def evaluate(x: Floats, knots: Floats, coefficients: Floats, out: Floats) -> None:
    """Values at `x` of the splines with these coefficients."""
    first, values = np.empty(x.size, np.int64), np.zeros((x.size, 4))
    basis(x, knots, first, values)
    out[:] = 0.0
    for p in range(x.size):
        for i in range(4):
            for j in range(out.shape[1]):
                out[p, j] += values[p, i] * coefficients[first[p] + i, j]
