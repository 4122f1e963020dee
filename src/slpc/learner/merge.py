"""Two learners of two parts of one stream become one."""

from __future__ import annotations

import math

import numpy as np

from slpc.kernels.cells import coarsen, register
from slpc.learner.explore import candidate_from, explore
from slpc.learner.learner import Learner
from slpc.learner.scale import measure
from slpc.polyline import Array


def merge(a: Learner, b: Learner) -> Learner:
    """A learner that has seen what both have; it goes on in the units and the direction of the first.

    The summaries are put together; the curve is the best of either one's, of the two joined at their nearest ends,
    and of what exploration finds.
    """
    if b.state.head[0]["waiting"]:
        return _with_points(a, b)
    if a.state.head[0]["waiting"]:
        merged = _with_points(b, a)
        merged.retune(a.settings)
        return merged
    merged = Learner(a.settings, len(a.state.origin))
    merged.state = a.state.copy()
    s, o = merged.state, b.state
    head, other = s.head[0], o.head[0]
    scale = math.ldexp(1.0, int(other["exponent"] - head["exponent"]))

    def moved(points: Array) -> Array:
        """Points of b in the units of a; coordinates last."""
        return np.asarray(merged._inwards(b._outwards(points)))

    na, nb = int(head["n_cells"]), int(other["n_cells"])
    means = np.concatenate([s.means[:, :na], moved(o.means[:, :nb].T).T], axis=1)
    weight = np.concatenate([s.weight[:na] / head["unit"], o.weight[:nb] / other["unit"]])
    scatter = np.concatenate([s.scatter[:na] / head["unit"], o.scatter[:nb] / other["unit"] * scale**2])
    segment = np.zeros(na + nb, dtype=np.int64)
    n_cells = na + nb
    room = int(0.75 * merged.settings.memory)
    radius2 = max(float(head["radius2"]), float(other["radius2"]) * scale**2)
    if n_cells > room:
        n_cells, radius2 = coarsen(means, weight, scatter, segment, n_cells, room, radius2)
    s.means[:, :n_cells], s.weight[:n_cells], s.scatter[:n_cells] = (
        means[:, :n_cells],
        weight[:n_cells],
        scatter[:n_cells],
    )
    share = float(other["n"]) / float(head["n"] + other["n"])
    for name, power in (("mean_loss", 2), ("mean_loss2", 4), ("sigma2", 2)):
        head[name] = (1 - share) * head[name] + share * other[name] * scale**power
    head["cap"] = max(float(head["cap"]), float(other["cap"]) * scale**2)  # drawn in when it is measured
    head["n"], head["seen"] = head["n"] + other["n"], head["seen"] + other["seen"]
    head["n_cells"], head["unit"], head["radius2"] = n_cells, 1.0, radius2
    head["last_loss"], head["m"] = 0.0, max(head["m"], other["m"])
    s.rates[:] = 0.0
    mine = s.vertices[: int(head["k"]) + 1].copy()
    theirs = moved(o.vertices[: int(other["k"]) + 1])
    far = np.concatenate([s.far, moved(o.far)])
    register(s.vertices, int(head["k"]), s.means, n_cells, s.segment)
    now = measure(s, merged.settings)
    for line in (theirs, _joined(mine, theirs)):
        candidate_from(line, s, merged.settings, now)
    now = measure(s, merged.settings)
    explore(s, merged.settings, now)
    k = int(head["k"])
    register(s.vertices, k, s.means, n_cells, s.segment)
    merged._see_farthest(far)
    merged._settle(0, k, merged._patience_everywhere())
    merged._plan_exploration()
    merged._hold()
    return merged


def _with_points(learner: Learner, early: Learner) -> Learner:
    """A learner that takes the few points of one that is still warming up."""
    merged = Learner(learner.settings, len(learner.state.origin))
    merged.state = learner.state.copy()
    n = int(early.state.head[0]["n_cells"])
    if n:
        merged.learn(early.state.means[:, :n].T + early.state.origin, early.state.weight[:n].copy())
    return merged


def _joined(mine: Array, theirs: Array) -> Array:
    """Both lines as one, joined where their ends are nearest."""
    pairs = [(first, second) for first in (mine, mine[::-1]) for second in (theirs, theirs[::-1])]
    first, second = min(pairs, key=lambda pair: float(np.linalg.norm(pair[0][-1] - pair[1][0])))
    return np.concatenate([first, second])
