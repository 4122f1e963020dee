"""The paper's drawings: what a principal curve is, what the actions are, and what one new point changes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Circle
from numpy.typing import NDArray
from rich.progress import Progress
from sklearn.cluster import KMeans

from slpc.batch import PolygonalLine
from slpc.data import cubic, curve, six_dimensional
from slpc.estimator import SLPC
from slpc.evaluate import path_through
from slpc.experiments import drawing
from slpc.experiments.section import Picture, Section
from slpc.paper import Lattice
from slpc.paper.partition import neighbourhood, neighbourhood_range
from slpc.polyline import Array, Cell, Polyline

_SEED = 0
_MANY = 30  # segments that follow the noise
_STAYS = 0.05  # a vertex that moves by less has not moved: half the noise


def run(quick: bool, progress: Progress) -> Section:
    """All drawings."""
    drawings = (_numbers_of_segments, _lattice, _voronoi, _two_moments, _one_new_point, _six_dimensions)
    pictures = [draw() for draw in progress.track(drawings, description="Figures")]
    text = "The drawings of the paper, made anew. Dashed black lines are the true curves, blue dots the points seen."
    return Section("Figures", [text], list(pictures), f"seeds {_SEED} and {_SEED + 1} of the points")


def _numbers_of_segments() -> Picture:
    X = cubic(100, noise=0.35, order="random", seed=_SEED)
    figure, axes = drawing.panels(3, columns=3)
    right = SLPC().fit(X).curve_
    few = PolygonalLine(max_segments=1).fit(X).curve_
    centres = KMeans(_MANY + 1, n_init=1, random_state=_SEED).fit(X).cluster_centers_
    many = path_through(centres)
    for ax, found, title in zip(axes, (few, right, many), ("too small", "chosen by slpc", "too large"), strict=True):
        drawing.points(ax, X)
        drawing.truth(ax, curve("cubic"))
        drawing.line(ax, found)
        ax.set_title(f"k = {found.n_segments}: {title}", fontsize=10)
    caption = (
        "One segment misses the bends, thirty follow the noise of single points; slpc chose the number in the middle "
        "by itself (left: the best segment; right: a short path through the centres of 31 clusters)."
    )
    return Picture("number_of_segments", caption, figure)


def _lattice() -> Picture:
    lattice = Lattice(radius=1, spacing=0.25, dim=2)
    points = lattice.points
    X = np.column_stack([x := np.linspace(-1, 1, 40), np.sin(2.5 * x) * 0.6])
    X = X + 0.06 * np.random.default_rng(_SEED).standard_normal(X.shape)
    held = Polyline(lattice.position([lattice.nearest(x) for x in ((-1, -0.4), (-0.6, -0.65), (0.6, 0.65), (1, 0.4))]))
    figure, (ax,) = drawing.panels(1, columns=1, width=5, height=4.8)
    ax.add_patch(Circle((0, 0), lattice.ball_radius, fill=False, color="black", linewidth=1))
    ax.plot(*points.T, "+", color=drawing.MAP, markersize=6)
    drawing.points(ax, X, size=6)
    drawing.line(ax, held)
    ax.set_aspect("equal")
    ax.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5))
    caption = (
        f"The lattice Q of the paper: {len(points)} points (grey), 0.25 apart, in the ball of radius √d R with d = 2 "
        "and R = 1. An action is a polygonal line with vertices on it (orange)."
    )
    return Picture("lattice", caption, figure)


def _voronoi() -> Picture:
    line = Polyline([[-1.6, -0.5], [-0.5, 0.6], [0.7, -0.3], [1.7, 0.7]])
    x = np.array([1.3, -0.55])
    side = np.linspace(-2.4, 2.4, 500)
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(side, side[np.abs(side) < 1.7])])
    rows = len(grid) // len(side)
    codes = np.asarray(line.voronoi_codes(grid).reshape(rows, len(side)), dtype=np.int64)
    low, high = neighbourhood_range(line, x)
    figure, (ax,) = drawing.panels(1, columns=1, width=6.4, height=4.6)
    inside = np.where((codes >= low) & (codes <= high), 2, 0) + codes % 2
    shades = ListedColormap(["#ececec", "#f8f8f8", "#bfe0f5", "#def0fa"])
    extent = (side[0], side[-1], grid[0, 1], grid[-1, 1])
    ax.imshow(inside, origin="lower", extent=extent, cmap=shades, vmin=0, vmax=3, interpolation="nearest")
    for edges in (codes >= code for code in range(1, 2 * line.n_segments + 1)):
        ax.contour(side, grid[:: len(side), 1], edges, levels=[0.5], colors="black", linewidths=0.6)
    drawing.line(ax, line)
    drawing.new_point(ax, x)
    _name_cells(ax, line, grid, codes)
    ax.annotate("x", (x[0], x[1]), xytext=(6, 4), textcoords="offset points")
    names = ", ".join(str(cell) for cell in neighbourhood(line, x))
    caption = (
        "The Voronoi partition of the plane by a line of three segments: V cells are nearest to a vertex, S cells "
        f"to a segment. Blue: the neighbourhood N(x) of the diamond x, the cells {names}."
    )
    return Picture("voronoi", caption, figure)


def _name_cells(ax: Axes, line: Polyline, grid: Array, codes: NDArray[np.int64]) -> None:
    flat = codes.ravel()
    distances = line.squared_distances(grid)
    for code in range(2 * line.n_segments + 1):
        cell = grid[(flat == code) & (distances < 1.0) & (distances > 0.04)]
        if len(cell):
            # The point of the cell that is nearest to its middle, which need not lie in it.
            at = cell[np.argmin(np.square(cell - cell.mean(axis=0)).sum(axis=1))]
            ax.text(at[0], at[1], str(Cell.decode(code)), fontsize=10, ha="center", va="center")


def _two_moments() -> Picture:
    X = cubic(101, seed=_SEED)
    figure, axes = drawing.panels(4, columns=2, width=5, height=3.2)
    for i, t in enumerate((75, 100)):
        for ax, (name, model, colour) in zip(
            (axes[i], axes[i + 2]),
            drawing.learners(),
            strict=True,
        ):
            drawing.points(ax, X[:t])
            drawing.truth(ax, curve("cubic"))
            drawing.line(ax, model.fit(X[:t]).curve_, colour, vertices=name == "slpc")
            drawing.new_point(ax, X[t])
            ax.set_title(f"{name}, t = {t}", fontsize=10)
    caption = (
        "The curve learnt from the first t points of the stream of Table 1, in sorted order, and the next point "
        "(diamond). princurve (green) leaves the middle of the points where they bend; slpc (orange) stays in it."
    )
    return Picture("two_moments", caption, figure)


def _one_new_point() -> Picture:
    X = cubic(100, order="random", seed=_SEED + 1)
    t, before, after = local_change(X)
    figure, axes = drawing.panels(3, columns=3)
    around = np.vstack([after.vertices[_moved(before, after)], before.vertices[_moved(after, before)], X[t]])
    low, high = around.min(axis=0) - 0.8, around.max(axis=0) + 0.8
    for ax, title in zip(axes, (f"t = {t}", f"t = {t + 1}", f"t = {t + 1}, near the point"), strict=True):
        late = ax is not axes[0]
        drawing.points(ax, X[: t + late])
        if late:
            drawing.line(ax, before, "black", linewidth=1, linestyle="--", markersize=2.5)
        drawing.line(ax, after if late else before)
        drawing.new_point(ax, X[t])
        ax.set_title(title, fontsize=10)
    axes[2].set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    caption = (
        "What one new point (diamond) changes: left the curve before it; in the middle, and closer on the right, "
        "the curve after it, over the one before (dashed). Vertices away from the point stay where they are "
        f"(they move by less than {_STAYS:g}, half the noise)."
    )
    return Picture("one_new_point", caption, figure)


def local_change(X: Array) -> tuple[int, Polyline, Polyline]:
    """The moment in the second half when the curve moved most while at least half of its vertices stayed."""
    model = SLPC().partial_fit(X[: len(X) // 2])
    found: list[tuple[float, int, Polyline, Polyline]] = []
    for t in range(len(X) // 2, len(X)):
        before = model.curve_
        after = model.partial_fit(X[t]).curve_
        if np.mean(_moved(before, after)) <= 0.5:
            found.append((float(before.squared_distances(after.vertices).max()), t, before, after))
    _, t, before, after = max(found, key=lambda change: change[0])
    return t, before, after


def _moved(before: Polyline, after: Polyline) -> NDArray[np.bool_]:
    """Which vertices of the new curve are not those of the old one."""
    gaps = np.square(after.vertices[:, None] - before.vertices[None]).sum(axis=2).min(axis=1)
    return np.asarray(gaps > _STAYS**2)


def _six_dimensions() -> Picture:
    X = six_dimensional(seed=_SEED)
    true = curve("6-D").vertices
    t = len(X) - 1
    found = SLPC().fit(X[:t]).curve_
    figure, axes = drawing.panels(3, columns=3)
    for ax, pair in zip(axes, ((0, 1), (2, 4), (3, 5)), strict=True):
        columns = list(pair)
        drawing.points(ax, X[:t, columns])
        drawing.truth(ax, Polyline(true[:, columns]))
        drawing.line(ax, Polyline(found.vertices[:, columns]))
        drawing.new_point(ax, X[t, columns])
        ax.set(xlabel=f"coordinate {pair[0] + 1}", ylabel=f"coordinate {pair[1] + 1}")
    caption = (
        f"The curve of Table 2 in six dimensions, learnt from {t} points, seen in three pairs of coordinates, "
        "and the last point (diamond)."
    )
    return Picture("six_dimensions", caption, figure)
