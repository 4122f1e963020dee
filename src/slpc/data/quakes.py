"""Earthquakes: the Centennial catalogue and the USGS's ComCat, in their own formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slpc.data.files import PathLike, Row, Skipped, UnusableRowError, csv_rows, find, read_lines, tell
from slpc.data.places import Interval, Places, between, in_box
from slpc.polyline import Array

_CENTENNIAL = "https://earthquake.usgs.gov/data/centennial/ (centennial_Y2K.CAT)"
_COMCAT = "https://earthquake.usgs.gov/earthquakes/search/ (output format: CSV)"

# Columns of the fixed-width file, counted from 0. Up to seven further magnitudes follow the first.
_COLUMNS = {
    "year": (12, 16),
    "month": (16, 19),
    "day": (19, 22),
    "hour": (22, 26),
    "minute": (26, 29),
    "second": (29, 35),
    "latitude": (36, 44),
    "longitude": (44, 52),
    "depth": (52, 58),
    "magnitude": (66, 70),
    "magnitude type": (70, 73),
}
_LAST_COLUMN = 73

_COMCAT_NAMES = {
    "time": ("time",),
    "longitude": ("longitude", "lon"),
    "latitude": ("latitude", "lat"),
    "depth": ("depth", "depth_km"),
    "magnitude": ("mag",),
    "magnitude type": ("magType", "mag_type"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Quakes(Places):
    """Earthquakes in the order of time; one entry each in every column."""

    time: NDArray[np.datetime64]
    """UTC, to the millisecond."""
    depth: Array
    """Kilometres; NaN where it is not known."""
    magnitude: Array
    """NaN where it is not known."""
    magnitude_type: NDArray[np.str_]
    """Such as "Mw" or "Ms"."""

    def within(
        self,
        *,
        lon: Interval | None = None,
        lat: Interval | None = None,
        magnitude: float | Interval | None = None,
    ) -> Quakes:
        """Those in a box and of a magnitude of at least a number, or between two; all limits included.

        `lon=(170, -170)` goes eastwards over the antimeridian.
        """
        inside = in_box(self.lon, self.lat, lon, lat)
        if magnitude is not None:
            limits = magnitude if isinstance(magnitude, tuple) else (magnitude, np.inf)
            inside &= between(self.magnitude, limits, "magnitude")
        return self._taken(inside)


def load_centennial(path: PathLike = "centennial_Y2K.CAT") -> Quakes:
    """Read the Centennial Earthquake Catalog (Engdahl and Villaseñor), the fixed-width file of the USGS.

    The magnitude is the first of those that the catalogue lists.
    """
    file = find(path, "centennial", _CENTENNIAL)
    return _quakes(file, _centennial_rows(file), _centennial_time)


def load_comcat(path: PathLike = "world.csv") -> Quakes:
    """Read a CSV file of the USGS's ComCat, as its search page gives it.

    The short column names lon, lat, depth_km and mag_type are understood too.
    """
    file = find(path, "comcat_m6", _COMCAT)
    return _quakes(file, csv_rows(file, _COMCAT_NAMES), Row.time)


def _centennial_rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), 1):
        row = Row(path, number, {name: line[start:end] for name, (start, end) in _COLUMNS.items()})
        if len(line) < _LAST_COLUMN:
            raise row.damaged(f"found {len(line)} characters, a row of the catalogue has at least {_LAST_COLUMN}")
        yield row


def _centennial_time(row: Row) -> datetime:
    year, month, day, hour, minute = (int(row.number(name)) for name in ("year", "month", "day", "hour", "minute"))
    try:
        start = datetime(year, month, day, hour, minute)
    except ValueError:
        raise UnusableRowError(f"time {year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d} does not exist") from None
    return start + timedelta(seconds=row.number("second", 0, 60))


def _quakes(path: Path, rows: Iterable[Row], time_of: Callable[[Row], datetime]) -> Quakes:
    times, places, kinds, skipped = [], [], [], []
    for row in rows:
        try:
            time, place = time_of(row), row.position()
        except UnusableRowError as reason:
            skipped.append(Skipped(row.line, str(reason)))
            continue
        times.append(time)
        places.append((*place, row.number_or_nan("depth"), row.number_or_nan("magnitude")))
        kinds.append(row.text("magnitude type"))
    told = tell(path, skipped, len(times))
    lon, lat, depth, magnitude = np.array(places).T
    found = Quakes(
        lon=lon,
        lat=lat,
        skipped=told,
        time=np.array(times, dtype="datetime64[ms]"),
        depth=depth,
        magnitude=magnitude,
        magnitude_type=np.array(kinds),
    )
    # The search page lists the newest first.
    return found._taken(np.argsort(found.time, kind="stable"))
