"""Exploration: now and then a look over the whole class, for curves that no local move reaches."""

from __future__ import annotations

import numpy as np

from slpc.kernels.cells import register
from slpc.kernels.explore import centres, distances, insert_the_rest, prune, spanning_path
from slpc.kernels.lattice import bonus, on_lattice
from slpc.kernels.moves import local_moves
from slpc.kernels.tube import assign, line_length, score, segment_price, variance
from slpc.learner.scale import REFIT_SHARE, Scale, length_pull, loss_on_cells
from slpc.learner.settings import Settings
from slpc.learner.state import State
from slpc.polyline import Array

_SWEEPS = 4  # at most, over a candidate
_NOTHING = np.uint64(0)
_HOPE = 3.0  # times what the last sweep gained: no more is expected of all later ones


def explore(s: State, settings: Settings, scale: Scale) -> None:
    """Look over every window of the curve, then at curves made from the summary alone; keep the best."""
    head = s.head[0]
    n_cells = int(head["n_cells"])
    head["k"] = _sweep(s.vertices, int(head["k"]), s.segment[:n_cells], s, settings, scale, step=1)
    few = float(head["n"]) <= 200
    most = settings.max_segments
    if not few:
        most = min(most, max(8, 3 * int(head["k"])))
    least = 4 if few else most // 2
    tried = -1
    while most >= least:
        size = min(most, n_cells)
        most //= 2
        if size == tried:
            continue
        tried = size
        nodes = centres(s.means, s.weight, n_cells, size, 5 if size < n_cells else 1)
        if len(nodes) < 2:
            continue
        dist = distances(nodes)
        path = spanning_path(dist)
        candidate_from(nodes[path], s, settings, scale)
        if len(path) < len(nodes):
            candidate_from(nodes[insert_the_rest(dist, path)], s, settings, scale)


def candidate_from(nodes: Array, s: State, settings: Settings, scale: Scale) -> None:
    """Improve the line through `nodes`, and take it where it scores below the curve; the direction stays."""
    head = s.head[0]
    n_cells = int(head["n_cells"])
    if len(nodes) < 2:
        return
    line = np.zeros((max(len(nodes), settings.max_segments) + 8, len(s.means)))
    line[: len(nodes)] = nodes if runs_along(nodes, s) else nodes[::-1]
    segment = np.empty(n_cells, dtype=np.int64)
    best = _value(s.vertices, int(head["k"]), s, scale)
    k, value = _improve(line, len(nodes) - 1, segment, s, settings, scale, best)
    if value < best - 1e-9 * abs(best):
        head["k"] = k
        s.vertices[: k + 1] = line[: k + 1]
        s.segment[:n_cells] = segment


def runs_along(nodes: Array, s: State) -> bool:
    """Whether a line runs in the direction of the curve: most of its nodes fall later and later on it."""
    k, n = int(s.head[0]["k"]), len(nodes)
    carrier, tau = np.empty(n, np.int64), np.empty(n)
    assign(s.vertices, k, np.ascontiguousarray(nodes.T), n, np.empty(n), carrier, tau, np.empty((2, n)))
    return bool(np.sign(np.diff(carrier + tau)).sum() >= 0)


def _improve(
    line: Array, k: int, segment: np.ndarray, s: State, settings: Settings, scale: Scale, best: float
) -> tuple[int, float]:
    """Prune a candidate and sweep over it until its score settles, or has no hope of falling below `best`."""
    n_cells = len(segment)
    rules = scale.rules
    loss, _ = _loss(line, k, s, scale)
    length = float(line_length(line, k))
    sigma2 = float(variance(loss, length, k, rules.n, rules.m, rules.floor))
    unit = float(s.head[0]["unit"])
    price = float(segment_price(rules)) * sigma2 * unit
    pull = length_pull(rules, sigma2, length) * unit
    k = int(prune(line, k, s.means, s.weight, n_cells, settings.max_segments, price, pull, scale.cap))
    k = int(on_lattice(line, k, True, scale.actions))
    register(line, k, s.means, n_cells, segment)
    value = _value(line, k, s, scale)
    for _ in range(_SWEEPS):
        k = _sweep(line, k, segment, s, settings, scale, step=2)
        lower = _value(line, k, s, scale)
        gained, value = value - lower, lower
        # Settled, or too far behind to catch up even if the next sweeps gained several times as much.
        if gained < 0.5 or value - _HOPE * gained > best:
            break
    return k, value


def _sweep(
    line: Array,
    k: int,
    segment: np.ndarray,
    s: State,
    settings: Settings,
    scale: Scale,
    step: int,
) -> int:
    """Local moves in every window along the line."""
    loss, beyond = _loss(line, k, s, scale)
    found = np.empty(4)
    unit = float(s.head[0]["unit"])
    rules = scale.rules
    j = 0
    while j < k:
        length = float(line_length(line, k))
        sigma2 = float(variance(loss, length, k, rules.n, rules.m, rules.floor))
        pull = REFIT_SHARE * length_pull(rules, sigma2, length) * unit
        k = local_moves(
            line, k, j, line[0], False, s.means, s.weight, segment, len(segment), settings.max_segments,
            loss, beyond, unit, scale.cap, pull, rules, scale.actions, found,
        )  # fmt: skip
        loss, beyond = float(found[0]), float(found[1])
        j += step
    return k


def _loss(line: Array, k: int, s: State, scale: Scale) -> tuple[float, float]:
    """Capped loss of a line, what the cells hide included, and the weight beyond the cap."""
    loss, beyond = loss_on_cells(line, k, s, scale.cap)
    return loss + scale.hidden, beyond


def _value(line: Array, k: int, s: State, scale: Scale) -> float:
    """What the learner minimises: the score, less the perturbation."""
    loss, beyond = _loss(line, k, s, scale)
    value = float(score(loss, beyond, float(line_length(line, k)), k, scale.rules))
    return value - float(bonus(_NOTHING, line, k, scale.actions))
