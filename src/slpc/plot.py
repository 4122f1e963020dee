"""Pictures, on matplotlib (extra ``plot``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from slpc.polyline import Polyline, as_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette: told apart by colour-blind readers, too.
POINTS, CURVE, TRUTH = "#56B4E9", "#D55E00", "#000000"


def plot_curve(
    curve: Polyline, X: ArrayLike | None = None, *, truth: Polyline | None = None, ax: Axes | None = None
) -> Axes:
    """Draw a curve of the plane over the points it summarises, and the true curve where it is known."""
    if curve.dim != 2:
        raise ValueError(f"plot_curve draws curves of the plane, this one has {curve.dim} dimensions")
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise ImportError("pictures need matplotlib: pip install 'slpc[plot]'") from None
        ax = plt.subplots(figsize=(8, 6), layout="constrained")[1]
    if X is not None:
        points = as_points(X, 2)
        ax.plot(*points.T, ".", color=POINTS, markersize=3, alpha=0.6, label=f"{len(points):,} points")
    if truth is not None:
        ax.plot(*truth.vertices.T, "--", color=TRUTH, linewidth=1, label="true curve")
    label = "1 segment" if curve.n_segments == 1 else f"{curve.n_segments} segments"
    ax.plot(*curve.vertices.T, "-o", color=CURVE, linewidth=2, markersize=4, label=f"curve, {label}")
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
