"""Everything a learner remembers, as flat arrays of fixed size: to look at, to copy, to save."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slpc.kernels.cells import BLOCK
from slpc.kernels.trail import TRAIL
from slpc.polyline import Array

HEAD = np.dtype(
    [
        ("n", "f8"),  # points, by weight, the past discounted
        ("unit", "f8"),  # what a cell weighs for a point of weight 1 now
        ("decay", "f8"),
        ("mean_loss", "f8"),  # running means of the loss and its square, of points within the cap
        ("mean_loss2", "f8"),
        ("beyond_rate", "f8"),  # how often, lately, a point was beyond the cap
        ("outliers", "f8"),  # weight beyond the cap when that was last rare
        ("radius2", "f8"),  # cells merge within this distance, squared
        ("cap", "f8"),  # no loss counts above this
        ("sigma2", "f8"),
        ("m", "f8"),  # noise dimensions
        ("last_loss", "f8"),
        ("pause", "f8"),  # weight of a place of the trail
        ("newest", "i8"),  # place of the trail
        ("grid", "f8"),  # lines whose vertices fall on the same points of it are perturbed alike
        ("k", "i8"),  # segments
        ("n_cells", "i8"),
        ("density", "f8"),  # buckets a unit of arc length
        ("seen", "i8"),  # points, whatever their weight
        ("eager", "i8"),  # up to this many points, every point may move the curve
        ("next_exploration", "i8"),
        ("last_segment", "i8"),
        ("event", "i8"),
        ("exponent", "i8"),  # data are divided by 2^exponent
        ("waiting", "i8"),  # 1 during the warm-up
    ]
)

EAGER = 32
BUCKETS = 512


@dataclass
class State:
    """The arrays of a learner of `d` dimensions, `p` segments and `cells` cells."""

    head: NDArray[np.void]
    origin: Array
    """Subtracted from the data: the first point."""
    vertices: Array
    """The curve as it is fitted, first head.k + 1 rows."""
    held: Array
    """The line held: a point ahead, the curve with calibrated ends, a point ahead."""
    means: Array
    """Means of the cells, coordinates first; what lies behind the last is infinitely far away."""
    rows: Array
    """The same means, one a row, for the search in many dimensions."""
    weight: Array
    scatter: Array
    segment: NDArray[np.int64]
    arc: Array
    """Arc length at each vertex of the held line."""
    first_at: NDArray[np.int64]
    """First cell of each bucket of arc length."""
    owed: Array
    """Loss since its neighbourhood was last looked at, by segment."""
    allowed: Array
    """How much may be owed before it is looked at again."""
    rates: Array
    """How often, lately, a point arrived beyond each end."""
    hits: Array
    """Points beyond each end since the ends were set, and how many set them anew."""
    trail: Array
    """Where the stream was lately, while it moves on at an end: means of a few points each, in a ring."""
    trail_weight: Array
    far: Array
    """The farthest point seen beyond each end."""
    anchor: Array
    edge: Array
    norm2: Array
    inverse: Array

    @classmethod
    def empty(cls, d: int, p: int, cells: int, decay: float) -> State:
        """A state that has seen nothing."""
        head = np.zeros(1, dtype=HEAD)
        head["waiting"], head["eager"], head["unit"], head["decay"], head["cap"] = 1, EAGER, 1.0, decay, np.inf
        head["m"], head["sigma2"] = max(1, d - 1), 0.0
        rows = p + 4
        return cls(
            head=head,
            origin=np.zeros(d),
            vertices=np.zeros((rows, d)),
            held=np.zeros((rows, d)),
            means=np.zeros((d, cells + BLOCK)),
            rows=np.zeros((cells + 1, d)),
            weight=np.zeros(cells + 1),
            scatter=np.zeros(cells + 1),
            segment=np.zeros(cells + 1, dtype=np.int64),
            arc=np.zeros(rows),
            first_at=np.zeros(BUCKETS + 1, dtype=np.int64),
            owed=np.zeros(rows),
            allowed=np.zeros(rows),
            rates=np.zeros(2),
            hits=np.zeros(4),
            trail=np.zeros((TRAIL, d)),
            trail_weight=np.zeros(TRAIL),
            far=np.zeros((2, d)),
            anchor=np.zeros((d, rows)),
            edge=np.zeros((d, rows)),
            norm2=np.zeros(rows),
            inverse=np.zeros(rows),
        )

    def arrays(self) -> dict[str, Any]:
        """All arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def copy(self) -> State:
        """An independent copy."""
        return State(**{name: array.copy() for name, array in self.arrays().items()})

    @property
    def nbytes(self) -> int:
        """Memory of all arrays together."""
        return sum(array.nbytes for array in self.arrays().values())
