"""The class of lines that a learner's settings describe: in its own units for the kernels, and in those of the data."""

from __future__ import annotations

import math

import numpy as np

from slpc.kernels.cells import register
from slpc.kernels.lattice import LARGEST, Actions, on_lattice
from slpc.learner.settings import Settings
from slpc.learner.state import State
from slpc.polyline import Array, Polyline

_COARSEST = 2.0**200  # in the learner's units: fourth powers stay finite


def actions_of(s: State, settings: Settings, sigma2: float) -> Actions | None:
    """Lattice and perturbations, in the units of the learner; None where any line will do."""
    if settings.spacing is None and settings.temperature == 0.0:
        return None
    head = s.head[0]
    factor = math.ldexp(1.0, -int(head["exponent"]))
    if settings.spacing is None:
        spacing, grid, shift = 0.0, _grid(float(head["grid"]), math.sqrt(sigma2)), np.zeros(len(s.origin))
    else:
        spacing = grid = float(settings.spacing) * factor
        shift = np.fmod(s.origin * factor, spacing)
    return Actions(spacing, grid, shift, float(settings.temperature), int(settings.random_state))


def _grid(before: float, sigma: float) -> float:
    """The power of two below σ; the one before while σ is from a half to four times of it.

    A new grid gives every action a new perturbation, so it must not come and go with a σ near a power of two.
    """
    return before if 0.5 * before <= sigma < 4.0 * before else math.ldexp(1.0, math.frexp(sigma)[1] - 1)


def move_to_lattice(s: State, settings: Settings) -> None:
    """Move the curve to the lattice; of a curve that shrinks to one point, a segment of one step is left."""
    head = s.head[0]
    actions = actions_of(s, settings, float(head["sigma2"]))
    if actions is None or head["waiting"]:
        return
    if actions.spacing > _COARSEST:
        raise ValueError(f"spacing {settings.spacing} is too coarse for what has been learnt: use fit to start anew")
    head["k"] = k = on_lattice(s.vertices, int(head["k"]), True, actions)
    register(s.vertices, k, s.means, int(head["n_cells"]), s.segment)


def rounded(points: Array, settings: Settings) -> Array:
    """Points in the data's units, moved to the lattice."""
    if settings.spacing is None:
        return points
    multiple = np.floor(points / settings.spacing + 0.5)
    return np.where(np.abs(multiple) < LARGEST, multiple * settings.spacing, points)


def rounded_forecast(line: Array, settings: Settings) -> Array:
    """A held line in the data's units with the curve in it moved to the lattice, its look-ahead as it is."""
    found = line.copy()
    found[1:-1] = rounded(line[1:-1], settings)
    for tip, end in ((0, 1), (-1, -2)):
        if np.array_equal(line[tip], line[end]):  # no look-ahead
            found[tip] = found[end]
    return found


def rounded_segment(ends: Array, settings: Settings) -> Array:
    """A segment in the data's units, moved to the lattice, at least one step long."""
    if settings.spacing is not None:
        shift = np.zeros(ends.shape[1])
        on_lattice(ends, 1, True, Actions(float(settings.spacing), 1.0, shift, 0.0, 0))
    return ends


def rounded_curve(curve: Polyline, settings: Settings) -> Polyline:
    """A curve moved to the lattice; ValueError where two of its vertices would fall together."""
    vertices = rounded(curve.vertices, settings)
    for i in range(curve.n_segments):
        if np.array_equal(vertices[i], vertices[i + 1]):
            raise ValueError(
                f"vertices {i} and {i + 1} of the curve fall on one point of the lattice: spacing {settings.spacing} "
                "is too coarse for it; choose a smaller one, or leave vertices out"
            )
    return Polyline(vertices)
