"""The embedded default: a simulated vehicle's positions are learnt live, and the curve is written to files."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from slpc.data import Trip, drive
from slpc.paper import ActionClass, Lattice, SleepingLeader
from slpc.paper.penalties import Linear
from slpc.plot import plot_curve
from slpc.polyline import Polyline

_MOST_SEGMENTS = 100
_PER_SEGMENT = 16.0
_PER_METRE = 0.1


def vehicle_leader(trip: Trip, random_state: int | None) -> SleepingLeader:
    """Algorithm 3 with scales taken from the receiver's noise, not the theorem's (which never add a segment).

    A segment must save `_PER_SEGMENT` times the loss 2σ² that noise alone causes before it is worth having.
    """
    radius = 1.1 * float(np.abs(trip.positions).max())
    lattice = Lattice(radius=radius, spacing=2 * trip.noise, dim=2)
    actions = ActionClass(lattice, p=_MOST_SEGMENTS, L=100 * radius)
    return SleepingLeader(
        actions,
        eta=1 / (2 * trip.noise**2),
        epsilon=0.0,
        penalty=Linear(_PER_SEGMENT, _PER_METRE),
        random_state=random_state,
    )


def run(out: Path, n: int, random_state: int | None, console: Console) -> list[Path]:
    """Drive, learn, write; return the files written. Interrupted, it writes what was learnt so far."""
    trip = drive(n, random_state=random_state)
    leader = vehicle_leader(trip, random_state)
    out.mkdir(parents=True, exist_ok=True)
    console.print(f"A simulated vehicle sends {n:,} GPS positions, {trip.noise:g} m of noise each.")
    columns = (
        TextColumn("learning"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[curve]}", style="dim"),
        TimeRemainingColumn(),
    )
    started = time.perf_counter()
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("learning", total=n, curve="warming up")
        try:
            for x in trip.positions:
                leader.observe(x)
                now = _describe(leader.predict()) if leader.ready else "warming up"
                progress.update(task, advance=1, curve=now)
        except KeyboardInterrupt:
            console.print(f"Interrupted after {leader.n_seen:,} points: writing the curve learnt so far.")
    seconds = time.perf_counter() - started
    if not leader.ready:
        raise InterruptedError("stopped before there was a curve: nothing to write")
    curve = leader.predict()
    seen = trip.positions[: leader.n_seen]
    rms = float(np.sqrt(curve.squared_distances(seen).mean()))
    console.print(
        f"{leader.n_seen:,} points in {seconds:.1f} s: {_describe(curve)}; "
        f"the points lie {rms:.1f} m from it (root mean square), {_rms_to(trip.route, seen):.1f} m from the real route."
    )
    return _write(out, curve, trip, leader, rms, console)


def _describe(curve: Polyline) -> str:
    segments = "1 segment" if curve.n_segments == 1 else f"{curve.n_segments} segments"
    return f"{segments}, {curve.length / 1000:.2f} km"


def _rms_to(route: Polyline, positions: np.ndarray) -> float:
    return float(np.sqrt(route.squared_distances(positions).mean()))


def _write(out: Path, curve: Polyline, trip: Trip, leader: SleepingLeader, rms: float, console: Console) -> list[Path]:
    summary = {"points": leader.n_seen, "segments": curve.n_segments, "length_m": curve.length, "rms_distance_m": rms}
    picture, geojson, plain = (out / name for name in ("curve.png", "curve.geojson", "curve.json"))
    on_earth = Polyline(trip.to_lonlat(curve.vertices))
    geojson.write_text(json.dumps(on_earth.to_geojson(summary)) + "\n")
    plain.write_text(json.dumps(curve.to_dict() | summary) + "\n")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        console.print("No picture: it needs matplotlib (pip install 'slpc[plot]').", markup=False)
        return [geojson, plain]
    figure = Figure(figsize=(8, 6), layout="constrained")
    ax = plot_curve(curve, trip.positions[: leader.n_seen], truth=trip.route, ax=figure.subplots())
    ax.set(xlabel="metres east", ylabel="metres north", title="The route of a simulated vehicle, learnt on the fly")
    figure.savefig(picture, dpi=120)
    return [picture, geojson, plain]
