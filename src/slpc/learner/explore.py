"""Exploration: now and then a look over the whole class, for curves that no local move reaches."""

from __future__ import annotations

import numpy as np

from slpc.kernels.explore import centres, distances, insert_the_rest, runs_along, spanning_path
from slpc.kernels.measure import Scale, cells_along, value_on_cells
from slpc.kernels.sweep import improve, sweep
from slpc.learner.settings import Settings
from slpc.learner.state import State
from slpc.polyline import Array


def explore(s: State, settings: Settings, scale: Scale) -> None:
    """Look over every window of the curve, then at curves made from the summary alone; keep the best."""
    head = s.head[0]
    n_cells = int(head["n_cells"])
    head["k"] = sweep(
        s.vertices, int(head["k"]), s.segment, s.means, s.weight, n_cells, settings.max_segments, scale,
        np.ones(len(s.vertices), dtype=np.bool_), 1,
    )  # fmt: skip
    means, weight = _without_outliers(s, scale)
    few = float(head["n"]) <= 200
    most = settings.max_segments
    if not few:
        most = min(most, max(8, 3 * int(head["k"])))
    least = 4 if few else most // 2
    tried = -1
    while most >= least:
        size = min(most, len(weight))
        most //= 2
        if size == tried:
            continue
        tried = size
        nodes = centres(means, weight, len(weight), size, 5 if size < len(weight) else 1)
        if len(nodes) < 2:
            continue
        dist = distances(nodes)
        path = spanning_path(dist)
        candidate_from(nodes[path], s, settings, scale)
        if len(path) < len(nodes):
            candidate_from(nodes[insert_the_rest(dist, path)], s, settings, scale)


def _without_outliers(s: State, scale: Scale) -> tuple[Array, Array]:
    """Means and weights of the cells that a candidate is made from: outliers would have it run through them."""
    head = s.head[0]
    n_cells = int(head["n_cells"])
    inside = np.ones(n_cells, dtype=np.bool_)
    if scale.beyond <= scale.rules.outliers:
        inside = cells_along(s.vertices, int(head["k"]), s.means, n_cells)[0] <= scale.cap
    return np.ascontiguousarray(s.means[:, :n_cells][:, inside]), s.weight[:n_cells][inside]


def candidate_from(nodes: Array, s: State, settings: Settings, scale: Scale) -> None:
    """Improve the line through `nodes`, and take it where it scores below the curve; the direction stays."""
    head = s.head[0]
    n_cells = int(head["n_cells"])
    if len(nodes) < 2:
        return
    line = np.zeros((max(len(nodes), settings.max_segments) + 8, len(s.means)))
    line[: len(nodes)] = nodes
    segment = np.empty(n_cells, dtype=np.int64)
    best = value_on_cells(s.vertices, int(head["k"]), s.means, s.weight, n_cells, scale)
    k, value = improve(line, len(nodes) - 1, segment, s.means, s.weight, n_cells, settings.max_segments, scale, best)
    if value < best - 1e-9 * abs(best):
        along = runs_along(s.vertices, int(head["k"]), np.ascontiguousarray(line[: k + 1].T))
        head["k"] = k
        s.vertices[: k + 1] = line[: k + 1] if along else line[k::-1]
        s.segment[:n_cells] = segment if along else k - 1 - segment
