"""F_p: all polygonal lines on a lattice with at most p segments and length at most L, as one class of actions."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slpc.kernels.actions import enumerate_walks, segment_table, walk_losses
from slpc.paper.counting import LENGTH_ROUNDING, Edges, TooManyToCountError, count_at_least, count_walks
from slpc.paper.lattice import Lattice
from slpc.polyline import Array, Polyline, as_points

Rows = NDArray[np.unsignedinteger]


class ActionClass:
    """The paper's F_p: what a forecaster may choose from.

    An action is a sequence of 2 to p + 1 points of the lattice, consecutive ones different, whose length is at
    most L. Lines may cross themselves and visit a point twice.

    Parameters
    ----------
    lattice : Lattice
    p : int
        Most segments.
    L : float
        Greatest length; `math.inf` for none.
    identify_reversals : bool
        Count a line and its reverse, which have equal losses, as one action (the lexicographically smaller
        sequence). False: the literal reading, in which they are two.
    max_actions : int
        Enumeration beyond this is refused.

    Notes
    -----
    Actions are ordered by number of segments, then lexicographically: the first of several leaders is the
    simplest.

    """

    def __init__(
        self, lattice: Lattice, *, p: int, L: float, identify_reversals: bool = True, max_actions: int = 10_000_000
    ) -> None:
        if p != int(p) or p < 1:
            raise ValueError(f"p must be a whole number of at least 1, got {p!r}")
        if not L > 0:
            raise ValueError(f"L must be a positive length, got {L!r}")
        self.lattice = lattice
        self.p = int(p)
        self.L = float(L)
        self.identify_reversals = identify_reversals
        self.max_actions = max_actions

    def __repr__(self) -> str:
        return f"ActionClass({self.lattice}, p={self.p}, L={self.L:g}, identify_reversals={self.identify_reversals})"

    # -- counting -----------------------------------------------------------------------------------------

    @property
    def longest(self) -> float:
        """L with its tolerance for rounding."""
        return self.L * (1 + LENGTH_ROUNDING)

    @cached_property
    def _counts(self) -> list[int]:
        counts = count_walks(self.lattice, self.p, self.longest)
        if not self.identify_reversals:
            return counts
        # A line equals its own reverse if its second half is the first one backwards: k is even, and the
        # first half has length at most L / 2.
        halves = count_walks(self.lattice, self.p // 2, self.longest / 2) if self.p > 1 else []
        return [(n + (halves[k // 2 - 1] if k % 2 == 0 else 0)) // 2 for k, n in enumerate(counts, start=1)]

    def count_by_segments(self) -> list[int]:
        """Number of actions with 1, 2, …, p segments, exact, without enumerating them."""
        return list(self._counts)

    def count(self) -> int:
        """Number of actions, |F_p|, exact, without enumerating them."""
        return sum(self._counts)

    @property
    def enumerable(self) -> bool:
        """Whether the class is small enough to enumerate."""
        if self.lattice.approximate_size > _MOST_POINTS:
            return False  # without even listing the lattice
        try:
            limit = 2 * self.max_actions  # count_at_least counts both directions
            return (
                count_at_least(self.lattice, self.p, self.longest, enough=limit) <= limit
                and self.count() <= self.max_actions
            )
        except TooManyToCountError:
            return False

    # -- the actions --------------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> tuple[Rows, ...]:
        """The actions by number of segments: blocks[k - 1] has a row of k + 1 lattice point numbers for each."""
        try:
            total = self.count()
        except TooManyToCountError as error:
            raise ValueError(
                f"the class is too large to enumerate: it has {error}; the limit is {self.max_actions:,}; {_SMALLER}"
            ) from None
        if total > self.max_actions:
            raise ValueError(f"the class has {total:,} actions, over the limit of {self.max_actions:,}; {_SMALLER}")
        if total == 0:
            raise ValueError(
                f"the class is empty: no two of the {len(self.lattice)} lattice points are within L={self.L:g} "
                f"of each other; {_LARGER}"
            )
        edges = Edges.of(self.lattice, self.longest)
        blocks = []
        for k, n in enumerate(self._counts, start=1):
            rows = np.empty((n, k + 1), dtype=np.min_scalar_type(len(self.lattice) - 1))
            found = enumerate_walks(
                edges.first, edges.neighbour, edges.length, self.longest, self.identify_reversals, rows
            )
            if found != n:
                raise ArithmeticError(
                    f"{found} lines of {k} segments were found where {n} were counted: some lengths are within "
                    f"rounding of L={self.L!r}; change L by a millionth"
                )
            rows.flags.writeable = False
            blocks.append(rows)
        return tuple(blocks)

    def __len__(self) -> int:
        return sum(len(rows) for rows in self.blocks)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Index of the first action of each block, and the number of actions."""
        return np.concatenate([[0], np.cumsum([len(rows) for rows in self.blocks])]).astype(np.int64)

    @cached_property
    def segments(self) -> NDArray[np.uint8]:
        """K(f) of every action."""
        sizes = [len(rows) for rows in self.blocks]
        return np.repeat(np.arange(1, self.p + 1), sizes).astype(np.min_scalar_type(self.p))

    def row(self, i: int) -> NDArray[np.int64]:
        """The lattice point numbers of action i."""
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"action {i} of {n}")
        i %= n
        k = int(np.searchsorted(self.starts, i, side="right"))
        return np.asarray(self.blocks[k - 1][i - self.starts[k - 1]], dtype=np.int64)

    def __getitem__(self, i: int) -> Polyline:
        return Polyline.trusted(self.lattice.points[self.row(i)])

    def index(self, vertices: ArrayLike | Polyline) -> int:
        """Number of the action with these vertices; ValueError where there is none."""
        wanted = vertices.vertices if isinstance(vertices, Polyline) else as_points(vertices, self.lattice.dim)
        gap = np.abs(wanted[:, None] - self.lattice.points[None]).max(axis=2)
        row = gap.argmin(axis=1)
        if gap.min(axis=1).max() > 1e-9 * self.lattice.spacing:
            raise ValueError("a vertex is not a point of the lattice")
        return self.index_of_row(row)

    def index_of_row(self, row: NDArray[np.int64]) -> int:
        """Number of the action that runs through these lattice points (either way, with reversals identified)."""
        if self.identify_reversals and row.tolist() > row[::-1].tolist():
            row = row[::-1]
        k = len(row) - 1
        block = self.blocks[k - 1] if 1 <= k <= self.p else np.empty((0, k + 1), dtype=np.int64)
        low, high = 0, len(block)
        for j, v in enumerate(row):  # rows are sorted: narrow down column by column
            low, high = (low + int(np.searchsorted(block[low:high, j], v, side=s)) for s in ("left", "right"))
        if low == high:
            raise ValueError(f"the line through lattice points {row.tolist()} is not in the class")
        return low + int(self.starts[k - 1])

    # -- losses -------------------------------------------------------------------------------------------

    def losses(self, x: ArrayLike, out: Array | None = None) -> Array:
        """Δ(f, x) of every action f, in order.

        The squared distances of x to all segments of the lattice are put in one table; an action's loss is
        the least of its entries.
        """
        point = as_points(x, self.lattice.dim)
        if len(point) != 1:
            raise ValueError(f"losses takes one point, got {len(point)}")
        n = len(self.lattice)
        table = np.empty((n, n))
        segment_table(self.lattice.points, point[0], table)
        losses = np.empty(len(self)) if out is None else out
        for rows, start in zip(self.blocks, self.starts, strict=False):
            walk_losses(rows, table, losses[start : start + len(rows)])
        return losses


_MOST_POINTS = 20_000
_SMALLER = "take a larger spacing, a smaller radius, fewer segments p or a shorter length L"
_LARGER = "take a larger L, a larger radius or a smaller spacing"
