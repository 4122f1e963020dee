"""A moving picture of a curve that grows with its stream."""

from __future__ import annotations

from rich.progress import Progress

from slpc.data import drive
from slpc.estimator import SLPC
from slpc.experiments import drawing
from slpc.experiments.section import Animation, Section

_SEED = 0


def run(quick: bool, progress: Progress) -> Section:
    """A simulated vehicle, its positions and the route learnt from them."""
    n, frames = (120, 12) if quick else (600, 75)
    trip = drive(n, random_state=_SEED)
    X = trip.positions / 1000
    per_frame = n // frames
    figure, (ax,) = drawing.panels(1, columns=1, width=7, height=5)
    model = SLPC()
    bar = progress.add_task("Growth", total=frames)
    low, high = X.min(axis=0) - 0.2, X.max(axis=0) + 0.2

    def draw(frame: int) -> None:
        learn_to = (frame + 1) * per_frame
        seen = model.n_samples_seen_ if frame else 0
        if learn_to > seen:
            model.partial_fit(X[seen:learn_to])
            progress.advance(bar)
        ax.clear()
        drawing.points(ax, X[:learn_to])
        drawing.line(ax, model.curve_)
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="km east", ylabel="km north")
        ax.set_aspect("equal", adjustable="box")
        ax.set_title(f"{learn_to} positions, {model.n_segments_} segments", fontsize=10)

    gif = drawing.animate(figure, draw, frames)
    caption = (
        f"The route of a simulated vehicle: GPS positions with {trip.noise:g} m of noise (blue) and the curve that "
        "slpc holds (orange). It grows at its end, and adds a vertex where the street has turned."
    )
    text = "Nothing is fitted twice: between two frames the learner only takes the new positions."
    return Section("A curve growing", [text], [Animation("growth", caption, gif)], f"seed {_SEED} of the trip")
