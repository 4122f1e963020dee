"""A day's commute in Chicago: the positions of one car, in the order in which they came."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from rich.progress import Progress

from slpc.batch import HastieStuetzle
from slpc.data import load_commute
from slpc.estimator import SLPC
from slpc.evaluate import prequential, r_squared, turning
from slpc.experiments import drawing
from slpc.experiments.section import Picture, Row, Section, Table
from slpc.polyline import Array, Polyline

_TITLE = "Daily commute data: one car, one day"
_METRES = 1609.344  # in a mile
_PRINTED_R_SQUARED = 0.998
_THINNINGS = (1, 5, 10, 18, 40)
_LIKE_THE_PAPER = 18
"""Every 18th of 2,300 positions makes 128: the paper's last frame is t = 127."""
_FRAMES = (10, 127)
_FIRST, _LAST = ((0.0, 0.7), 1.2), ((1.5, 1.0), 2.0)
"""Windows on the first and the last streets: middle, in km from the first or last position, and half the width."""


def run(quick: bool, progress: Progress) -> Section:
    """R² of several thinnings and frames, or a section that says that the file is missing."""
    try:
        positions = load_commute().xy
    except FileNotFoundError as error:
        return Section(_TITLE, [f"Left out: {error}."], [], "nothing was run")
    km = (positions - positions[0]) * _METRES / 1000
    driven = Polyline(km[np.append(True, np.any(np.diff(km, axis=0) != 0, axis=1))])
    rows: list[Row] = []
    curves: dict[int, Polyline] = {}
    for every in progress.track(_THINNINGS, description="Commute"):
        X = km[::every]
        model = SLPC()
        paid = prequential(model, X)
        curves[every] = model.curve_
        rows.append(_row(f"1 in {every}", X, model.curve_, "slpc", paid.total / paid.n_scored, driven))
    X = km[::_LIKE_THE_PAPER]
    batch = HastieStuetzle().fit(X).curve_
    rows.append(_row(f"1 in {_LIKE_THE_PAPER}", X, batch, "princurve (df 5)", float("nan"), driven))
    return Section(
        _TITLE,
        _text(len(positions)),
        [
            Table("commute", "How well the curve fits when fewer and fewer positions are used.", rows),
            _route(km, curves[_LIKE_THE_PAPER]),
            _last_streets(km, curves),
            _frames(X),
        ],
        "no randomness: the positions come in the order of the file",
    )


def _row(thinning: str, X: Array, curve: Polyline, method: str, loss: float, driven: Polyline) -> Row:
    places = curve.point_at(np.linspace(0.0, curve.length, 2000))
    return {
        "positions": thinning,
        "method": method,
        "number": len(X),
        "R²": r_squared(curve, X),
        "the paper's R²": _PRINTED_R_SQUARED if method == "slpc" else float("nan"),
        "distance to the curve, rms (m)": 1000 * float(np.sqrt(curve.squared_distances(X).mean())),
        "ahead of each position, rms (m)": 1000 * float(np.sqrt(loss)),
        "farthest from the way driven (m)": 1000 * float(np.sqrt(driven.squared_distances(places).max())),
        "segments": curve.n_segments,
        "length (km)": curve.length,
        "turning (rad)": turning(curve),
    }


def _route(km: Array, curve: Polyline) -> Picture:
    figure, axes = drawing.panels(3, columns=3, width=4.6, height=3.8)
    for ax in axes:
        drawing.points(ax, km, size=5)
        drawing.line(ax, curve)
    axes[0].set_aspect("equal", adjustable="datalim")
    axes[0].set(xlabel="km east", ylabel="km north")
    _window(axes[1], *_FIRST, km[0])
    _window(axes[2], *_LAST, km[-1])
    for ax, title in zip(axes, ("the whole way", "the first streets", "the last streets"), strict=True):
        ax.set_title(title, fontsize=10)
    caption = (
        f"All positions (blue), and the curve learnt from one in {_LIKE_THE_PAPER} of them (orange). It keeps the "
        "right angles of the streets and the bends of the motorway."
    )
    return Picture("commute_route", caption, figure)


def _last_streets(km: Array, curves: dict[int, Polyline]) -> Picture:
    shown = (1, 5, _LIKE_THE_PAPER)
    figure, axes = drawing.panels(len(shown), columns=len(shown), width=4.6, height=3.8)
    for ax, every in zip(axes, shown, strict=True):
        drawing.points(ax, km, size=5)
        drawing.line(ax, curves[every])
        _window(ax, *_LAST, km[-1])
        ax.set_title(f"1 in {every}: {curves[every].n_segments} segments", fontsize=10)
    caption = (
        "The last streets again, learnt from all positions, from one in 5 and from one in 18. Where many positions lie "
        "about a stop, or the car comes back to where it has been, the line may go to and fro or take a short cut; R² "
        "hardly notices."
    )
    return Picture("commute_last_streets", caption, figure)


def _window(ax: Axes, offset: tuple[float, float], half: float, place: Array) -> None:
    x, y = place + np.array(offset)
    ax.set_aspect("equal", adjustable="box")
    ax.set(xlim=(x - half, x + half), ylim=(y - half, y + half), xlabel="km east", ylabel="km north")


def _frames(X: Array) -> Picture:
    times = [t for t in _FRAMES if t < len(X)]
    figure, axes = drawing.panels(2 * len(times), columns=2, width=5.6, height=3)
    for i, (name, model, colour) in enumerate(drawing.learners()):
        for ax, t in zip(axes[i * len(times) : (i + 1) * len(times)], times, strict=True):
            drawing.points(ax, X[:t])
            drawing.line(ax, model.fit(X[:t]).curve_, colour, vertices=name == "slpc")
            drawing.new_point(ax, X[t])
            ax.set_aspect("equal", adjustable="datalim")
            ax.set_title(f"{name}, t = {t}", fontsize=10)
            ax.set(xlabel="km east", ylabel="km north")
    caption = (
        "The moments of the paper's figure: the first t positions (one in 18 of the file), the curves learnt from them "
        "(green: princurve, orange: slpc) and the next position (diamond). princurve rounds off what slpc turns at."
    )
    return Picture("commute_frames", caption, figure)


def _text(count: int) -> list[str]:
    return [
        f"{count:,} positions of the first person on May 30, in the plane coordinates of the file, as kilometres from "
        "the first. The paper's last frame is t = 127, so that it must have thinned them; it does not say how.",
        "A curve may have a high R² and still take a way that was never driven, so the table also has how far the "
        "curve goes from the line through all positions: tens of metres are noise, hundreds of metres are a short cut. "
        "With all positions the 64 segments that slpc may have by default are too few for every bend.",
        'Data: <a href="https://www.cs.uic.edu/~boxu/mp2p/gps_data.html">University of Illinois at Chicago</a>.',
    ]
