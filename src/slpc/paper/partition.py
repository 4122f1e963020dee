"""The Voronoi partition of a line, the neighbourhood N(x) of a point, and the local grid around it (SPEC 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.kernels.projection import diameter
from slpc.paper.lattice import Coordinates, Lattice
from slpc.polyline import TIE, Array, Cell, Polyline, as_points


def neighbourhood_range(f: Polyline, x: ArrayLike, *, both_sides: bool = False) -> tuple[int, int]:
    """First and last cell of N(x), in `Polyline.voronoi_codes`: those touching the segment that carries x.

    A point whose projection is an inner vertex is carried by the segment that starts there. With
    `both_sides` the cells of the segment that ends there are added, so that a line and its reverse agree.
    """
    segment = int(f.project(x).segment[0])
    low, high = 2 * segment - 1, 2 * segment + 3
    code = int(f.voronoi_codes(x)[0])
    if both_sides and code % 2 == 0 and 0 < code < 2 * f.n_segments:
        low, high = code - 3, code + 3
    return max(low, 0), min(high, 2 * f.n_segments)


def neighbourhood(f: Polyline, x: ArrayLike, *, both_sides: bool = False) -> list[Cell]:
    """N(x): the Voronoi cells around the segment that carries x, in their order along the line."""
    low, high = neighbourhood_range(f, x, both_sides=both_sides)
    return [Cell.decode(code) for code in range(low, high + 1)]


@dataclass(frozen=True)
class Local:
    """Where a line may change next: U(f) has its vertices before `low` and from `high` on.

    Between them stand `high - low` vertices now, part (ii) of the paper, which may be replaced by one fewer,
    as many or one more points of the local grid.
    """

    low: int
    high: int
    centre: Array
    """Mean of the data in N(x)."""
    radius: float
    """Their diameter; at least √d δ, so that the grid is not empty."""
    data: Array
    """The data in N(x)."""
    lattice: Lattice

    def grid(self) -> Coordinates:
        """The local grid Q_{δ,t}(x), in lattice coordinates."""
        return self.lattice.ball(self.centre, self.radius)

    def holds(self, coordinates: Coordinates) -> NDArray[np.bool_]:
        """Which of these lattice points belong to the local grid."""
        return self.lattice.contains(coordinates) & in_ball(
            self.lattice.position(coordinates), self.centre, self.radius
        )


def in_ball(points: Array, centre: Array, radius: float) -> NDArray[np.bool_]:
    """Which points lie in a ball, up to rounding (as `Lattice.ball`)."""
    return np.asarray(np.square(points - centre).sum(axis=-1) <= radius * radius * (1 + TIE))


def local_part(
    f: Polyline, x: ArrayLike, seen: Array, lattice: Lattice, *, both_sides: bool, max_free: int | None
) -> Local:
    """The part of `f` that the point x may change, given the data `seen` so far, x among them."""
    point = as_points(x, f.dim)
    first, last = neighbourhood_range(f, point, both_sides=both_sides)
    codes = f.voronoi_codes(seen)
    data = seen[(codes >= first) & (codes <= last)]
    centre = data.mean(axis=0)
    radius = max(diameter_of(data - centre), np.sqrt(lattice.dim) * lattice.spacing)
    free = in_ball(f.vertices, centre, radius)
    segment = int(f.project(point).segment[0])
    low, high = split(free, segment, int(f.voronoi_codes(point)[0]), max_free)
    return Local(low, high, centre, radius, data, lattice)


def diameter_of(centred: Array) -> float:
    """Greatest distance between two points."""
    norms = np.sqrt(np.square(centred).sum(axis=1))
    return float(diameter(centred, np.argsort(-norms, kind="stable"), norms))


def split(free: NDArray[np.bool_], segment: int, code: int, max_free: int | None) -> tuple[int, int]:
    """Part (ii) as a range of vertices: the run of `free` ones around the carrying segment.

    At most `max_free` of them, those next to the segment first. Where neither end of the segment is free the
    range is empty and stands where a new vertex may go in: on the segment, or beyond an end of the line that
    the point projects on (`code` is that of the point's cell).
    """
    left, right = bool(free[segment]), bool(free[segment + 1])
    if not (left or right):
        slot = 0 if code == 0 else len(free) if code == 2 * (len(free) - 1) else segment + 1
        return slot, slot
    low = segment if left else segment + 1
    high = segment + 2 if right else segment + 1
    most = len(free) if max_free is None else max_free
    if high - low > most:  # one vertex only: the one the point projects on, or the first
        low = code // 2 if code in (2 * low, 2 * high - 2) else low
        return low, low + most
    grows = True
    while grows:
        grows = False
        if high < len(free) and free[high] and high - low < most:
            high, grows = high + 1, True
        if low > 0 and free[low - 1] and high - low < most:
            low, grows = low - 1, True
    return low, high
