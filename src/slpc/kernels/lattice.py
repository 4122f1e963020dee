"""Which lines are actions, and what each is perturbed by: the lattice of `spacing`, the z_f of `temperature`.

Where `actions` is None, any line is one and nothing is perturbed: numba then leaves all of this out.
"""

from typing import NamedTuple

import numpy as np

from slpc.kernels._jit import Floats, kernel
from slpc.kernels.perturbation import exponential, hash_of_line, mix

LARGEST = 2.0**50  # multiples of the spacing: beyond, a coordinate is as coarse as the lattice


class Actions(NamedTuple):
    """The class of lines among which the learner chooses, in its own units."""

    spacing: float
    """Vertices v are such that v + shift is a multiple of it; 0: anywhere."""
    grid: float
    """Lines whose vertices are next to the same points of this grid are one action."""
    shift: Floats
    temperature: float
    """The perturbation z_f of an action counts as 2 · temperature · z_f of its score."""
    seed: int


@kernel
def on_lattice(line: Floats, k: int, whole: bool, actions: Actions | None) -> int:
    """Move each vertex to the lattice point next to it, leave out those that fall on the one before; segments left.

    Of a whole line that falls on one point, a segment of one step is left.
    """
    if actions is None:
        return k
    if actions.spacing == 0.0:
        return k
    edge = line[k] - line[0]
    middle = 0.5 * (line[0] + line[k])
    last = 0
    for v in range(k + 1):
        for a in range(line.shape[1]):
            line[last, a] = _rounded(line[v, a], actions.spacing, actions.shift[a])
        if v == 0 or not _equal(line[last], line[last - 1]):
            last += 1
    if last == 1 and whole:
        _one_step(line, edge, middle, actions)
        last = 2
    return last - 1


@kernel
def _one_step(line: Floats, edge: Floats, middle: Floats, actions: Actions) -> None:
    """Make the first vertex a segment of one step: along the main axis of `edge`, in its direction, over `middle`."""
    main = int(np.argmax(np.abs(edge)))
    line[1] = line[0]
    forwards = edge[main] >= 0.0
    after = middle[main] >= line[0, main]
    step = actions.spacing if after else -actions.spacing
    moved = 1 if forwards == after else 0
    line[moved, main] = _rounded(line[moved, main] + step, actions.spacing, actions.shift[main])


@kernel
def ends_on_lattice(held: Floats, line: Floats, k: int, actions: Actions | None) -> None:
    """Move the ends of held[1 : k + 2], calibrated from those of `line`, to the lattice, and not onto their neighbours.

    Where that cannot be, the ends of `line` stand: they are on the lattice.
    """
    if actions is None:
        return
    if actions.spacing == 0.0:
        return
    for end in (1, k + 1):
        for a in range(held.shape[1]):
            held[end, a] = _rounded(held[end, a], actions.spacing, actions.shift[a])
    if _equal(held[1], held[2]) or _equal(held[k], held[k + 1]):
        held[1] = line[0]
        held[k + 1] = line[k]


@kernel
def _rounded(value: float, spacing: float, shift: float) -> float:
    multiple = np.floor((value + shift) / spacing + 0.5)
    return float(multiple * spacing - shift) if abs(multiple) < LARGEST else value


@kernel
def _equal(first: Floats, second: Floats) -> bool:
    return bool((first == second).all())


@kernel
def bonus(elsewhere: np.uint64, line: Floats, k: int, actions: Actions | None) -> float:
    """2 · temperature · z_f of the action made of this line and segments elsewhere, whose hash is given.

    z_f is a draw of law Exp(1), made of the seed and the action alone.
    """
    if actions is None:
        return 0.0
    if actions.temperature == 0.0:
        return 0.0
    whole = elsewhere + hash_of_line(line, k, actions.grid, actions.shift)
    z = exponential(mix(mix(np.uint64(actions.seed)) ^ whole))
    return float(2.0 * actions.temperature * z)


@kernel
def hash_elsewhere(vertices: Floats, k: int, window: Floats, kk: int, actions: Actions | None) -> np.uint64:
    """What the segments of the line that are not in this window of it contribute to its hash."""
    if actions is None:
        return np.uint64(0)
    if actions.temperature == 0.0:
        return np.uint64(0)
    whole = hash_of_line(vertices, k, actions.grid, actions.shift)
    return whole - hash_of_line(window, kk, actions.grid, actions.shift)
