"""Cleveland's (1979) locally weighted regression, robust against outliers."""

import numpy as np

from slpc.kernels._jit import Floats, kernel


@kernel
def local_fit(x: Floats, y: Floats, at: int, left: int, right: int, robust: Floats, near: Floats) -> float:
    """Value at x[at] of the line fitted to the points left … right and those tied with the last; NaN if none counts.

    Weights are tricubes of the distance over that of the farthest neighbour, times `robust`.
    """
    n = x.size
    reach = max(x[at] - x[left], x[right] - x[at])
    total = 0.0
    last = left
    for j in range(left, n):
        near[j] = 0.0
        gap = abs(x[j] - x[at])
        if gap <= 0.999 * reach:
            tricube = 1.0 if gap <= 0.001 * reach else (1.0 - (gap / reach) ** 3) ** 3
            near[j] = tricube * robust[j]
            total += near[j]
        elif x[j] > x[at]:
            break
        last = j
    if total <= 0.0:
        return float(np.nan)
    mean = spread = 0.0
    for j in range(left, last + 1):
        near[j] /= total
        mean += near[j] * x[j]
    for j in range(left, last + 1):
        spread += near[j] * (x[j] - mean) ** 2
    # Where all the weight lies on nearly one place, the mean instead of a line.
    slope = (x[at] - mean) / spread if np.sqrt(spread) > 0.001 * (x[n - 1] - x[0]) else 0.0
    value = 0.0
    for j in range(left, last + 1):
        value += near[j] * (1.0 + slope * (x[j] - mean)) * y[j]
    return value


@kernel
def smooth_once(x: Floats, y: Floats, neighbours: int, delta: float, robust: Floats, near: Floats, out: Floats) -> None:
    """One pass: fits at points at least `delta` apart, straight lines between them."""
    n = x.size
    left, right = 0, neighbours - 1
    done, at = -1, 0
    while done < n - 1:
        while right < n - 1 and x[at] - x[left] > x[right + 1] - x[at]:
            left += 1
            right += 1
        value = local_fit(x, y, at, left, right, robust, near)
        out[at] = y[at] if np.isnan(value) else value
        for j in range(done + 1, at):
            share = (x[j] - x[done]) / (x[at] - x[done])
            out[j] = share * out[at] + (1.0 - share) * out[done]
        done = at
        at = done + 1
        while at < n and x[at] <= x[done] + delta:
            if x[at] == x[done]:
                out[at] = out[done]
                done = at
            at += 1
        at = max(done + 1, at - 1)


@kernel
def reweigh(y: Floats, fitted: Floats, robust: Floats) -> bool:
    """Tukey's biweights of the residuals, with a cutoff of six times their median; False where the fit is exact."""
    size = np.abs(y - fitted)
    cutoff = 6.0 * np.median(size)
    if cutoff < 1e-7 * size.mean():
        return False
    for i in range(y.size):
        if size[i] <= 0.001 * cutoff:
            robust[i] = 1.0
        elif size[i] <= 0.999 * cutoff:
            robust[i] = (1.0 - (size[i] / cutoff) ** 2) ** 2
        else:
            robust[i] = 0.0
    return True


@kernel
def lowess(x: Floats, Y: Floats, neighbours: int, rounds: int, delta: float, out: Floats) -> None:
    """Smooth each column of `Y` against the ascending `x`, with so many robustifying rounds."""
    near = np.empty(x.size)
    for column in range(Y.shape[1]):
        y = Y[:, column].copy()
        fitted = y.copy()
        robust = np.ones(x.size)
        for done in range(rounds + 1):
            smooth_once(x, y, neighbours, delta, robust, near, fitted)
            if done == rounds or not reweigh(y, fitted, robust):
                break
        out[:, column] = fitted
