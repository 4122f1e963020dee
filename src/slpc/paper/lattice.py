"""Q_δ: the points of a lattice in the ball B(0, √d R), where the vertices of the paper's curves lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.polyline import Array, as_points

Coordinates = NDArray[np.int64]

_ROUNDING = 1e-12  # a point is in the ball up to this part of its squared radius
_MOST_POINTS = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """The lattice δℤᵈ + offset, cut by the ball of radius √d R around the origin.

    Parameters
    ----------
    radius : float
        The paper's R. The ball's own radius is √d R, so that it holds the cube [-R, R]ᵈ.
    spacing : float
        The paper's δ.
    dim : int
        The dimension d.
    offset : float or d floats
        Moves the whole lattice, in the units of the data: `spacing / 2` puts the origin in the middle of
        a cell. The ball stays where it is.

    """

    radius: float
    spacing: float
    dim: int
    offset: float | tuple[float, ...] = 0.0

    def __post_init__(self) -> None:
        for name in ("radius", "spacing"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a positive number, got {value!r}")
        if self.dim != int(self.dim) or self.dim < 1:
            raise ValueError(f"dim must be a whole number of at least 1, got {self.dim!r}")
        shift = np.asarray(self.offset, dtype=np.float64)
        if shift.shape not in ((), (self.dim,)) or not np.isfinite(shift).all():
            raise ValueError(f"offset must be a finite number or {self.dim} of them, got {self.offset!r}")
        object.__setattr__(self, "offset", float(shift) if shift.ndim == 0 else tuple(shift.tolist()))

    @property
    def ball_radius(self) -> float:
        """√d R: data and vertices are at most this far from the origin."""
        return float(np.sqrt(self.dim)) * self.radius

    @property
    def points(self) -> Array:
        """All of Q_δ, (|Q|, d), in lexicographic order; read-only."""
        return self._points

    @cached_property
    def _points(self) -> Array:
        points = self.position(self.ball(np.zeros(self.dim), self.ball_radius))
        points.flags.writeable = False
        return points

    @property
    def approximate_size(self) -> float:
        """Volume of the ball in cells: near |Q|, without listing the points."""
        return math.exp(log_ball_volume(self.dim)) * (self.ball_radius / self.spacing) ** self.dim

    def __len__(self) -> int:
        return len(self._points)

    def position(self, coordinates: ArrayLike) -> Array:
        """Where the lattice points of these whole-number coordinates lie."""
        return np.asarray(np.asarray(coordinates) * self.spacing + np.asarray(self.offset))

    def contains(self, coordinates: Coordinates) -> NDArray[np.bool_]:
        """Which of these lattice points lie in the ball B(0, √d R)."""
        inside = np.square(self.position(coordinates)).sum(axis=-1) <= self.ball_radius**2 * (1 + _ROUNDING)
        return np.asarray(inside)

    def ball(self, centre: ArrayLike, radius: float) -> Coordinates:
        """Coordinates of the points of Q_δ within `radius` of `centre`, in lexicographic order.

        This is the paper's local grid Q_{δ,t}(x) when `centre` is the mean of the neighbourhood's data and
        `radius` its diameter.
        """
        middle = np.broadcast_to(np.asarray(centre, dtype=np.float64), (self.dim,))
        offset = np.broadcast_to(np.asarray(self.offset), (self.dim,))
        reach2 = radius * radius * (1 + _ROUNDING)
        ball2 = self.ball_radius**2 * (1 + _ROUNDING)
        found = np.zeros((1, 0), dtype=np.int64)
        from_centre2, from_origin2 = np.zeros(1), np.zeros(1)
        for j in range(self.dim):
            # One coordinate of slack on either side: the squared distances below decide.
            low = max(middle[j] - radius, -self.ball_radius) - offset[j]
            high = min(middle[j] + radius, self.ball_radius) - offset[j]
            axis = np.arange(np.floor(low / self.spacing) - 1, np.ceil(high / self.spacing) + 2).astype(np.int64)
            if len(found) * len(axis) > 4 * _MOST_POINTS:
                raise ValueError(
                    f"the lattice has too many points to list (over {_MOST_POINTS:,}): "
                    f"take a larger spacing than {self.spacing:g} or a smaller radius than {radius:g}"
                )
            at = axis * self.spacing + offset[j]
            next_centre2 = from_centre2[:, None] + np.square(at - middle[j])
            next_origin2 = from_origin2[:, None] + np.square(at)
            row, column = np.nonzero((next_centre2 <= reach2) & (next_origin2 <= ball2))
            found = np.column_stack([found[row], axis[column]])
            from_centre2, from_origin2 = next_centre2[row, column], next_origin2[row, column]
        return found

    def nearest(self, x: ArrayLike) -> Coordinates:
        """Coordinates of the point of Q_δ nearest to each row of `x` (or to one point)."""
        points = as_points(x, self.dim)
        rounded = np.rint((points - np.asarray(self.offset)) / self.spacing).astype(np.int64)
        for i in np.flatnonzero(~self.contains(rounded)):
            rounded[i] = self._nearest_inside(points[i])
        return np.asarray(rounded[0] if np.ndim(x) == 1 else rounded)

    def _nearest_inside(self, x: Array) -> Coordinates:
        """The nearest point of Q_δ to an `x` whose own rounding is outside the ball."""
        from_origin = float(np.linalg.norm(x))
        target = x * min(1.0, self.ball_radius / from_origin) if from_origin > 0 else x
        gap2 = float(np.square(x - target).sum())
        reach = self.spacing * np.sqrt(self.dim)
        while True:
            near = self.ball(target, reach)
            if len(near):
                dist2 = np.square(self.position(near) - x).sum(axis=1)
                # The ball is convex, so |q - x|² >= |q - target|² + |x - target|² for all its points q.
                needed = float(np.sqrt(max(dist2.min() - gap2, 0.0)))
                if needed <= reach * (1 + _ROUNDING):
                    return np.asarray(near[int(np.argmin(dist2))])
                reach = needed
            elif reach > 2 * self.ball_radius:
                raise ValueError(f"no lattice point lies in the ball of radius {self.ball_radius:g}")
            else:
                reach *= 2


def log_ball_volume(d: int) -> float:
    """Ln V_d, the volume of the unit ball of ℝᵈ."""
    return 0.5 * d * math.log(math.pi) - math.lgamma(0.5 * d + 1)
