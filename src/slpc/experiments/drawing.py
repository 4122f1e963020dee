"""How all figures of the page look: one palette, which colour-blind readers can tell apart, and plain axes."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from slpc.plot import CURVE, POINTS, TRUTH
from slpc.polyline import Array, Polyline, as_points

PRINCURVE, NEW_POINT, MAP = "#009E73", "#CC79A7", "#999999"
COLOURS = (CURVE, PRINCURVE, "#0072B2", "#E69F00", NEW_POINT, POINTS)


def panels(n: int, *, columns: int, width: float = 4.2, height: float = 3.6) -> tuple[Figure, list[Axes]]:
    """A figure of `n` axes side by side, in rows."""
    columns = min(n, columns)
    rows = -(-n // columns)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    axes = [figure.add_subplot(rows, columns, i + 1) for i in range(n)]
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure, axes


def points(ax: Axes, X: ArrayLike, *, size: float = 4.0) -> None:
    """The points of a stream."""
    ax.plot(*as_points(X, 2).T, ".", color=POINTS, markersize=size, alpha=0.8, zorder=1)


def line(ax: Axes, curve: Polyline, colour: str = CURVE, *, vertices: bool = True, **style: Any) -> None:
    """A curve, with its vertices unless they are too many to mean something."""
    marker = "o" if vertices else None
    ax.plot(*curve.vertices.T, **{"color": colour, "linewidth": 1.8, "marker": marker, "markersize": 3.5} | style)


def truth(ax: Axes, curve: Polyline) -> None:
    """The curve that the points were made around."""
    ax.plot(*curve.vertices.T, "--", color=TRUTH, linewidth=1, zorder=1.5)


def new_point(ax: Axes, x: Array) -> None:
    """The observation that has just come."""
    ax.plot(*x, "D", color=NEW_POINT, markersize=6, markeredgecolor="black", markeredgewidth=0.6, zorder=5)


def animate(figure: Figure, draw: Callable[[int], object], frames: int, *, per_second: float = 8) -> bytes:
    """A GIF of what `draw` makes of the figure for each frame's number; the last frame stays."""
    from tempfile import TemporaryDirectory

    animation = FuncAnimation(
        figure, lambda i: draw(min(i, frames - 1)), frames=frames + int(2 * per_second), init_func=lambda: None
    )
    with TemporaryDirectory() as folder:
        path = f"{folder}/animation.gif"
        animation.save(path, writer=PillowWriter(fps=per_second), dpi=80)
        with open(path, "rb") as file:
            return file.read()


def png(figure: Figure) -> bytes:
    """The figure as a PNG file."""
    return _saved(figure, "png")


def svg(figure: Figure) -> bytes:
    """The figure as an SVG file."""
    return _saved(figure, "svg")


def _saved(figure: Figure, kind: str) -> bytes:
    file = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {}
    figure.savefig(file, format=kind, dpi=130, facecolor="white", metadata=metadata)
    return file.getvalue()
