"""The points of a GPX file, read as they come, without building the document."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from slpc.data.files import Row

_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1", "windows-1252")


def gpx_rows(path: Path) -> list[Row]:
    """The points of all tracks and routes, with the fields key, longitude, latitude and time."""
    content = path.read_bytes()
    if not content.strip():
        raise ValueError(f"{path} is empty")
    # Looked for beforehand, since expat goes on expanding entities after a handler has raised an error. In UTF-16 there
    # are zero bytes in between.
    before, declared, _ = content.replace(b"\0", b"").partition(b"<!DOCTYPE")
    if declared:
        line = before.count(b"\n") + 1
        raise ValueError(f"{path}, line {line}: found a document type (DOCTYPE), which GPX has not: refused")
    reader = _Reader(path)
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        found = expat.ErrorString(error.code)
        raise ValueError(f"{path}, line {error.lineno}: not well-formed XML ({found}), damaged or cut off") from None
    return reader.rows


class _Reader:
    """Keeps what matters of the element that the parser is in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Row] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.XmlDeclHandler = self._declaration
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.inside: list[str] = []
        self.line = self.segment = 0
        self.point: Row | None = None
        self.time = ""

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise self._refused(f"found the encoding {encoding!r}, expected one of {', '.join(_ENCODINGS)}")

    def _refused(self, found: str) -> ValueError:
        return ValueError(f"{self.path}, line {self.parser.CurrentLineNumber}: {found}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if not self.inside and name != "gpx":
            raise self._refused(f"found <{name}>, a GPX file begins with <gpx>")
        self.inside.append(name)
        if name in ("trk", "rte"):
            self.line, self.segment = self.line + 1, 0
        elif name == "trkseg":
            self.segment += 1
        elif name in ("trkpt", "rtept"):
            key = f"{self.line}.{self.segment}" if name == "trkpt" else f"{self.line}"
            place = {"longitude": attributes.get("lon", ""), "latitude": attributes.get("lat", "")}
            self.point = Row(self.path, self.parser.CurrentLineNumber, {"key": key, **place})
            self.time = ""

    def _text(self, text: str) -> None:
        if self.point is not None and self.inside[-1] == "time" and self.inside[-2] in ("trkpt", "rtept"):
            self.time += text

    def _end(self, tag: str) -> None:
        name = self.inside.pop()
        if name in ("trkpt", "rtept") and self.point is not None:
            self.point.fields["time"] = self.time
            self.rows.append(self.point)
            self.point = None
