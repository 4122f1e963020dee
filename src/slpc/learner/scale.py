"""The scales of the moment: noise, cap and prices, taken from the summary and the losses."""

from __future__ import annotations

from slpc.kernels import measure as kernels
from slpc.kernels.measure import Scale
from slpc.learner.settings import Settings
from slpc.learner.state import State

__all__ = ["Scale", "measure"]

_FINENESS = 32.0  # points a cell from which the summary limits what a segment can show


def measure(s: State, settings: Settings) -> Scale:
    """Scales for the curve as it is, the last point's surprise left out of the noise."""
    return kernels.measure(
        s.head[0], s.vertices, s.means, s.weight,
        settings.segment_penalty, settings.length_penalty, _FINENESS * settings.memory,
    )  # fmt: skip
