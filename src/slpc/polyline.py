"""The curve: an immutable polygonal line with its geometry."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.kernels.projection import project

Array = NDArray[np.float64]

TIE = 1e-12
"""Places of the curve whose distances to a point differ by less than this part are equally near."""

_LARGEST = 1e150  # squares of anything larger overflow; of anything smaller than its inverse, underflow


class Cell(NamedTuple):
    """A cell of the Voronoi partition: that of a vertex ("V") or of a segment ("S"), counted from 1."""

    kind: Literal["V", "S"]
    number: int

    def __str__(self) -> str:
        return f"{self.kind}{self.number}"

    @classmethod
    def decode(cls, code: int) -> Cell:
        """The cell with this code: its place in V₁, S₁, V₂, S₂, …, counted from 0."""
        return cls("S" if code % 2 else "V", code // 2 + 1)


class Projection(NamedTuple):
    """Where points fall on a curve; one entry a point."""

    arc_length: Array
    """Distance from the beginning of the curve, measured along it."""
    point: Array
    """Nearest point of the curve, (n, d)."""
    squared_distance: Array
    """The paper's loss Δ(f, x)."""
    segment: NDArray[np.int64]
    """Index, from 0, of the segment that carries the nearest point."""


class Polyline:
    """A polygonal line: `n_segments` segments through `n_segments + 1` vertices of ℝᵈ.

    Instances never change. Where several places of the curve are equally near to a point, the one furthest
    along the curve is taken (the supremum in the definition of the projection index).

    Parameters
    ----------
    vertices : array of shape (n_segments + 1, d)
        At least two, finite, no two consecutive ones equal.

    Examples
    --------
    >>> from slpc import Polyline
    >>> corner = Polyline([[0, 0], [3, 0], [3, 4]])
    >>> corner.length
    7.0
    >>> corner.project([[1, 2]]).squared_distance
    array([4.])

    """

    __slots__ = ("_arc", "_vertices")
    _vertices: Array
    _arc: Array

    def __init__(self, vertices: ArrayLike) -> None:
        values = _checked_vertices(vertices)
        self._set(values)

    @classmethod
    def trusted(cls, vertices: Array) -> Polyline:
        """Wrap vertices already known to be valid, without checking or copying them."""
        new = cls.__new__(cls)
        new._set(vertices)
        return new

    def _set(self, vertices: Array) -> None:
        vertices.flags.writeable = False
        arc = np.zeros(len(vertices))
        np.cumsum(np.sqrt(np.square(np.diff(vertices, axis=0)).sum(axis=1)), out=arc[1:])
        arc.flags.writeable = False
        object.__setattr__(self, "_vertices", vertices)
        object.__setattr__(self, "_arc", arc)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Polyline never changes: cannot set {name!r}; make a new one")

    def __reduce__(self) -> tuple[type[Polyline], tuple[Array]]:
        return Polyline, (np.array(self._vertices),)

    # -- what it is ---------------------------------------------------------------------------------------

    @property
    def vertices(self) -> Array:
        """The vertices, (n_segments + 1, d), read-only."""
        return self._vertices

    @property
    def n_segments(self) -> int:
        """Number of segments, K(f) in the paper."""
        return len(self._vertices) - 1

    @property
    def dim(self) -> int:
        """Dimension d of the space the curve lies in."""
        return int(self._vertices.shape[1])

    @property
    def length(self) -> float:
        """Total length, L(f) in the paper."""
        return float(self._arc[-1])

    @property
    def vertex_arc_lengths(self) -> Array:
        """Arc length at each vertex, from 0 to `length`, read-only."""
        return self._arc

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polyline) and np.array_equal(self._vertices, other._vertices)

    def __hash__(self) -> int:
        # Adding 0.0 makes -0.0 and 0.0, which are equal, hash alike.
        return hash((self._vertices.shape, (self._vertices + 0.0).tobytes()))

    def __repr__(self) -> str:
        segments = "1 segment" if self.n_segments == 1 else f"{self.n_segments} segments"
        return f"<Polyline: {segments}, length {self.length:.6g}, in {self.dim} dimensions>"

    # -- geometry -----------------------------------------------------------------------------------------

    def project(self, X: ArrayLike) -> Projection:
        """Nearest point of the curve for each row of `X` (or for one point)."""
        points = as_points(X, self.dim)
        carrier, tau, dist2 = self._project(points)
        start, end = self._vertices[carrier], self._vertices[carrier + 1]
        at = tau[:, None]
        nearest = np.where(at <= 0.5, start + at * (end - start), end + (at - 1.0) * (end - start))
        arc = self._arc[carrier] + tau * (self._arc[carrier + 1] - self._arc[carrier])
        return Projection(arc, nearest, dist2, carrier)

    def squared_distances(self, X: ArrayLike) -> Array:
        """The paper's loss Δ(f, x) for each row of `X`."""
        return self._project(as_points(X, self.dim))[2]

    def _project(self, points: Array) -> tuple[NDArray[np.int64], Array, Array]:
        n = len(points)
        carrier, tau, dist2 = np.empty(n, np.int64), np.empty(n), np.empty(n)
        extent = np.ptp(self._vertices, axis=0)
        # The squared distance of a point on the curve is rounding alone: compare it with the curve's size.
        project(self._vertices, points, TIE**2 * float(extent @ extent), carrier, tau, dist2)
        return carrier, tau, dist2

    def voronoi_cell(self, x: ArrayLike) -> Cell:
        """Cell of the Voronoi partition that `x` lies in, in the paper's numbering (from 1)."""
        return Cell.decode(int(self.voronoi_codes(_one_point(x, self.dim))[0]))

    def voronoi_codes(self, X: ArrayLike) -> NDArray[np.int64]:
        """Cell of each row of `X` as a code: its place in V₁, S₁, V₂, S₂, …, counted from 0."""
        carrier, tau, _ = self._project(as_points(X, self.dim))
        return np.where(tau <= TIE, 2 * carrier, np.where(tau >= 1 - TIE, 2 * carrier + 2, 2 * carrier + 1))

    def point_at(self, s: ArrayLike) -> Array:
        """Point of the curve at arc length `s`; lengths beyond an end give that end.

        A number gives one point (d,), an array of shape (n,) or (n, 1) gives (n, d).
        """
        at = np.asarray(s, dtype=np.float64)
        if at.ndim > 2 or (at.ndim == 2 and at.shape[1] != 1):
            raise ValueError(f"arc lengths must be one number or a column of them, got shape {at.shape}")
        flat = at.reshape(-1)
        if np.isnan(flat).any():
            raise ValueError(f"arc length {int(np.argmax(np.isnan(flat)))} is NaN")
        flat = np.clip(flat, 0.0, self.length)
        i = np.clip(np.searchsorted(self._arc, flat, side="right") - 1, 0, self.n_segments - 1)
        tau = ((flat - self._arc[i]) / (self._arc[i + 1] - self._arc[i]))[:, None]
        points = np.where(
            tau < 1.0, self._vertices[i] + tau * (self._vertices[i + 1] - self._vertices[i]), self._vertices[i + 1]
        )
        return points[0] if at.ndim == 0 else points

    def reversed(self) -> Polyline:
        """The same line, run through from its end to its beginning."""
        return Polyline(self._vertices[::-1])

    def trim(self, s0: float, s1: float) -> Polyline:
        """The part between arc lengths `s0` and `s1`, with 0 ≤ s0 < s1 ≤ length."""
        if not 0.0 <= s0 < s1 <= self.length:
            raise ValueError(f"trim needs 0 <= s0 < s1 <= {self.length:.6g} (the length), got s0={s0}, s1={s1}")
        inner = self._vertices[(self._arc > s0) & (self._arc < s1)]
        vertices = np.concatenate([self.point_at([s0]), inner, self.point_at([s1])])
        return Polyline(vertices[_distinct(vertices)])

    def resample(self, n: int) -> Polyline:
        """A polygonal line through `n` points of this one, equally spaced in arc length.

        Where two neighbours among them are the same point (a line that turns back) it is taken once.
        """
        if n < 2:
            raise ValueError(f"resample needs at least 2 vertices, got n={n}")
        vertices = self.point_at(np.linspace(0.0, self.length, n))
        kept = vertices[_distinct(vertices)]
        if len(kept) < 2:
            raise ValueError(f"all {n} points fall on one place of this closed line: take more of them")
        return Polyline(kept)

    # -- out and in ---------------------------------------------------------------------------------------

    def to_geojson(self, properties: dict[str, Any] | None = None) -> dict[str, Any]:
        """A GeoJSON Feature; in two or three dimensions, longitude (x) before latitude (y)."""
        if self.dim not in (2, 3):
            raise ValueError(f"GeoJSON positions have 2 or 3 coordinates, this curve has {self.dim}; use to_dict()")
        geometry = {"type": "LineString", "coordinates": self._vertices.tolist()}
        return {"type": "Feature", "geometry": geometry, "properties": dict(properties or {})}

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings, exact, for JSON; `from_dict` reads them back."""
        return {"type": "slpc.Polyline", "vertices": self._vertices.tolist()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Polyline:
        """Read what `to_dict` wrote."""
        if not isinstance(data, dict) or data.get("type") != "slpc.Polyline" or "vertices" not in data:
            raise ValueError("not a curve: expected {'type': 'slpc.Polyline', 'vertices': [...]}")
        return cls(data["vertices"])


def as_points(X: ArrayLike, dim: int | None) -> Array:
    """`X` as a contiguous (n, dim) array of finite numbers; one point becomes one row."""
    points = _as_matrix(X, "points", one_row=True)
    if dim is not None and points.shape[1] != dim:
        raise ValueError(f"points have {points.shape[1]} coordinates, expected {dim}")
    return points


def _one_point(x: ArrayLike, dim: int) -> Array:
    points = as_points(x, dim)
    if len(points) != 1:
        raise ValueError(f"expected one point, got {len(points)}")
    return points


def _as_matrix(values: ArrayLike, what: str, *, one_row: bool) -> Array:
    try:
        matrix = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must be a table of numbers, with as many in each row ({error})") from None
    if one_row and matrix.ndim == 1 and matrix.size:
        matrix = matrix[None, :]
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise ValueError(f"{what} must have shape (n, d) with d >= 1, got {matrix.shape}")
    bad = ~np.isfinite(matrix) | (np.abs(matrix) > _LARGEST)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{what} must be finite and below {_LARGEST:g}: row {row}, coordinate {column} is {matrix[row, column]}"
        )
    return matrix


def _checked_vertices(vertices: ArrayLike) -> Array:
    values = np.array(_as_matrix(vertices, "vertices", one_row=False))
    if len(values) < 2:
        raise ValueError(f"a polygonal line needs at least two vertices, got {len(values)}")
    steps = np.abs(np.diff(values, axis=0)).max(axis=1)
    if steps.min() <= 1.0 / _LARGEST:
        i = int(np.argmin(steps))
        raise ValueError(f"vertices {i} and {i + 1} coincide: a segment needs a length above {1.0 / _LARGEST:g}")
    return values


def _distinct(vertices: Array) -> NDArray[np.bool_]:
    """Mark the vertices to keep so that none equals the one before it."""
    keep = np.ones(len(vertices), dtype=np.bool_)
    keep[:-1] = np.abs(np.diff(vertices, axis=0)).max(axis=1) > 1.0 / _LARGEST
    return keep
