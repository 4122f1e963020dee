"""Longitudes and latitudes: boxes, and longitudes around a centre, so that the antimeridian need not cut a zone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from slpc.polyline import Array

Interval = tuple[float, float]


def lonlat(lon: Array, lat: Array, centre: float) -> Array:
    """Columns longitude and latitude, longitudes less than half a turn away from a central one."""
    turned = np.where(lon > centre + 180, lon - 360, np.where(lon < centre - 180, lon + 360, lon))
    return np.column_stack([turned, lat])


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
