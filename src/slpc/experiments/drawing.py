"""How all figures of the page look: one palette, which colour-blind readers can tell apart, and plain axes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from matplotlib.animation import PillowWriter
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from slpc.batch import HastieStuetzle
from slpc.estimator import SLPC
from slpc.plot import CURVE, POINTS, TRUTH
from slpc.polyline import Array, Polyline, as_points

PRINCURVE, NEW_POINT, MAP = "#009E73", "#CC79A7", "#999999"


def learners() -> list[tuple[str, HastieStuetzle | SLPC, str]]:
    """The two that the paper's figures compare: name, model and colour."""
    return [("princurve", HastieStuetzle(), PRINCURVE), ("slpc", SLPC(), CURVE)]


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
    look: dict[str, Any] = {"color": colour, "linewidth": 1.8, "marker": marker, "markersize": 3.5}
    ax.plot(*curve.vertices.T, **(look | style))


def truth(ax: Axes, curve: Polyline) -> None:
    """The curve that the points were made around."""
    ax.plot(*curve.vertices.T, "--", color=TRUTH, linewidth=1, zorder=1.5)


def new_point(ax: Axes, x: Array) -> None:
    """The observation that has just come."""
    ax.plot(*x, "D", color=NEW_POINT, markersize=6, markeredgecolor="black", markeredgewidth=0.6, zorder=5)


def animate(figure: Figure, draw: Callable[[int], None], frames: int, *, per_second: int = 8) -> bytes:
    """A GIF of what `draw` makes of the figure for each frame's number; the last frame stays for two seconds."""
    writer = PillowWriter(fps=per_second)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "animation.gif"
        with writer.saving(figure, str(path), dpi=80):
            for frame in [*range(frames), *[frames - 1] * (2 * per_second)]:
                draw(frame)
                writer.grab_frame()
        return path.read_bytes()


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
