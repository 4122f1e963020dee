"""Room in the summary: what has faded, and outliers, are forgotten; then cells merge."""

from __future__ import annotations

from slpc.kernels.cells import coarsen, drop_light, drop_outliers, register
from slpc.kernels.measure import FEW, OFTEN, cells_along
from slpc.learner.settings import Settings
from slpc.learner.state import State

_NEARLY_FULL = 0.9  # of the cells; no more is done once fewer are in use
_LEFT = 0.75  # ... are left when cells merge
_FADED = 1e-3  # of a cell's share of all weight


def make_room(s: State, settings: Settings) -> None:
    """Forget what has faded, then outliers, and merge cells where that is not enough."""
    head, memory = s.head[0], settings.memory
    if head["decay"] < 1.0:
        least = _FADED * float(head["n"]) / memory
        head["n_cells"] = drop_light(
            s.means, s.weight, s.scatter, s.segment, int(head["n_cells"]), least, float(head["unit"])
        )
        head["unit"] = 1.0
    if head["n_cells"] > _NEARLY_FULL * memory:
        _forget_outliers(s, memory)
    if head["n_cells"] > _NEARLY_FULL * memory:
        head["n_cells"], head["radius2"] = coarsen(
            s.means, s.weight, s.scatter, s.segment, int(head["n_cells"]), int(_LEFT * memory), float(head["radius2"])
        )
    register(s.vertices, int(head["k"]), s.means, int(head["n_cells"]), s.segment)


def _forget_outliers(s: State, memory: int) -> None:
    """Keep outliers from taking up the summary: in many dimensions hardly two of them share a cell.

    What arrives often, or weighs much together, may be a part of the curve not yet found, and stays.
    """
    head = s.head[0]
    n_cells, unit = int(head["n_cells"]), float(head["unit"])
    dist2, _ = cells_along(s.vertices, int(head["k"]), s.means, n_cells)
    beyond = dist2 > head["cap"]
    most = memory // 8
    if (
        beyond.sum() > most
        and head["beyond_rate"] < OFTEN
        and s.weight[:n_cells][beyond].sum() <= FEW * head["n"] * unit
    ):
        head["n_cells"], lost = drop_outliers(
            s.means, s.weight, s.scatter, s.segment, n_cells, dist2, float(head["cap"]), most // 2
        )
        head["n"] -= lost / unit
