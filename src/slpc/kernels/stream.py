"""The hot loop of the learner: losses, cells and what is owed to each segment, until something needs attention."""

from typing import Any

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel_of_numbers
from slpc.kernels.cells import bucket_of, make_room, nearest_in_plane, nearest_in_space
from slpc.kernels.ends import outwards
from slpc.kernels.nearest import distances_in_plane, distances_in_space, first_of_nearest
from slpc.kernels.trail import FOLLOWED, follow

# What stops the loop, as bits of head.event.
MOVE, EXPLORE, FULL, ENDS = 1, 2, 4, 8

# Cells are looked for within so many radii along the line: they may have moved since they were put in order. In d
# dimensions most of a radius is across the line, and about √(2/d) of it along.
_DRIFT = 1.5
_RUN = 64  # so many points are measured at once, at most
_FIRST_RUN = 8  # ... and so many first, in twice as many each time: an event makes what was measured beyond it useless


@kernel_of_numbers
def take(
    X: Floats,
    sample_weight: Floats,
    begin: int,
    heads: Any,
    rates: Floats,
    hits: Floats,
    trail: Floats,
    trail_weight: Floats,
    far: Floats,
    anchor: Floats,
    edge: Floats,
    norm2: Floats,
    inverse: Floats,
    means: Floats,
    rows: Floats,
    weight: Floats,
    scatter: Floats,
    segment: Ints,
    arc: Floats,
    first_at: Ints,
    owed: Floats,
    allowed: Floats,
    losses: Floats,
) -> int:
    """Take points from X[begin] on; return the number of the first one not taken.

    Each point: its loss against the line held; into the nearest cell of its segment; its loss is owed to the segment.
    Stops behind a point that makes a move, an exploration, a coarser summary or new ends due.
    """
    T, d = X.shape
    head = heads[0]  # an array of one costs less to pass than the record
    k = head.k
    segments = k + 2
    room = weight.size - 1
    n_cells = head.n_cells
    n = head.n
    unit = head.unit
    decay = head.decay
    mean_loss = head.mean_loss
    mean_loss2 = head.mean_loss2
    beyond_rate = head.beyond_rate
    cap = head.cap
    radius2 = head.radius2
    slowest = 3.0 * (1.0 - decay)
    density = head.density
    buckets = first_at.size - 1
    reach = _DRIFT * np.sqrt(2.0 * radius2 / d) + 1e-9 * arc[k]
    seen = head.seen
    next_exploration = head.next_exploration
    eager = head.eager
    event = 0
    run = min(T - begin, _RUN)
    dots = np.empty((segments, run))
    dist2s = np.empty((segments, run))
    carriers = np.empty(run, np.int64)
    run_begin = begin
    run_end = begin
    in_run = min(_FIRST_RUN, run)
    t = begin
    farthest = np.empty(2)
    for e in range(2):
        farthest[e] = outwards(far[e], e, k, anchor, edge, norm2)
    while t < T:
        # -- the loss, for a run of points at once
        if t == run_end:
            run_begin, run_end = t, min(t + in_run, T)
            in_run = min(2 * in_run, run)
            if d == 2:
                distances_in_plane(X, t, run_end - t, anchor, edge, norm2, inverse, dots, dist2s)
            else:
                distances_in_space(X, t, run_end - t, anchor, edge, norm2, inverse, dots, dist2s)
            first_of_nearest(dist2s, run_end - t, losses[t:run_end], carriers)
        loss = losses[t]
        i = t - run_begin
        j = min(max(carriers[i] - 1, 0), k - 1)
        # -- the past fades, the point counts
        w = sample_weight[t] if sample_weight.size else 1.0
        if w <= 0.0:
            t += 1
            continue
        if decay < 1.0:
            n *= decay
            unit /= decay
            if unit > 1e12:
                event |= FULL
        n += w
        capped = min(loss, cap)
        beyond_rate += 0.1 * ((1.0 if loss > cap else 0.0) - beyond_rate)
        if loss <= cap:
            share = min(max(4.0 * w / (n + 4.0), slowest), 1.0)
            mean_loss += share * (loss - mean_loss)
            mean_loss2 += share * (loss * loss - mean_loss2)
        # -- the ends: is it beyond one?
        rates[0] *= 0.85
        rates[1] *= 0.85
        for e in range(2):
            if j != (0 if e == 0 else k - 1) or loss > cap:
                continue
            beyond = -dots[1, i] if e == 0 else dots[k, i] - norm2[k]
            if beyond > farthest[e]:
                farthest[e] = beyond
                for a in range(d):
                    far[e, a] = X[t, a]
            if beyond > 0.0:
                rates[e] += 0.15
                hits[e] += w
                if hits[e] >= hits[2 + e]:
                    event |= ENDS
        if (rates[0] > FOLLOWED or rates[1] > FOLLOWED) and loss <= cap:
            head.newest = follow(trail, trail_weight, head.newest, X, t, w, head.pause)
        # -- the summary: the cells around the point's place along the line
        place = arc[j] + min(1.0, max(0.0, dots[j + 1, i] * inverse[j + 1])) * (arc[j + 1] - arc[j])
        low = first_at[bucket_of(place - reach, density, buckets)]
        high = first_at[bucket_of(place + reach, density, buckets) + 1]
        if d == 2:
            dist2, into = nearest_in_plane(means, low, high, X[t, 0], X[t, 1])
        else:
            dist2, into = nearest_in_space(rows, low, high, X, t)
        if into >= 0 and dist2 <= radius2:
            whole = weight[into] + unit * w
            part = unit * w / whole
            scatter[into] += dist2 * weight[into] * part
            for a in range(d):
                means[a, into] += part * (X[t, a] - means[a, into])
                rows[into, a] = means[a, into]
            weight[into] = whole
        else:
            bucket = bucket_of(place, density, buckets)
            into = make_room(means, rows, weight, scatter, segment, n_cells, first_at, bucket)
            weight[into] = unit * w
            scatter[into] = 0.0
            segment[into] = j
            for a in range(d):
                means[a, into] = X[t, a]
                rows[into, a] = X[t, a]
            n_cells += 1
            if n_cells >= room:
                event |= FULL
        # -- what is owed
        owed[j] += w * capped
        seen += 1
        if seen >= next_exploration:
            event |= EXPLORE
        if (owed[j] >= allowed[j] and loss > 0.0) or seen <= eager:
            event |= MOVE
        t += 1
        if event:
            head.last_segment = j
            head.last_loss = loss if loss <= cap else 0.0
            break
    head.n_cells = n_cells
    head.n = n
    head.seen = seen
    head.unit = unit
    head.mean_loss = mean_loss
    head.mean_loss2 = mean_loss2
    head.beyond_rate = beyond_rate
    head.event = event
    return t
