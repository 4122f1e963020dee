"""Candidates from the whole summary: weighted centres, a path through them, and its pruning."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel
from slpc.kernels.tube import TIE, assign


@kernel
def centres(means: Floats, weight: Floats, n_cells: int, m: int, passes: int) -> Floats:
    """At most m weighted k-means centres, (≤ m, d): farthest-point seeds, a few passes, light ones left out."""
    d = means.shape[0]
    total = weight[:n_cells].sum()
    even = total / n_cells
    found = np.empty((m, d))
    nearest = np.full(n_cells, np.inf)
    middle = np.empty(d)
    for a in range(d):
        middle[a] = (weight[:n_cells] * means[a, :n_cells]).sum() / total
    seed = 0
    best = -1.0
    for i in range(n_cells):
        dist2 = 0.0
        for a in range(d):
            dist2 += (means[a, i] - middle[a]) ** 2
        if dist2 * min(weight[i], even) > best:
            best = dist2 * min(weight[i], even)
            seed = i
    for c in range(m):
        for a in range(d):
            found[c, a] = means[a, seed]
        best = -1.0
        for i in range(n_cells):
            dist2 = 0.0
            for a in range(d):
                dist2 += (means[a, i] - found[c, a]) ** 2
            nearest[i] = min(nearest[i], dist2)
            if nearest[i] * min(weight[i], even) > best:
                best = nearest[i] * min(weight[i], even)
                seed = i
    mass = np.zeros(m)
    sums = np.empty((m, d))
    for _ in range(passes):
        sums[:] = 0.0
        mass[:] = 0.0
        for i in range(n_cells):
            best = np.inf
            into = 0
            for c in range(m):
                dist2 = 0.0
                for a in range(d):
                    dist2 += (means[a, i] - found[c, a]) ** 2
                if dist2 < best:
                    best = dist2
                    into = c
            mass[into] += weight[i]
            for a in range(d):
                sums[into, a] += weight[i] * means[a, i]
        for c in range(m):
            if mass[c] > 0.0:
                for a in range(d):
                    found[c, a] = sums[c, a] / mass[c]
    kept = 0
    for c in range(m):
        if mass[c] > 0.05 * total / m or n_cells <= m:
            found[kept] = found[c]
            kept += 1
    return found[:kept]


@kernel
def distances(nodes: Floats) -> Floats:
    """All distances between the rows."""
    m, d = nodes.shape
    dist = np.zeros((m, m))
    for i in range(m):
        for j in range(i):
            total = 0.0
            for a in range(d):
                total += (nodes[i, a] - nodes[j, a]) ** 2
            dist[i, j] = np.sqrt(total)
            dist[j, i] = dist[i, j]
    return dist


@kernel
def spanning_path(dist: Floats) -> Ints:
    """The longest path in the minimum spanning tree of the nodes, as their numbers."""
    m = dist.shape[0]
    parent = np.full(m, -1)
    key = np.full(m, np.inf)
    reached = np.zeros(m, np.bool_)
    order = np.empty(m, np.int64)
    key[0] = 0.0
    for step in range(m):
        v = -1
        for i in range(m):
            if not reached[i] and (v < 0 or key[i] < key[v]):
                v = i
        reached[v] = True
        order[step] = v
        for i in range(m):
            if not reached[i] and dist[v, i] < key[i]:
                key[i] = dist[v, i]
                parent[i] = v
    # Twice the farthest node: from anywhere, then from that one.
    source = 0
    far = 0
    before = np.full(m, -1)
    for _ in range(2):
        away = np.full(m, -1.0)
        away[source] = 0.0
        before[:] = -1
        v = source
        while parent[v] >= 0:
            up = parent[v]
            away[up] = away[v] + dist[up, v]
            before[up] = v
            v = up
        for step in range(1, m):
            v = order[step]
            if away[v] < 0.0:
                away[v] = away[parent[v]] + dist[v, parent[v]]
                before[v] = parent[v]
        far = int(np.argmax(away))
        if _ == 0:
            source = far
    path = np.empty(m, np.int64)
    n = 0
    v = far
    while v >= 0:
        path[n] = v
        n += 1
        v = before[v]
    return path[:n]


@kernel
def insert_the_rest(dist: Floats, path: Ints) -> Ints:
    """The path with every other node put in where it costs least, then shortened by reversals and moves."""
    m = dist.shape[0]
    whole = np.empty(m, np.int64)
    n = path.size
    whole[:n] = path
    used = np.zeros(m, np.bool_)
    used[path] = True
    while n < m:
        least = np.inf
        place = 0
        node = -1
        for i in range(m):
            if used[i]:
                continue
            for q in range(n + 1):
                cost = _insertion(dist, whole, n, i, q)
                if cost < least:
                    least, place, node = cost, q, i
        for q in range(n, place, -1):
            whole[q] = whole[q - 1]
        whole[place] = node
        used[node] = True
        n += 1
    for _ in range(20):
        if not (_reverse_parts(dist, whole) or _move_nodes(dist, whole)):
            break
    return whole


@kernel
def _insertion(dist: Floats, path: Ints, n: int, node: int, place: int) -> float:
    """How much longer the path gets with a node put in at this place."""
    if place == 0:
        return float(dist[node, path[0]])
    if place == n:
        return float(dist[node, path[n - 1]])
    return float(dist[node, path[place - 1]] + dist[node, path[place]] - dist[path[place - 1], path[place]])


@kernel
def _reverse_parts(dist: Floats, path: Ints) -> bool:
    """2-opt, once through; whether anything got shorter."""
    n = path.size
    shorter = False
    tiny = 1e-12 * dist.max()
    for i in range(n - 1):
        for j in range(i + 1, n):
            change = 0.0
            if i > 0:
                change += dist[path[i - 1], path[j]] - dist[path[i - 1], path[i]]
            if j < n - 1:
                change += dist[path[i], path[j + 1]] - dist[path[j], path[j + 1]]
            if change < -tiny:
                path[i : j + 1] = path[i : j + 1][::-1].copy()
                shorter = True
    return shorter


@kernel
def _move_nodes(dist: Floats, path: Ints) -> bool:
    """Or-opt of single nodes, once through; whether anything got shorter."""
    n = path.size
    shorter = False
    tiny = 1e-12 * dist.max()
    rest = np.empty(n - 1, np.int64)
    for i in range(n):
        node = path[i]
        gain = 0.0
        if i > 0:
            gain += dist[path[i - 1], node]
        if i < n - 1:
            gain += dist[node, path[i + 1]]
        if 0 < i < n - 1:
            gain -= dist[path[i - 1], path[i + 1]]
        rest[:i] = path[:i]
        rest[i:] = path[i + 1 :]
        least = gain - tiny
        place = -1
        for q in range(n):
            cost = _insertion(dist, rest, n - 1, node, q)
            if cost < least:
                least, place = cost, q
        if place >= 0:
            path[:place] = rest[:place]
            path[place] = node
            path[place + 1 :] = rest[place:]
            shorter = True
    return shorter


@kernel
def runs_along(vertices: Floats, k: int, nodes: Floats) -> bool:
    """Whether the line through nodes, coordinates first, runs in the direction of the other.

    By the covariance of their places on both lines. Each node counts by the length of its segments, so that a knot of
    short ones decides nothing.
    """
    d, n = nodes.shape
    carrier = np.empty(n, np.int64)
    tau = np.empty(n)
    assign(vertices, k, nodes, n, np.empty(n), carrier, tau, np.empty((2, n)))
    arc = np.zeros(k + 1)
    for s in range(k):
        step = 0.0
        for a in range(d):
            step += (vertices[s + 1, a] - vertices[s, a]) ** 2
        arc[s + 1] = arc[s] + np.sqrt(step)
    place = np.empty(n)
    along = np.zeros(n)
    weight = np.zeros(n)
    for i in range(n):
        place[i] = arc[carrier[i]] + tau[i] * (arc[carrier[i] + 1] - arc[carrier[i]])
        if i > 0:
            step = 0.0
            for a in range(d):
                step += (nodes[a, i] - nodes[a, i - 1]) ** 2
            along[i] = along[i - 1] + np.sqrt(step)
            weight[i - 1] += along[i] - along[i - 1]
            weight[i] += along[i] - along[i - 1]
    total = weight.sum()
    if not total > 0.0:
        return True
    middle = (weight * along).sum() / total
    return bool((weight * (along - middle) * place).sum() >= 0.0)


@kernel
def prune(
    line: Floats,
    k: int,
    means: Floats,
    weight: Floats,
    n_cells: int,
    most_segments: int,
    segment_price: float,
    pull: float,
    cap: float,
) -> int:
    """Leave out vertices, the cheapest first, while there are too many or leaving one out pays; segments left."""
    d = line.shape[1]
    dist2 = np.empty(n_cells)
    carrier = np.empty(n_cells, np.int64)
    dearer = np.empty((2, n_cells))  # how much each cell loses without the first, the second vertex of its segment
    points = np.empty((d, n_cells))
    number = np.empty(n_cells, np.int64)
    stale = np.ones(n_cells, np.bool_)
    found = np.empty((4, n_cells))
    found_at = np.empty(n_cells, np.int64)
    change = np.empty(k + 1)
    assign(line, k, means, n_cells, dist2, carrier, found[1], found[2:])
    while k > 1:
        for i in range(n_cells):
            if stale[i]:
                for side in range(2):
                    without = _distance_without(line, k, carrier[i] + side, means, i)
                    dearer[side, i] = weight[i] * (min(without, cap) - min(dist2[i], cap))
        for v in range(k + 1):
            change[v] = pull * _shortening(line, k, v) - segment_price
        for i in range(n_cells):
            change[carrier[i]] += dearer[0, i]
            change[carrier[i] + 1] += dearer[1, i]
        v = int(np.argmin(change[: k + 1]))
        if k <= most_segments and change[v] >= 0.0:
            break
        # The cells of its segments look for new ones; of the others, some may be nearer to the one that replaces them.
        inner = 0 < v < k
        for q in range(v, k):
            line[q] = line[q + 1]
        k -= 1
        changed = max(v - 1, 0)  # the segment that this removal makes
        n = 0
        for i in range(n_cells):
            homeless = carrier[i] == v - 1 or carrier[i] == v
            if carrier[i] >= v:
                carrier[i] -= 1
            stale[i] = homeless or abs(carrier[i] - changed) <= 2
            if not homeless and inner:
                near = _distance_to(line, changed, changed + 1, means, i)
                homeless = near * TIE < dist2[i]
            if homeless:
                number[n] = i
                for a in range(d):
                    points[a, n] = means[a, i]
                n += 1
        assign(line, k, points, n, found[0], found_at, found[1], found[2:])
        for q in range(n):
            dist2[number[q]] = found[0, q]
            carrier[number[q]] = found_at[q]
            stale[number[q]] = True
    return k


@kernel
def _distance_without(line: Floats, k: int, v: int, means: Floats, i: int) -> float:
    """Squared distance of a cell to the line near its vertex v, were v left out."""
    best = np.inf
    for s in range(max(0, v - 2), min(k, v + 2)):
        if s == v or (s == v - 1 and v == k):
            continue
        best = min(best, _distance_to(line, s, v + 1 if s == v - 1 else s + 1, means, i))
    return best


@kernel
def _distance_to(line: Floats, start: int, end: int, means: Floats, i: int) -> float:
    """Squared distance of a cell to the segment between two vertices."""
    along = 0.0
    norm2 = 0.0
    gap2 = 0.0
    for a in range(line.shape[1]):
        edge = line[end, a] - line[start, a]
        gap = means[a, i] - line[start, a]
        along += gap * edge
        norm2 += edge * edge
        gap2 += gap * gap
    at = min(1.0, max(0.0, along / norm2)) if norm2 > 0.0 else 0.0
    return gap2 + at * (at * norm2 - 2.0 * along)


@kernel
def _shortening(line: Floats, k: int, v: int) -> float:
    """How the length changes when vertex v is left out (negative: shorter)."""
    before = 0.0
    after = 0.0
    across = 0.0
    for a in range(line.shape[1]):
        if v > 0:
            before += (line[v, a] - line[v - 1, a]) ** 2
        if v < k:
            after += (line[v + 1, a] - line[v, a]) ** 2
        if 0 < v < k:
            across += (line[v + 1, a] - line[v - 1, a]) ** 2
    return float(np.sqrt(across) - np.sqrt(before) - np.sqrt(after))
