"""The earthquakes of the paper's box, and the plate boundaries that a curve through them should follow."""

from __future__ import annotations

import warnings

import numpy as np
from matplotlib.axes import Axes
from rich.progress import Progress

from slpc.batch import HastieStuetzle
from slpc.data import PlateBoundaries, load_centennial, load_plate_boundaries
from slpc.estimator import SLPC
from slpc.evaluate import r_squared, turning
from slpc.experiments import drawing
from slpc.experiments.section import Picture, Row, Section, Table
from slpc.polyline import Array, Polyline

_TITLE = "Seismic data: the edge of the Australian plate"
_PACIFIC = 180.0  # longitudes are counted around it
_BOX = {"lon": (130.0, 180.0), "lat": (-70.0, 30.0)}
_MAGNITUDE = 7.2
_MAP = {"lon": (110.0, -150.0), "lat": (-85.0, 50.0)}  # cut here, since lines that cross Greenwich would cross the map
_SOUTH = {"lon": (155.0, 180.0), "lat": (-61.0, -32.0)}
_SOUTH_MAGNITUDE = 5.5
_SOUTH_SEGMENT_PENALTY = 2.0
_PRINTED_R_SQUARED = 0.990
_PRINTED_COUNT = 218
_FRAMES = (100, 125)


def run(quick: bool, progress: Progress) -> Section:
    """R² and maps, or a section that says which file is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of rows without a date, which the text counts
            quakes, plates = load_centennial(), load_plate_boundaries().within(**_MAP)
    except FileNotFoundError as error:
        return Section(_TITLE, [f"Left out: {error}."], [], "nothing was run")
    X = quakes.within(**_BOX, magnitude=_MAGNITUDE).points(_PACIFIC)
    south = quakes.within(**_SOUTH, magnitude=_SOUTH_MAGNITUDE).points(_PACIFIC)
    frames = [t for t in _FRAMES if t < len(X)]
    cases = {
        f"the paper's box, {len(X)} earthquakes": (X, SLPC()),
        f"New Zealand to Macquarie, {len(south)}": (south, SLPC(segment_penalty=_SOUTH_SEGMENT_PENALTY)),
    }
    curves: list[Polyline] = []
    rows: list[Row] = []
    for (name, (points, model)), printed in zip(
        progress.track(cases.items(), description="Seismic data"), (_PRINTED_R_SQUARED, float("nan")), strict=True
    ):
        curves.append(model.fit(points).curve_)
        rows.append(_row(name, "slpc", curves[-1], points, plates, printed))
        batch = HastieStuetzle().fit(points).curve_
        rows.append(_row(name, "princurve (df 5)", batch, points, plates, float("nan")))
    whole, southern = curves
    return Section(
        _TITLE,
        _text(len(X), len(quakes.skipped)),
        [
            Table("seismic", "How well the curves fit, and how far from the nearest plate boundary they run.", rows),
            _maps(X, whole, south, southern, plates),
            _frames(X, frames, plates),
        ],
        "no randomness: the points come in the order of time",
    )


def distance_to(plates: PlateBoundaries, curve: Polyline) -> Array:
    """Degrees from equally spaced places of a curve to the nearest plate boundary."""
    places = curve.resample(1000).vertices
    lines = [boundary for _, boundary in plates.curves(_PACIFIC)]
    return np.asarray(np.sqrt(np.min([boundary.squared_distances(places) for boundary in lines], axis=0)))


def _row(name: str, method: str, curve: Polyline, X: Array, plates: PlateBoundaries, printed: float) -> Row:
    away = distance_to(plates, curve)
    return {
        "points": name,
        "method": method,
        "R²": r_squared(curve, X),
        "the paper's R²": printed,
        "segments": curve.n_segments,
        "turning (rad)": turning(curve),
        "mean distance from a boundary (°)": float(away.mean()),
        "90 % within (°)": float(np.quantile(away, 0.9)),
        "mean distance of earthquakes (°)": float(
            np.sqrt(np.min([line.squared_distances(X) for _, line in plates.curves(_PACIFIC)], axis=0)).mean()
        ),
    }


def _map(ax: Axes, X: Array, plates: PlateBoundaries, margin: float = 3.0) -> None:
    for _, boundary in plates.curves(_PACIFIC):
        drawing.line(ax, boundary, drawing.MAP, vertices=False, linewidth=0.9, zorder=0)
    drawing.points(ax, X)
    (west, south), (east, north) = X.min(axis=0) - margin, X.max(axis=0) + margin
    ax.set(xlim=(west, east), ylim=(south, north), xlabel="longitude (° east)", ylabel="latitude (°)")
    ax.set_aspect("equal", adjustable="box")


def _maps(X: Array, whole: Polyline, south: Array, southern: Polyline, plates: PlateBoundaries) -> Picture:
    figure, (left, right) = drawing.panels(2, columns=2, width=5, height=7)
    for ax, points, curve, title in (
        (left, X, whole, f"the paper's box, {len(X)} earthquakes"),
        (right, south, southern, f"New Zealand to Macquarie, {len(south)}"),
    ):
        _map(ax, points, plates)
        drawing.line(ax, curve)
        ax.set_title(title, fontsize=10)
    caption = (
        "Earthquakes (blue), plate boundaries of Bird 2003 (grey), and the curve that slpc has learnt from the "
        "earthquakes alone (orange). Left: from Japan along the Marianas, across to New Guinea, the Solomon Islands "
        "and Vanuatu, and down by New Zealand towards Macquarie Island. Two places are not boundaries: the way from "
        "the Marianas to the west of New Guinea bridges a gap with few great earthquakes, and at 150° E, where the "
        "zone forks around the Bismarck Sea, one line goes to and fro to serve both branches. Right: the southern "
        "part alone, where the zone is a single line."
    )
    return Picture("seismic_maps", caption, figure)


def _frames(X: Array, times: list[int], plates: PlateBoundaries) -> Picture:
    figure, axes = drawing.panels(2 * len(times), columns=2 * len(times), width=3.4, height=6)
    for i, t in enumerate(times):
        for ax, (name, model, colour) in zip(
            axes[2 * i : 2 * i + 2],
            drawing.learners(),
            strict=True,
        ):
            _map(ax, X[: t + 1], plates)
            drawing.line(ax, model.fit(X[:t]).curve_, colour, vertices=name == "slpc")
            drawing.new_point(ax, X[t])
            ax.set_title(f"{name}, t = {t}", fontsize=10)
    caption = (
        "The moments of the paper's figure: the first t earthquakes, the curves learnt from them (green: princurve, "
        "orange: slpc) and the next earthquake (diamond). princurve is smooth, and misses the zone where it turns "
        "sharply; slpc takes the turns, and zigzags around 150° E, where the zone forks and is wide."
    )
    return Picture("seismic_frames", caption, figure)


def _text(count: int, skipped: int) -> list[str]:
    return [
        "The Centennial catalogue (Engdahl and Villaseñor) in the box of the paper, 130° to 180° E and 70° S to 30° "
        f"N. The paper has T = {_PRINTED_COUNT} and does not say how it chose; a magnitude of at least {_MAGNITUDE} "
        f"gives {count}, and is our approximate reading. Rows of the catalogue without a possible date, left out: "
        f"{skipped}.",
        "As in the paper, longitude and latitude in degrees are taken for a plane. R² is 1 − Σ squared distances to "
        "the final curve / Σ squared distances to the mean. The southern part has earthquakes from magnitude "
        f"{_SOUTH_MAGNITUDE} on, so many of them away from the boundary that a segment is given "
        f"{_SOUTH_SEGMENT_PENALTY:g} times the usual price. The last column of the table is how far the earthquakes "
        "themselves are from a boundary on average.",
        'Data: <a href="https://earthquake.usgs.gov/data/centennial/">Centennial catalogue</a>, '
        '<a href="http://peterbird.name/oldFTP/PB2002/">plate boundaries PB2002</a>.',
    ]
