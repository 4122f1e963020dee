"""Plate boundaries (Bird 2003, PB2002): what the curve through a zone of earthquakes is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slpc.data.files import PathLike, Row, Skipped, UnusableRowError, csv_rows, find, read_lines, tell
from slpc.data.places import Interval, Places, in_box
from slpc.polyline import Polyline

_SOURCE = "http://peterbird.name/oldFTP/PB2002/ (PB2002_boundaries.dig.txt)"
_END = "*** end of line segment ***"
_NAMES = {
    "segment": ("segment",),
    "part": ("part",),
    "name": ("name",),
    "kind": ("type",),
    "longitude": ("lon",),
    "latitude": ("lat",),
}


@dataclass(frozen=True, eq=False, repr=False)
class PlateBoundaries(Places):
    """Vertices of boundary lines; one entry each in every column."""

    line: NDArray[np.int64]
    """Number of the line that the vertex belongs to, from 0."""
    name: NDArray[np.str_]
    """The two plates, such as "AF-AN"; a slash instead of the hyphen marks a subduction zone."""
    kind: NDArray[np.str_]
    """"subduction" or empty."""

    def within(self, *, lon: Interval | None = None, lat: Interval | None = None) -> PlateBoundaries:
        """The vertices in a box, edges included. A line that leaves it and comes back becomes two."""
        rows = np.flatnonzero(in_box(self.lon, self.lat, lon, lat))
        inside = self._taken(rows)
        new = (np.diff(rows) != 1) | (np.diff(inside.line) != 0)
        return replace(inside, line=np.concatenate([[0], np.cumsum(new)])[: len(rows)])

    def curves(self, centre: float = 0.0) -> list[tuple[str, Polyline]]:
        """The lines with their names; a line with only one vertex left is none."""
        points = self.points(centre)
        parts = np.split(np.arange(len(self)), np.flatnonzero(np.diff(self.line)) + 1)
        return [(str(self.name[part[0]]), Polyline(points[part])) for part in parts if len(part) > 1]


def load_plate_boundaries(path: PathLike = "boundaries.csv") -> PlateBoundaries:
    """Read the boundaries of PB2002: Bird's own file, or a CSV file with segment, part, name, type, lon and lat."""
    file = find(path, "pb2002", _SOURCE)
    return _boundaries(file, _csv(file) if file.suffix.lower() == ".csv" else _digitised(file))


def _boundaries(path: Path, rows: Iterable[Row]) -> PlateBoundaries:
    lines, names, kinds, places, skipped = [], [], [], [], []
    for row in rows:
        try:
            places.append(row.position())
        except UnusableRowError as reason:
            skipped.append(Skipped(row.line, str(reason)))
            continue
        lines.append(row.text("line"))
        names.append(row.text("name"))
        kinds.append(row.text("kind"))
    told = tell(path, skipped, len(places))
    lon, lat = np.array(places).T
    new = np.array(lines[1:], dtype=np.str_) != np.array(lines[:-1], dtype=np.str_)
    numbers = np.concatenate([[0], np.cumsum(new)]).astype(np.int64)
    return PlateBoundaries(lon=lon, lat=lat, skipped=told, line=numbers, name=np.array(names), kind=np.array(kinds))


def _csv(path: Path) -> Iterator[Row]:
    for row in csv_rows(path, _NAMES):
        row.fields["line"] = f"{row.text('segment')}.{row.text('part')}"
        yield row


def _digitised(path: Path) -> Iterator[Row]:
    """Bird's file: the plates' names, then a vertex a row, then a row that ends the line."""
    name = ""
    row = Row(path, 1, {})
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        row = Row(path, number, {})
        if line.strip() == _END:
            name = ""
        elif not name:
            name = line.strip().split(" ")[0]
            if len(name) != 5:
                raise row.damaged(f"found {line.strip()!r} where a line begins, expected two plates as in AF-AN")
            start = number
        else:
            place = line.split(",")
            if len(place) != 2:
                raise row.damaged(f"found {line.strip()!r}, expected longitude and latitude with a comma between")
            kind = "subduction" if name[2] in "/\\" else ""
            given = {"line": str(start), "name": name, "kind": kind, "longitude": place[0], "latitude": place[1]}
            yield row._replace(fields=given)
    if name:
        raise row.damaged(f"the file ends within the line {name}: it was cut off")
