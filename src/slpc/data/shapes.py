"""The usual curves to be found again, by name, and noisy streams along them."""

from __future__ import annotations

import numpy as np

from slpc.polyline import Array, Polyline

_FINE = 4001  # vertices of a curve that is not a polygon: its corners are far below any noise
_SHARP_TURNS = ((0.0, 0.0), (1.0, 0.1), (0.2, 0.5), (1.0, 0.9), (0.1, 1.3), (0.9, 1.7), (0.3, 2.0))


def curves() -> dict[str, Polyline]:
    """All curves by name, as fine polygonal lines; "cubic" and "6-D" are the paper's."""
    t = np.linspace(0, 1, _FINE)
    x, a, s = 10 * t, 2 * np.pi * t, 4 * np.pi * t
    found = {
        "cubic": cubic_at(x),
        "6-D": six_dimensional_at(a),
        "spiral": np.column_stack([(0.1 + t) * np.cos(s), (0.1 + t) * np.sin(s)]),
        "half circle": np.column_stack([np.cos(a / 2), np.sin(a / 2)]),
        "corner": np.column_stack([np.minimum(2 * t, 1), np.maximum(2 * t - 1, 0)]),
        "line": np.column_stack([t, 0.3 * t]),
        "line, 10-D": np.column_stack([t, *[0.1 * i * t for i in range(9)]]),
        "sine": np.column_stack([6 * t, np.sin(6 * np.pi * t)]),
        "helix": np.column_stack([np.cos(s), np.sin(s), 3 * t]),
        "S": np.column_stack([np.sin(1.5 * a - 0.75 * np.pi * 2), 2 * t, np.zeros_like(t)]),
        "polygon": np.array(_SHARP_TURNS),
    }
    lines = {name: Polyline(vertices) for name, vertices in found.items()}
    lines["smooth, 50-D"] = smooth_curve(50, seed=7)
    return lines


def curve(name: str) -> Polyline:
    """The curve of this name."""
    known = curves()
    if name not in known:
        raise ValueError(f"no curve {name!r}: choose among {', '.join(map(repr, known))}")
    return known[name]


def smooth_curve(dim: int, *, seed: int | None = None) -> Polyline:
    """Draw a smooth curve in `dim` dimensions: three sine waves, the longer the higher, with directions drawn."""
    if dim < 1:
        raise ValueError(f"a curve needs at least 1 dimension, got dim={dim}")
    random = np.random.default_rng(seed)
    t = np.linspace(0, 1, _FINE)
    vertices = np.zeros((_FINE, dim))
    for f in range(1, 4):
        height = random.normal(size=dim) / f**1.5
        vertices += height * np.sin(np.pi * f * t[:, None] + random.uniform(0, 2 * np.pi, dim))
    return Polyline(vertices)


def cubic_at(x: Array) -> Array:
    """Points of the paper's curve in the plane, y = 0.05 (x - 5)³."""
    return np.column_stack([x, 0.05 * (x - 5) ** 3])


def six_dimensional_at(t: Array) -> Array:
    """Points of the paper's curve in six dimensions."""
    return np.column_stack([0.5 * t * np.cos(t), 0.5 * t * np.sin(t), 0.5 * t, -t, np.sqrt(t), 2 * np.log(t + 1)])


def extent(curve: Polyline) -> float:
    """Size to which noise is relative: the longest side, in many dimensions the diagonal of the box over √2."""
    box = np.ptp(curve.vertices, axis=0)
    return float(box.max() if curve.dim <= 10 else np.linalg.norm(box) / np.sqrt(2))


def noisy_stream(curve: Polyline, n: int, sigma: float, *, seed: int | None = None, order: str = "random") -> Array:
    """Make n points uniform along a curve, with noise of standard deviation `sigma` in each coordinate.

    `order` is "random" or "sorted" (from the curve's beginning to its end).
    """
    check_order(order)
    random = np.random.default_rng(seed)
    places = random.uniform(0, curve.length, n)
    if order == "sorted":
        places.sort()
    return np.asarray(curve.point_at(places) + sigma * random.standard_normal((n, curve.dim)))


def check_order(order: str) -> None:
    """Refuse an order that no generator knows."""
    if order not in ("random", "sorted"):
        raise ValueError(f'order must be "random" or "sorted", got {order!r}')
