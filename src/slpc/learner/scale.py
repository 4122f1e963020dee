"""The scales of the moment: noise, cap and prices, taken from the summary and the losses."""

from __future__ import annotations

import math

from slpc.kernels import measure as kernels
from slpc.kernels.measure import Scale
from slpc.learner.actions import actions_of
from slpc.learner.settings import Settings
from slpc.learner.state import State

__all__ = ["Scale", "measure"]

_FINENESS = 32.0  # points a cell from which the summary limits what a segment can show


def measure(s: State, settings: Settings) -> Scale:
    """Scales for the curve as it is, the last point's surprise left out of the noise."""
    step = 0.0 if settings.spacing is None else math.ldexp(settings.spacing, -int(s.head[0]["exponent"]))
    scale = kernels.measure(
        s.head[0], s.vertices, s.means, s.weight, s.scatter,
        settings.segment_penalty, settings.length_penalty, _FINENESS * settings.memory, step,
    )  # fmt: skip
    actions = actions_of(s, settings, scale.sigma2)
    return scale if actions is None else scale._replace(actions=actions)
