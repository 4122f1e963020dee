"""What all readers share: finding a file, reading its text, checking its fields, telling of rows left out.

A row whose layout is right but that says something impossible or nothing (a 0th of July, no position) is left out and
told of. Anything else that is not as it should be means that the file is damaged or another one: a ValueError.
"""

from __future__ import annotations

import csv
import math
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PathLike = str | os.PathLike[str]

FOLDER_VARIABLE = "SLPC_DATA"

_LOOKS_LIKE_A_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Skipped(NamedTuple):
    """A row that was left out."""

    line: int
    """Its line in the file, from 1."""
    reason: str


class UnusableRowError(Exception):
    """Raised for a row that is to be left out, with the reason."""


def find(path: PathLike, folder: str, source: str) -> Path:
    """The file at `path`; else that of this name in $SLPC_DATA, or in its sub-folder `folder`."""
    given = Path(path)
    places = [given]
    data = os.environ.get(FOLDER_VARIABLE)
    if data:
        places += [Path(data) / given, Path(data) / folder / given]
    for place in places:
        if place.is_file():
            return place
    looked = f"nor in {data} ({FOLDER_VARIABLE})" if data else f"and {FOLDER_VARIABLE} is not set"
    raise FileNotFoundError(
        f"no file {str(given)!r} here, {looked}: download it from {source}, "
        f"then give its path or let {FOLDER_VARIABLE} name its folder"
    )


def read_lines(path: Path) -> list[str]:
    """The lines of a text file in UTF-8, without their ends."""
    content = path.read_bytes()
    if not content.strip():
        raise ValueError(f"{path} is empty")
    zero = content.find(b"\0")
    if zero >= 0:
        raise ValueError(f"{path}, line {_line_of(content, zero)}: found a zero byte, this is not a text file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = _line_of(content, error.start)
        raise ValueError(f"{path}, line {line}: found byte 0x{content[error.start]:02x}, which is not UTF-8") from None
    # Not str.splitlines, which also splits at characters that no editor counts as the end of a line.
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _line_of(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


class Row(NamedTuple):
    """The fields of a row by name, and where it stands, for the messages."""

    path: Path
    line: int
    fields: dict[str, str]

    def damaged(self, found: str) -> ValueError:
        """The error for a row that is not as it should be."""
        return ValueError(f"{self.path}, line {self.line}: {found}")

    def text(self, name: str) -> str:
        """A field without the blanks around it."""
        return self.fields.get(name, "").strip()

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float:
        """A number between two others; a row without it is unusable."""
        if not self.text(name):
            raise UnusableRowError(f"no {name}")
        try:
            value = float(self.text(name))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.damaged(f"{name} must be a number, found {self.text(name)!r}")
        if not low <= value <= high:
            raise self.damaged(f"{name} must be between {low:g} and {high:g}, found {self.text(name)}")
        return value

    def number_or_nan(self, name: str) -> float:
        """A number, NaN where there is none."""
        return self.number(name) if self.text(name) else math.nan

    def position(self) -> tuple[float, float]:
        """Longitude and latitude in degrees."""
        return self.number("longitude", -180, 180), self.number("latitude", -90, 90)

    def time(self) -> datetime:
        """A date and time as ISO 8601 writes it, in UTC if it names no other zone; without a zone in the answer."""
        text = self.text("time")
        if not text:
            raise UnusableRowError("no time")
        if not _LOOKS_LIKE_A_DATE.match(text):
            raise self.damaged(f"time must be a date as in 2007-09-30T05:23:34Z, found {text!r}")
        try:
            time = datetime.fromisoformat(text)
            return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
        except (ValueError, OverflowError):
            raise UnusableRowError(f"time {text!r} does not exist") from None


def csv_rows(path: Path, names: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    """Rows of a CSV file with a header.

    `names` says which columns must be there: our name for each and the names it may have in the file.
    """
    reader = csv.reader(read_lines(path), strict=True)
    try:
        header = [name.strip() for name in next(reader)]
        columns = {}
        for ours, theirs in names.items():
            there = [name for name in theirs if name in header]
            if not there:
                raise ValueError(f"{path}, line 1: no column {' or '.join(map(repr, theirs))} among {header}")
            columns[ours] = header.index(there[0])
        for fields in reader:
            if not fields:
                continue
            row = Row(path, reader.line_num, {})
            if len(fields) != len(header):
                raise row.damaged(f"found {len(fields)} fields where the header has {len(header)}")
            yield row._replace(fields={name: fields[i] for name, i in columns.items()})
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}") from None


def tell(path: Path, skipped: Sequence[Skipped], kept: int) -> tuple[Skipped, ...]:
    """Warn once of the rows left out; complain if nothing is left."""
    if not kept:
        first = f": the first, in line {skipped[0].line}, says: {skipped[0].reason}" if skipped else ""
        raise ValueError(f"{path} has no row that can be used{first}")
    if skipped:
        rows = "1 row" if len(skipped) == 1 else f"{len(skipped)} rows"
        line, reason = skipped[0]
        warnings.warn(
            f"{path}: left out {rows} of {kept + len(skipped)}, the first in line {line} ({reason}); see .skipped",
            stacklevel=4,  # where the loader was called
        )
    return tuple(skipped)
