"""How many polygonal lines there are on a lattice, exactly, without listing them.

Walks are counted by end point and length, one segment after another. Equal lengths are merged: on a lattice
they are sums of a few square roots, so there are far fewer lengths than walks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.spatial import cKDTree

from slpc.kernels.actions import extend_walks
from slpc.paper.lattice import Lattice
from slpc.polyline import Array

LENGTH_ROUNDING = 1e-9
"""A line whose length exceeds L by less than this part still belongs to the class."""

_EXACT_FLOAT = 2.0**53
_MERGED = 1e-11  # lengths closer than this many spacings are one
_MOST_PAIRS = 20_000_000
_MOST_FOR_TREE = 50_000
_MOST_STATES = 20_000_000
_MOST_WORK = 2e9
_STEP_REACH = 500  # steps up to this many spacings are summed in log_count_bound,
_DECAY = 45.0  # where exp(-θ |u|) has fallen by exp(-45 d)
_PRIMES = (2**31 - 1, 2**31 - 19, 2**31 - 61, 2**31 - 69, 2**31 - 85, 2**31 - 99, 2**31 - 105, 2**31 - 151)


class TooManyToCountError(ValueError):
    """The class is so large that even counting it takes too long."""


@dataclass(frozen=True)
class Edges:
    """The segments that a walk may take: those between different lattice points no longer than L."""

    first: NDArray[np.int64]
    """The segments out of point v are first[v] … first[v + 1] - 1."""
    neighbour: NDArray[np.int64]
    length: Array

    @property
    def n_points(self) -> int:
        """Number of lattice points, joined or not."""
        return len(self.first) - 1

    def up_to(self, longest: float) -> Edges:
        """The segments no longer than `longest`."""
        near = self.length <= longest
        kept = np.concatenate([[0], np.cumsum(near)])
        return Edges(kept[self.first].astype(np.int64), self.neighbour[near], self.length[near])

    @classmethod
    def of(cls, lattice: Lattice, longest: float) -> Edges:
        """All segments of the lattice up to a length."""
        points = lattice.points
        if len(points) ** 2 > _MOST_PAIRS:
            if len(points) > _MOST_FOR_TREE:
                raise TooManyToCountError(f"{len(points):,} lattice points, too many to look at their pairs")
            pairs = cKDTree(points).count_neighbors(cKDTree(points), longest) - len(points)
            raise TooManyToCountError(f"{int(pairs):,} actions of one segment alone (both directions counted)")
        lengths = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
        near = lengths <= longest
        np.fill_diagonal(near, val=False)
        first = np.zeros(len(points) + 1, dtype=np.int64)
        np.cumsum(near.sum(axis=1), out=first[1:])
        return cls(first, np.nonzero(near)[1].astype(np.int64), lengths[near])


def count_at_least(lattice: Lattice, p: int, longest: float, enough: float = math.inf) -> float:
    """A lower bound of the number of walks, quick even where counting is not: those whose segments are all short.

    A walk of k segments, none longer than L / k, is never too long. The sum is left off once it exceeds `enough`.
    """
    edges = Edges.of(lattice, longest)
    total = 0.0
    for k in range(1, p + 1):
        short = edges.up_to(longest / k)
        plans = [np.zeros((1, 1), dtype=np.int64)] * k
        total += _run(short, np.zeros(len(short.length), dtype=np.int64), plans, np.float64, 0)[-1]
        if total > enough:
            break
    return total


def count_walks(lattice: Lattice, p: int, longest: float) -> list[int]:
    """Number of walks of 1, …, p segments, both directions counted, of length at most `longest`."""
    edges = Edges.of(lattice, longest)
    # Lengths play no part where no walk can be too long.
    free = edges.length.size == 0 or p * edges.length.max() <= longest
    step_lengths, step = _merge(edges.length * (0.0 if free else 1.0), lattice.spacing)
    plans = _plan_lengths(step_lengths, p, longest, edges, lattice.spacing)
    if len(plans) < p:
        raise TooManyToCountError(f"over {count_at_least(lattice, p, longest):.4g} actions (both directions counted)")
    return _totals(edges, step, plans)


def _plan_lengths(step_lengths: Array, p: int, longest: float, edges: Edges, spacing: float) -> list[NDArray[np.int64]]:
    """For each segment added, which length each (length, step) leads to; -1 where it is too long.

    Ends before p segments where there are too many different lengths.
    """
    lengths = np.zeros(1)
    plans: list[NDArray[np.int64]] = []
    work = 0.0
    for _ in range(p):
        work += len(lengths) * len(edges.length)
        if work > _MOST_WORK or len(lengths) * max(edges.n_points, len(step_lengths)) > _MOST_STATES:
            break
        sums = lengths[:, None] + step_lengths[None, :]
        fits = sums <= longest
        plan = np.full(sums.shape, -1, dtype=np.int64)
        lengths, plan[fits] = _merge(sums[fits], spacing)
        plans.append(plan)
    return plans


def _merge(values: Array, spacing: float) -> tuple[Array, NDArray[np.int64]]:
    """Distinct values up to rounding, and which of them each value is."""
    _, index, inverse = np.unique(np.rint(values / (spacing * _MERGED)), return_index=True, return_inverse=True)
    return values[index], inverse.reshape(-1).astype(np.int64)


def _totals(edges: Edges, step: NDArray[np.int64], plans: list[NDArray[np.int64]]) -> list[int]:
    """Exact number of walks after each planned segment."""
    in_floats = _run(edges, step, plans, np.float64, 0)
    if max(in_floats, default=0.0) < _EXACT_FLOAT:
        return [int(n) for n in in_floats]
    # Beyond 2^53 floats are not exact: count modulo several primes instead and put the residues together.
    primes: list[int] = []
    while _product(primes) <= 2 * max(in_floats):
        if len(primes) == len(_PRIMES):
            raise TooManyToCountError(f"about {max(in_floats):.3g} actions")
        primes.append(_PRIMES[len(primes)])
    residues = [_run(edges, step, plans, np.int64, m) for m in primes]
    return [_chinese_remainder([int(r[k]) for r in residues], primes) for k in range(len(plans))]


def _run(
    edges: Edges,
    step: NDArray[np.int64],
    plans: list[NDArray[np.int64]],
    dtype: type[np.int64] | type[np.float64],
    modulus: int,
) -> list[float]:
    """Number of walks after each planned segment, modulo `modulus` unless that is 0."""
    counts: NDArray[Any] = np.ones((1, edges.n_points), dtype=dtype)
    totals = []
    for plan in plans:
        extended: NDArray[Any] = np.zeros((int(plan.max(initial=-1)) + 1, edges.n_points), dtype=dtype)
        extend_walks(counts, edges.first, edges.neighbour, step, plan, extended, modulus)
        totals.append(int(extended.sum()) % modulus if modulus else float(extended.sum()))
        counts = extended
    return totals


def _product(factors: list[int]) -> int:
    product = 1
    for f in factors:
        product *= f
    return product


def _chinese_remainder(residues: list[int], primes: list[int]) -> int:
    whole = _product(primes)
    total = 0
    for r, m in zip(residues, primes, strict=True):
        rest = whole // m
        total += r * rest * pow(rest, -1, m)
    return total % whole


def log_count_bound(lattice: Lattice, k: int, longest: float) -> float:
    """An upper bound of ln N_k, the number of lines of k segments, that needs no counting (Chernoff's).

    For every θ > 0, N_k <= |Q| exp(θ L) A(θ)^k, where A(θ) sums exp(-θ |u|) over the steps u of the lattice.
    """
    if not np.isfinite(longest):
        raise ValueError("this bound needs a finite length L")
    squares = np.arange(1, _STEP_REACH**2 + 1, dtype=np.float64)
    number = _lattice_points_by_square(lattice.dim, _STEP_REACH**2)[1:]
    step, number = np.sqrt(squares[number > 0]), number[number > 0]
    most = longest / lattice.spacing

    def exponent(log_theta: float) -> float:
        theta = np.exp(log_theta)
        # Steps beyond the reach add less than rounding for every θ in the range searched.
        return float(theta * most + k * np.log(np.exp(np.log(number) - theta * step).sum()))

    low = np.log(_DECAY * lattice.dim / _STEP_REACH)
    best = minimize_scalar(exponent, bounds=(low, 5.0), method="bounded", options={"xatol": 1e-10})
    return float(np.log(len(lattice.points)) + best.fun)


def _lattice_points_by_square(dim: int, largest: int) -> Array:
    """Number of points of ℤᵈ at each squared distance 0, 1, …, `largest` from the origin."""
    one = np.zeros(largest + 1)
    roots = np.arange(1, int(np.sqrt(largest)) + 1)
    one[0], one[roots * roots] = 1.0, 2.0
    number = one
    for _ in range(dim - 1):
        extended = number.copy()
        for r in roots:
            extended[r * r :] += 2.0 * number[: largest + 1 - r * r]
        number = extended
    return number
