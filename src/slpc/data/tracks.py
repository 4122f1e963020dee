"""Positions of things that move: the UIC commute, bus positions and GPX files, in their own formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slpc.data.files import PathLike, Row, Skipped, UnusableRowError, csv_rows, find, read_lines, tell
from slpc.data.gpx import gpx_rows
from slpc.data.places import Interval, Places, in_box
from slpc.polyline import Array

_COMMUTE = "https://www.cs.uic.edu/~boxu/mp2p/gps_data.html"
_BUSES = "https://www.bus-data.dft.gov.uk/ (vehicle positions, as CSV with timestamp, trip_id, lon and lat)"
_GPX = "any GPS receiver or route planner"

_BUS_NAMES = {"time": ("timestamp",), "key": ("trip_id",), "longitude": ("lon",), "latitude": ("lat",)}
_COMMUTE_FIELDS = ("latitude", "longitude", "time", "x", "y")
_TIME_OF_DAY = re.compile(r"(-?\d{1,2}):(\d{1,2}):(\d{1,2})$")
_DEGREES = re.compile(r"(\d{2,3})(\d\d\.\d+)$")


@dataclass(frozen=True, eq=False, repr=False)
class Track(Places):
    """Positions in the order in which the file has them; one entry each in every column."""

    key: NDArray[np.str_]
    """Whose position: a trip, or the part of a GPX file; the same everywhere if there is only one."""
    time: NDArray[Any]
    """datetime64, NaT where there is none; timedelta64 since midnight where the file has no date."""
    xy: Array
    """Plane coordinates in miles, (n, 2), if the file has them, else (n, 0)."""

    def within(self, *, lon: Interval | None = None, lat: Interval | None = None) -> Track:
        """The positions in a box, edges included."""
        return self._taken(in_box(self.lon, self.lat, lon, lat))

    def by_key(self) -> dict[str, Track]:
        """One track for each key, in the order in which they first appear."""
        return {str(key): self._taken(self.key == key) for key in dict.fromkeys(self.key.tolist())}


def load_commute(path: PathLike = "person1_0530_gpsdata01.txt") -> Track:
    """Read a file of the University of Illinois at Chicago's commute data.

    Its rows are `DDMM.mmmm | DDDMM.mmmm | time | x miles | y miles`: degrees and minutes north and west, the time of
    day in Chicago. The files have it from UTC without wrapping around: an hour of -5 is 19.
    """
    file = find(path, "uic_commute", _COMMUTE)
    return _commute(file, _commute_rows(file))


def load_bus(path: PathLike = "route14_outbound.csv") -> Track:
    """Read bus positions from a CSV file with the columns timestamp, trip_id, lon and lat; keys are trips."""
    file = find(path, "liverpool_bus", _BUSES)
    return _dated(file, csv_rows(file, _BUS_NAMES))


def load_gpx(path: PathLike) -> Track:
    """Read the points of tracks and routes from a GPX file.

    Keys are "1.1", "1.2" and so on: the number of the track or route and, of a track, the segment. Files that declare a
    document type are refused, since one can make a small file swell without limit.
    """
    file = find(path, "gpx", _GPX)
    return _dated(file, gpx_rows(file))


def _commute_rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), 1):
        found = line.split("|")
        row = Row(path, number, dict(zip(_COMMUTE_FIELDS, found, strict=False)))
        if len(found) != len(_COMMUTE_FIELDS):
            raise row.damaged(f"found {len(found)} fields, expected 5 between bars: {' | '.join(_COMMUTE_FIELDS)}")
        yield row


def _commute(path: Path, rows: Iterable[Row]) -> Track:
    kept, skipped = [], []
    for row in rows:
        try:
            place = (-_degrees(row, "longitude", 180), _degrees(row, "latitude", 90))
            kept.append((_time_of_day(row), *place, row.number("x"), row.number("y")))
        except UnusableRowError as reason:
            skipped.append(Skipped(row.line, str(reason)))
    told = tell(path, skipped, len(kept))
    seconds, lon, lat, x, y = np.array(kept).T
    time = (1000 * seconds).astype("timedelta64[ms]")
    key = np.full(len(kept), path.stem)
    return Track(lon=lon, lat=lat, skipped=told, key=key, time=time, xy=np.column_stack([x, y]))


def _dated(path: Path, rows: Iterable[Row]) -> Track:
    keys, times, places, skipped = [], [], [], []
    for row in rows:
        try:
            place, time = row.position(), row.time() if row.text("time") else None
        except UnusableRowError as reason:
            skipped.append(Skipped(row.line, str(reason)))
            continue
        keys.append(row.text("key"))
        times.append(np.datetime64(time, "ms"))
        places.append(place)
    told = tell(path, skipped, len(keys))
    lon, lat = np.array(places).T
    no_xy = np.empty((len(keys), 0))
    return Track(lon=lon, lat=lat, skipped=told, key=np.array(keys), time=np.array(times), xy=no_xy)


def _degrees(row: Row, name: str, highest: float) -> float:
    """Degrees and minutes, DDMM.mmmm, as degrees."""
    if not row.text(name):
        raise UnusableRowError(f"no {name}")
    parts = _DEGREES.match(row.text(name))
    if not parts:
        raise row.damaged(f"{name} must be degrees and minutes as in 4130.2500, found {row.text(name)!r}")
    minutes = float(parts[2])
    degrees = int(parts[1]) + minutes / 60
    if minutes >= 60 or degrees > highest:
        raise row.damaged(f"{name} must have minutes below 60 and be at most {highest:g}°, found {row.text(name)}")
    return degrees


def _time_of_day(row: Row) -> float:
    """Seconds since midnight."""
    parts = _TIME_OF_DAY.match(row.text("time"))
    if not parts:
        raise row.damaged(f"time must be as in 17:05:09, found {row.text('time')!r}")
    hour, minute, second = (int(part) for part in parts.groups())
    if not (-24 < hour < 24 and minute < 60 and second < 60):
        raise UnusableRowError(f"time {row.text('time')} does not exist")
    return float(hour % 24 * 3600 + minute * 60 + second)
