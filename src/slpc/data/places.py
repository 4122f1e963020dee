"""Longitudes and latitudes: boxes, and longitudes around a centre, so that the antimeridian need not cut a zone."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from slpc.data.files import Skipped
from slpc.polyline import Array

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """What was read from a file: one entry for each usable row in every column."""

    lon: Array
    """Degrees east, in [-180, 180]."""
    lat: Array
    """Degrees north."""
    skipped: tuple[Skipped, ...]
    """Rows of the file that were left out."""

    def __len__(self) -> int:
        return len(self.lon)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} rows, {len(self.skipped)} left out in reading>"

    def points(self, centre: float = 0.0) -> Array:
        """Longitude and latitude, (n, 2); longitudes within half a turn of `centre` (180 for the Pacific)."""
        too_far_east, too_far_west = self.lon > centre + 180, self.lon < centre - 180
        return np.column_stack([self.lon - 360 * too_far_east + 360 * too_far_west, self.lat])

    def _taken(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        columns = {field.name: getattr(self, field.name)[which] for field in fields(self) if field.name != "skipped"}
        return replace(self, **columns)


def in_box(lon: Array, lat: Array, lon_range: Interval | None, lat_range: Interval | None) -> NDArray[np.bool_]:
    """Which places lie in a box, edges included; longitudes (170, -170) go eastwards over the antimeridian."""
    inside = np.ones(len(lon), dtype=np.bool_)
    if lon_range is not None:
        west, east = lon_range
        if east - west < 360:
            inside &= (lon - west) % 360 <= (east - west) % 360
    if lat_range is not None:
        inside &= between(lat, lat_range, "lat")
    return inside


def between(values: Array, limits: Interval, name: str) -> NDArray[np.bool_]:
    """Which values lie between two limits, both included."""
    low, high = limits
    if not low <= high:
        raise ValueError(f"{name} must go from a lower to a higher value, got {limits}")
    return np.asarray((values >= low) & (values <= high))
