"""The two synthetic streams of the paper's experiments.

The paper gives the curves and the numbers of points; noise, order and abscissae are those that its tables of losses
agree with. The truth is `curve("cubic")` and `curve("6-D")`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from slpc.data.shapes import check_order, cubic_at, six_dimensional_at
from slpc.polyline import Array


def cubic(
    n: int = 100,
    *,
    noise: float = 0.1,
    order: str = "sorted",
    abscissae: str = "uniform",
    seed: int | None = None,
) -> Array:
    """Make n points around y = 0.05 (x - 5)³, x in [0, 10].

    Parameters
    ----------
    n : int
        The paper's T.
    noise : float
        Standard deviation in each coordinate.
    order : "sorted" or "random"
        Whether the points come in the order of their abscissae.
    abscissae : "uniform" or "equidistant"
        Drawn, or spread evenly from one end to the other.
    seed : int or None
        The same seed makes the same stream.

    Examples
    --------
    >>> from slpc.data import cubic, curve
    >>> X = cubic(seed=0)
    >>> X.shape
    (100, 2)
    >>> bool(curve("cubic").squared_distances(X).mean() < 2 * 0.1**2)
    True

    """
    return _points(cubic_at, n, 10.0, noise, order, abscissae, seed)


def six_dimensional(
    n: int = 200,
    *,
    noise: float = 0.057,
    order: str = "sorted",
    abscissae: str = "equidistant",
    seed: int | None = None,
) -> Array:
    """Make n points around (t cos t / 2, t sin t / 2, t / 2, -t, √t, 2 ln(t + 1)), t in [0, 2π].

    Parameters as for `cubic`; `abscissae` speaks of t.
    """
    return _points(six_dimensional_at, n, 2 * np.pi, noise, order, abscissae, seed)


def _points(
    at: Callable[[Array], Array], n: int, end: float, noise: float, order: str, abscissae: str, seed: int | None
) -> Array:
    check_order(order)
    if abscissae not in ("uniform", "equidistant"):
        raise ValueError(f'abscissae must be "uniform" or "equidistant", got {abscissae!r}')
    random = np.random.default_rng(seed)
    if abscissae == "uniform":
        t = random.uniform(0, end, n)
        t = np.sort(t) if order == "sorted" else t
    else:
        t = np.linspace(0, end, n)
        t = random.permutation(t) if order == "random" else t
    true = at(t)
    return np.asarray(true + noise * random.standard_normal(true.shape))
