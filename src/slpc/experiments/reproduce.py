"""`slpc reproduce`: run experiments by name and write what they found. Light to import: the command line needs it."""

from __future__ import annotations

import importlib
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

NAMES = {
    "tables": "Tables 1 and 2",
    "seismic": "earthquakes and plate boundaries",
    "commute": "a daily commute",
    "figures": "the paper's drawings",
    "regret": "regret against Theorem 2's bound",
    "growth": "an animation of a curve growing",
}
"""Experiments, each a module of this package, in the order of the page."""


class MissingExtraError(Exception):
    """matplotlib is not installed."""


def run(names: tuple[str, ...], out: Path, quick: bool, console: Console) -> list[Path]:
    """Run experiments (all, if none is named) and write page, tables and figures; return the files written."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise ValueError(f"no experiment {unknown[0]!r}: choose among {', '.join(NAMES)}")
    try:
        from slpc.experiments.page import Chapter, write
    except ImportError as error:
        if (error.name or "").split(".")[0] != "matplotlib":
            raise
        raise MissingExtraError("the figures need matplotlib: pip install 'slpc[plot]'") from None
    out.mkdir(parents=True, exist_ok=True)
    chapters = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        for name in [name for name in NAMES if not names or name in names]:
            started = time.perf_counter()
            section = importlib.import_module(f"slpc.experiments.{name}").run(quick, progress)
            chapters.append(Chapter(name, section, time.perf_counter() - started))
    return write(chapters, out, quick)


@click.command(epilog="Experiments: " + "; ".join(f"{name} ({what})" for name, what in NAMES.items()) + ".")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("reproduction"),
              show_default=True, help="Folder to write the page, the tables and the figures to.")  # fmt: skip
@click.option("--quick", is_flag=True, help="Few seeds and short streams: half a minute instead of some.")
def reproduce(names: tuple[str, ...], out: Path, quick: bool) -> None:
    """Run the paper's experiments, and write a page with all tables and figures beside the paper's.

    The real data are read from the folder that the environment variable SLPC_DATA names; without them the page says
    where they are to be had.
    """
    try:
        written = run(names, out, quick, Console())
    except (OSError, ValueError, MissingExtraError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"wrote {written[0]} and {len(written) - 1} tables and figures beside it")
