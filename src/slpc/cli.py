"""The command `slpc`: parse, call, print."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from slpc import __version__
from slpc.experiments.reproduce import reproduce


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="slpc")
def main() -> None:
    r"""Learn a principal curve from a data stream, on the fly.

    \b
    Try:
      slpc demo        watch the route of a simulated vehicle being learnt
      slpc reproduce   run the paper's experiments and write a page about them
    """


main.add_command(reproduce)


@main.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("slpc-demo"), show_default=True,
              help="Folder to write the curve to.")  # fmt: skip
@click.option("--points", type=click.IntRange(min=10), default=600, show_default=True, help="Positions to learn from.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same trip and curve.")
def demo(out: Path, points: int, seed: int) -> None:
    """Learn the route of a simulated vehicle, live, and write it as PNG, GeoJSON and JSON."""
    from slpc.demo import run

    try:
        written = run(out, points, seed, Console())
    except OSError as error:
        raise click.ClickException(str(error)) from None
    for path in written:
        click.echo(f"wrote {path}")
