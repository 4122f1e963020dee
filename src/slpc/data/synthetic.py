"""Small streams in the ball of radius √2, for forecasters on a lattice with R = 1."""

from __future__ import annotations

import numpy as np

from slpc.data.shapes import check_order
from slpc.polyline import Array


def parabola(n: int, *, noise: float = 0.1, order: str = "random", random_state: int | None = None) -> Array:
    """Make n points around y = x² - 1/2, x uniform in [-1, 1]; `order` "random" or "sorted" (by x)."""
    check_order(order)
    random = np.random.default_rng(random_state)
    x = random.uniform(-1, 1, n)
    if order == "sorted":
        x = np.sort(x)
    return np.column_stack([x, x * x - 0.5 + noise * random.standard_normal(n)])


def corner(n: int, *, noise: float = 0.05, random_state: int | None = None) -> Array:
    """Make n points around (0.9, 0.9), far from most lines: what a forecaster pays before it has learnt counts."""
    return 0.9 + noise * np.random.default_rng(random_state).standard_normal((n, 2))


def ray(n: int, *, noise: float = 0.1, random_state: int | None = None) -> Array:
    """Make n points around the way from the origin to (√2, 0), in the ball."""
    random = np.random.default_rng(random_state)
    X = np.column_stack([random.uniform(0, 1.4, n), np.zeros(n)]) + noise * random.standard_normal((n, 2))
    norms = np.sqrt(np.square(X).sum(axis=1, keepdims=True))
    return np.asarray(X * np.minimum(1.0, np.sqrt(2.0) / norms))
