"""What an experiment hands over to be written: text, tables, pictures and animations."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.figure import Figure

Row = dict[str, str | float]


@dataclass(frozen=True)
class Table:
    """Rows that all have the same columns."""

    name: str
    """Of its CSV file."""
    caption: str
    rows: list[Row]


@dataclass(frozen=True)
class Picture:
    """A figure, written as PNG and SVG."""

    name: str
    caption: str
    figure: Figure


@dataclass(frozen=True)
class Animation:
    """A moving picture."""

    name: str
    caption: str
    gif: bytes


@dataclass(frozen=True)
class Section:
    """One experiment's part of the page. Text and captions are HTML."""

    title: str
    text: list[str]
    parts: list[Table | Picture | Animation]
    seeds: str


def cell(value: str | float) -> str:
    """A table's entry as people read it."""
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if 0.9 < value < 1:
        # What is missing to 1 is what counts in an R².
        return f"{value:.{max(4, 1 - math.floor(math.log10(1 - value)))}f}"
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.4g}"
