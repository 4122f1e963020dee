"""True curves and noisy streams along them."""

import numpy as np

from slpc import Polyline


def curves():
    """Curves by name, as fine polygonal lines."""
    t = np.linspace(0, 1, 4001)
    x, a, s = 10 * t, 2 * np.pi * t, 4 * np.pi * t
    corners = np.array([[0, 0], [1, 0.1], [0.2, 0.5], [1, 0.9], [0.1, 1.3], [0.9, 1.7], [0.3, 2.0]])
    smooth = np.zeros((len(t), 50))
    random = np.random.default_rng(7)
    for f in range(1, 4):
        smooth += random.normal(size=50) / f**1.5 * np.sin(np.pi * f * t[:, None] + random.uniform(0, 2 * np.pi, 50))
    zeros = np.zeros_like
    found = {
        "cubic": [x, 0.05 * (x - 5) ** 3],
        "6-D": [0.5 * a * np.cos(a), 0.5 * a * np.sin(a), 0.5 * a, -a, np.sqrt(a), 2 * np.log(a + 1)],
        "spiral": [(0.1 + t) * np.cos(s), (0.1 + t) * np.sin(s)],
        "half circle": [np.cos(a / 2), np.sin(a / 2)],
        "corner": [np.minimum(2 * t, 1), np.maximum(2 * t - 1, 0)],
        "line": [t, 0.3 * t],
        "line, 10-D": [t, *[0.1 * i * t for i in range(9)]],
        "sine": [6 * t, np.sin(6 * np.pi * t)],
        "helix": [np.cos(s), np.sin(s), 3 * t],
        "S": [np.sin(1.5 * a - 0.75 * np.pi * 2), 2 * t, zeros(t)],
    }
    lines = {name: Polyline(np.column_stack(columns)) for name, columns in found.items()}
    lines["polygon"] = Polyline(corners)
    lines["smooth, 50-D"] = Polyline(smooth)
    return lines


def extent(curve):
    """Size to which the noise is relative: the longest side, in many dimensions the diagonal of the box over √2."""
    box = np.ptp(curve.vertices, axis=0)
    return float(box.max() if curve.dim <= 10 else np.linalg.norm(box) / np.sqrt(2))


def stream(curve, n, sigma, *, seed, order="random"):
    """Make n points uniform along a curve, with noise; `order` "random" or "sorted"."""
    random = np.random.default_rng(seed)
    places = random.uniform(0, curve.length, n)
    if order == "sorted":
        places.sort()
    return curve.point_at(places) + sigma * random.standard_normal((n, curve.dim))
