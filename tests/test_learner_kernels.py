"""The learner's kernels against slow and literal twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from slpc.kernels.cells import (
    coarsen,
    drop_light,
    nearest_cell,
    nearest_in_plane,
    nearest_in_space,
    register,
    sort_along,
    weight_between,
)
from slpc.kernels.ends import calibrated_ends, lay_out, look_ahead
from slpc.kernels.explore import centres, distances, insert_the_rest, prune, runs_along, spanning_path
from slpc.kernels.measure import Scale, measure, value_on_cells
from slpc.kernels.moves import local_moves
from slpc.kernels.stream import SORT, take
from slpc.kernels.sweep import improve, sweep
from slpc.kernels.tube import TIE, Rules, assign, capped_loss, line_length, refit, score
from slpc.learner import Learner, Settings

import reference
from strategies import lines_and_points


def assigned(line, X):
    n = len(X)
    dist2, segment, tau = np.empty(n), np.empty(n, np.int64), np.empty(n)
    assign(line, len(line) - 1, np.ascontiguousarray(X.T), n, dist2, segment, tau, np.empty((2, n)))
    return dist2, segment, tau


@given(lines_and_points())
def test_assign(case):
    line, X = case
    dist2, segment, tau = assigned(line, X)
    scale = 1 + np.abs(line).max() + np.abs(X).max()
    for i, x in enumerate(X):
        assert dist2[i] == pytest.approx(reference.loss(line, x), rel=1e-9, abs=1e-12 * scale**2)
        s = segment[i]
        at = line[s] + tau[i] * (line[s + 1] - line[s])
        assert np.square(x - at).sum() == pytest.approx(dist2[i], rel=1e-9, abs=1e-12 * scale**2)


def test_capped_loss():
    found = np.empty(2)
    capped_loss(np.array([1.0, 5.0, 2.0]), np.array([1.0, 2.0, 3.0]), 3, 4.0, found)
    assert found.tolist() == [1 + 8 + 6, 2.0]


@pytest.mark.parametrize(("first", "last"), [(0, 4), (1, 3), (0, 0), (4, 4), (2, 2), (1, 4)])
@pytest.mark.parametrize("pull", [0.0, 3.0])
def test_refit(first, last, pull):
    rng = np.random.default_rng(first + 10 * last)
    line = np.cumsum(rng.normal(size=(5, 3)), axis=0)
    X, w = line[rng.integers(0, 5, 60)] + 0.7 * rng.normal(size=(60, 3)), rng.uniform(0.5, 2, 60)
    dist2, segment, tau = assigned(line, X)
    found = line.copy()
    work = np.empty((2, 60))
    refit(found, 4, first, last, np.ascontiguousarray(X.T), w, 60, np.inf, pull, 1e-3, dist2, segment, tau, work)
    np.testing.assert_allclose(found, reference.refitted(line, first, last, X, w, pull, 1e-3), atol=1e-9)


def test_refit_leaves_out_what_is_beyond_the_cap():
    line = np.array([[0.0, 0.0], [1.0, 0.0]])
    X = np.array([[0.2, 0.1], [0.8, 0.1], [0.5, 9.0]])
    dist2, segment, tau = assigned(line, X)
    refit(
        line, 1, 0, 1, np.ascontiguousarray(X.T), np.ones(3), 3, 1.0, 0.0, 1e-9, dist2, segment, tau, np.empty((2, 3))
    )
    np.testing.assert_allclose(line[:, 1], 0.1, atol=1e-6)


@given(st.floats(0, 100), st.floats(0, 50), st.floats(0.1, 30), st.integers(1, 20), st.floats(2, 1e6), st.floats(1, 9))
def test_score(loss, beyond, length, k, n, m):
    rules = Rules(n, m, 1e-12, 0.05 * n, 1.0, 1.0, 16384.0)
    assert score(loss, beyond, length, k, rules) == pytest.approx(
        reference.tube_score(loss, beyond, length, k, rules), rel=1e-9, abs=1e-6
    )


# -- cells --------------------------------------------------------------------------------------------------------


def cells(n, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(d, n)), rng.uniform(0.5, 2, n), rng.uniform(0, 0.1, n), rng.integers(0, 5, n)


def test_sort_along():
    """Cells come in the order of their arc length on the held line, up to the width of a bucket; nothing is lost."""
    rng = np.random.default_rng(0)
    line = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]])
    held = np.concatenate([line[:1], line, line[-1:]])
    rows = [np.zeros((2, 8)), np.zeros((2, 8)), np.zeros(8), np.zeros(8)]
    lay_out(held, 2, *rows)
    means = rng.uniform(-0.5, 2, (2, 60))
    weight, scatter = rng.uniform(0.5, 2, 60), rng.uniform(0, 1, 60)
    segment = np.empty(60, np.int64)
    register(line, 2, means, 60, segment)
    before = sorted(zip(*means.tolist(), weight, scatter, segment, strict=True))
    arc, first_at = np.zeros(8), np.zeros(65, np.int64)
    density = sort_along(*rows, 2, means, weight, scatter, segment, 60, arc, first_at)
    assert sorted(zip(*means.tolist(), weight, scatter, segment, strict=True)) == before
    np.testing.assert_allclose(arc[:3], [0, 1, 3])
    assert density == pytest.approx(64 / 3)
    assert first_at[0] == 0
    assert first_at[-1] == 60
    for i in range(60):
        a, b = line[segment[i]], line[segment[i] + 1]
        place = arc[segment[i]] + reference.nearest_on_segment(means[:, i], a, b)[1] * np.linalg.norm(b - a)
        bucket = min(int(place * density), 63)
        assert first_at[bucket] <= i < first_at[bucket + 1]


def test_nearest_cell():
    means, *_ = cells(40)
    x = np.array([0.1, 0.2])
    dist2 = np.square(means.T - x).sum(axis=1)
    assert nearest_cell(means, 0, 40, x) == pytest.approx((dist2.min(), dist2.argmin()))
    assert nearest_cell(means, 5, 20, x)[1] == 5 + dist2[5:20].argmin()
    assert nearest_cell(means, 7, 7, x)[1] == -1
    for low, high in ((0, 40), (5, 20), (7, 7)):
        assert nearest_in_plane(means, low, high, *x) == nearest_cell(means, low, high, x)
        assert nearest_in_space(means, low, high, x[None], 0, np.empty(40)) == nearest_cell(means, low, high, x)


@given(st.integers(0, 1000), st.integers(5, 30), st.sampled_from([0.0, 0.01]))
def test_coarsen_keeps_weight_mean_and_scatter(seed, room, radius2):
    means, weight, scatter, segment = cells(60, seed=seed)
    total, mean = weight.sum(), means @ weight / weight.sum()
    spread = scatter.sum() + (np.square(means - mean[:, None]).sum(axis=0) * weight).sum()
    n, new_radius2 = coarsen(means, weight, scatter, segment, 60, room, radius2)
    assert n <= room
    assert new_radius2 > radius2
    means, weight, scatter = means[:, :n], weight[:n], scatter[:n]
    assert weight.sum() == pytest.approx(total)
    np.testing.assert_allclose(means @ weight / total, mean, atol=1e-12)
    assert scatter.sum() + (np.square(means - mean[:, None]).sum(axis=0) * weight).sum() == pytest.approx(spread)


def test_coarsen_equal_cells():
    means, weight, scatter, segment = np.ones((2, 30)), np.ones(30), np.zeros(30), np.zeros(30, np.int64)
    n, _ = coarsen(means, weight, scatter, segment, 30, 20, 0.0)
    assert n == 1
    assert weight[0] == 30


def test_weight_between():
    _, weight, _, segment = cells(30)
    assert weight_between(weight, segment, 25, 1, 3) == pytest.approx(weight[:25][np.isin(segment[:25], [1, 2])].sum())
    assert weight_between(weight, segment, 30, 2, 2) == 0.0


def test_drop_light():
    means, weight, scatter, segment = cells(30)
    heavy = weight / 2 > 0.5
    expected = means[:, heavy].copy(), weight[heavy] / 2
    n = drop_light(means, weight, scatter, segment, 30, 0.5, 2.0)
    assert n == heavy.sum()
    np.testing.assert_array_equal(means[:, :n], expected[0])
    np.testing.assert_array_equal(weight[:n], expected[1])


# -- moves --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(1, 8), st.booleans())
def test_local_moves_never_raise_the_score_and_report_what_they_did(seed, k, has_x):
    rng = np.random.default_rng(seed)
    n = 120
    t = rng.uniform(0, 1, n)
    means = np.stack([t, np.sin(6 * t)]) + 0.05 * rng.normal(size=(2, n))
    weight = rng.uniform(0.5, 2.0, n)
    vertices = np.zeros((14, 2))
    vertices[: k + 1] = np.column_stack([np.linspace(0, 1, k + 1), rng.normal(size=k + 1)])
    segment = np.empty(n, np.int64)
    register(vertices, k, means, n, segment)
    j = int(rng.integers(0, k))
    rules = Rules(weight.sum(), 1.0, 1e-12, 5.0, 1.0, 1.0, 16384.0)
    cap = 1.0

    def measured(line, k):
        dist2 = np.array([reference.loss(line[: k + 1], x) for x in means.T])
        loss, beyond = (weight * np.minimum(dist2, cap)).sum(), weight[dist2 > cap].sum()
        return loss, beyond, reference.tube_score(loss, beyond, line_length(line, k), k, rules)

    before = vertices.copy()
    loss, beyond, old_score = measured(vertices, k)
    found = np.empty(5)
    new_k = local_moves(
        vertices, k, j, means[:, 0].copy(), has_x, means, weight, segment, n, 9, loss, beyond, 1.0, cap, 0.01, rules,
        found,
    )  # fmt: skip
    assert abs(new_k - k) <= 1
    assert 1 <= new_k <= 9
    new_loss, _, new_score = measured(vertices, new_k)
    # Points outside the window may be nearer to it now: what is reported is an upper bound.
    assert new_loss <= found[0] * (1 + 1e-9) + 1e-12
    assert new_score <= old_score + 1e-6 * abs(old_score)
    assert found[4] >= 0
    assert new_score <= old_score - found[4] + 1e-6 * abs(old_score)
    low, high = int(found[2]), int(found[3])
    assert low == max(0, j - 2)
    np.testing.assert_array_equal(vertices[:low], before[:low])
    np.testing.assert_array_equal(vertices[high + 1 : new_k + 1], before[high + 1 - (new_k - k) : k + 1])
    for i in np.flatnonzero((segment >= low) & (segment < high)):
        s = segment[i]
        own = reference.nearest_on_segment(means[:, i], vertices[s], vertices[s + 1])[0]
        assert own == pytest.approx(reference.loss(vertices[: new_k + 1], means[:, i]), rel=1e-9, abs=1e-12)


def test_local_moves_find_a_corner():
    t = np.linspace(0, 1, 201)
    means = np.stack([t, np.abs(t - 0.5)]) + 0.01 * np.random.default_rng(0).normal(size=(2, 201))
    vertices = np.zeros((10, 2))
    vertices[:2] = [[0.0, 0.25], [1.0, 0.25]]
    segment = np.zeros(201, np.int64)
    rules = Rules(201.0, 1.0, 1e-12, 5.0, 1.0, 1.0, 16384.0)
    k = 1
    for _ in range(5):
        dist2, *_ = assigned(vertices[: k + 1], means.T)
        k = local_moves(
            vertices, k, 0, means[:, 0].copy(), False, means, np.ones(201), segment, 201, 8, dist2.sum(), 0.0, 1.0,
            np.inf, 0.01, rules, np.empty(5),
        )  # fmt: skip
    assert k == 2
    np.testing.assert_allclose(vertices[1], [0.5, 0.0], atol=0.02)


# -- scales and sweeps --------------------------------------------------------------------------------------------


def wave(seed, n=150, k=9):
    """Cells along a wave, a rough line through them with room for more, and the cells' segments."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 1, n)
    means = np.stack([t, np.sin(6 * t)]) + 0.03 * rng.normal(size=(2, n))
    places = np.linspace(0, 1, k + 1)
    vertices = np.zeros((24, 2))
    vertices[: k + 1] = np.column_stack([places, np.sin(6 * places)]) + 0.05 * rng.normal(size=(k + 1, 2))
    segment = np.empty(n, np.int64)
    register(vertices, k, means, n, segment)
    return vertices, means, rng.uniform(0.5, 2.0, n), segment


@pytest.mark.parametrize("d", [2, 5])
@pytest.mark.parametrize("seen", [40, 2000])
def test_measure(d, seen):
    rng = np.random.default_rng(d)
    t = rng.uniform(0, 1, seen)
    X = np.column_stack([t, np.sin(5 * t), *[0.2 * t] * (d - 2)]) + 0.03 * rng.normal(size=(seen, d))
    learner = Learner(Settings(memory=100), d)
    learner.learn(X)
    s, n_cells = learner.state, int(learner.head["n_cells"])
    found = measure(learner.head, s.vertices, s.means, s.weight, 2.0, 3.0, 500.0)
    expected = reference.scale_of(
        learner.head, s.vertices[: int(learner.head["k"]) + 1], s.means[:, :n_cells].T, s.weight[:n_cells], 2, 3, 500
    )
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=1e-6, err_msg=name)
    loss, hidden, rules = expected["loss"], expected["hidden"], Rules(*expected["rules"])
    line = s.vertices[:3] + 0.1
    loss, beyond = reference.capped(line, s.means[:, :n_cells].T, s.weight[:n_cells], found.cap)
    length = line_length(line, 2)
    value = reference.tube_score(loss / found.unit + hidden, beyond / found.unit, length, 2, rules)
    assert value_on_cells(line, 2, s.means, s.weight, n_cells, found) == pytest.approx(value, rel=1e-9)


def scale_for(weight):
    rules = Rules(weight.sum(), 1.0, 1e-12, 5.0, 1.0, 1.0, 16384.0)
    return Scale(0.0, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, rules)


@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 2))
def test_sweep_lowers_the_score_until_all_is_at_rest(seed, k, step):
    line, means, weight, segment = wave(seed, k=k)
    scale, restless = scale_for(weight), np.ones(24, np.bool_)
    value = value_on_cells(line, k, means, weight, 150, scale)
    for _ in range(30):
        before = line.copy()
        at_rest = not restless[:k:step].any()
        k = sweep(line, k, segment, means, weight, 150, 12, scale, restless, step)
        lower = value_on_cells(line, k, means, weight, 150, scale)
        assert 1 <= k <= 12
        assert lower <= value + 1e-6 * abs(value)
        value = lower
        if at_rest:
            np.testing.assert_array_equal(line, before)
            break
    assert at_rest


def test_improve():
    """A line through far too many nodes becomes as good a line as can be, and knows its cells."""
    line, means, weight, segment = wave(0, k=12)
    truth = np.column_stack([np.linspace(0, 1, 7), np.sin(6 * np.linspace(0, 1, 7))])
    scale = scale_for(weight)
    k, value = improve(line, 12, segment, means, weight, 150, 20, scale, np.inf)
    assert 3 <= k <= 8
    assert value == pytest.approx(value_on_cells(line, k, means, weight, 150, scale))
    assert value < value_on_cells(truth, 6, means, weight, 150, scale)
    for i in range(150):
        own = reference.nearest_on_segment(means[:, i], line[segment[i]], line[segment[i] + 1])[0]
        assert own == pytest.approx(reference.loss(line[: k + 1], means[:, i]), rel=1e-9, abs=1e-12)


# -- exploration --------------------------------------------------------------------------------------------------


@given(hnp.arrays(float, st.tuples(st.integers(2, 9), st.just(2)), elements=st.floats(-5, 5)))
def test_spanning_path_is_the_longest_in_the_tree(nodes):
    nodes = nodes + 1e-3 * np.arange(nodes.size).reshape(nodes.shape) ** 1.5  # no two trees equally short
    dist = distances(nodes)
    np.testing.assert_allclose(dist, np.linalg.norm(nodes[:, None] - nodes[None], axis=2), atol=1e-12)
    path = spanning_path(dist)
    assert len(set(path.tolist())) == len(path)
    length = dist[path[:-1], path[1:]].sum()
    assert length == pytest.approx(reference.longest_tree_path(dist), rel=1e-9)


@given(st.integers(0, 10_000), st.integers(3, 14))
def test_insert_the_rest_visits_every_node(seed, m):
    nodes = np.random.default_rng(seed).normal(size=(m, 2))
    dist = distances(nodes)
    path = insert_the_rest(dist, spanning_path(dist))
    assert sorted(path.tolist()) == list(range(m))
    length = dist[path[:-1], path[1:]].sum()
    for i in range(m):  # no reversal of a part shortens it any more
        for j in range(i + 2, m + 1):
            other = np.r_[path[:i], path[i:j][::-1], path[j:]]
            assert length <= dist[other[:-1], other[1:]].sum() + 1e-9


def test_centres():
    rng = np.random.default_rng(0)
    groups = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
    means = (groups[rng.integers(0, 3, 90)] + 0.1 * rng.normal(size=(90, 2))).T.copy()
    found = centres(means, np.ones(90), 90, 3, 5)
    for group in groups:
        assert np.linalg.norm(found - group, axis=1).min() < 0.1
    assert len(centres(means, np.ones(90), 4, 10, 1)) <= 10


@given(st.integers(0, 10_000), st.integers(2, 20), st.floats(0.001, 0.1), st.floats(0, 1))
def test_prune(seed, most, price, pull):
    line, means, weight, _ = wave(seed, n=60, k=12)
    expected = reference.pruned(line[:13], means.T, weight, most, price, pull, 0.05)
    k = prune(line, 12, means, weight, 60, most, price, pull, 0.05)
    np.testing.assert_array_equal(line[: k + 1], expected)


@given(st.integers(0, 10_000), st.booleans())
def test_runs_along(seed, turned):
    line, means, *_ = wave(seed)
    nodes = means[:, np.argsort(means[0])[:: -1 if turned else 1][::10]].copy()
    assert runs_along(line, 9, nodes) == reference.falls_later_and_later(line[:10], nodes.T)


def test_prune_leaves_a_corner():
    t = np.linspace(0, 1, 101)
    means = np.stack([t, np.abs(t - 0.5)])
    line = np.zeros((12, 2))
    x = np.linspace(0, 1, 9)
    line[:9] = np.column_stack([x, np.abs(x - 0.5)])
    k = prune(line, 8, means, np.ones(101), 101, 20, 0.01, 0.0, np.inf)
    assert k == 2
    np.testing.assert_allclose(line[:3], [[0, 0.5], [0.5, 0], [1, 0.5]], atol=1e-12)
    again = np.zeros((12, 2))
    again[:9] = np.column_stack([x, np.abs(x - 0.5)])
    assert prune(again, 8, means, np.ones(101), 101, 5, -1.0, 0.0, np.inf) == 5  # as many as there may be
    assert any(np.allclose(v, [0.5, 0]) for v in again[:6])


# -- ends ---------------------------------------------------------------------------------------------------------


def held_ends(points, far, line=((0.2, 0.0), (0.8, 0.0)), sigma=0.03):
    line = np.array(line)
    n = len(points)
    held = np.zeros((8, 2))
    calibrated_ends(
        line, 1, np.ascontiguousarray(points.T), np.ones(n), np.zeros(n), np.zeros(n, np.int64), n, 1.0, float(n),
        sigma, 1.0, np.array(far), held,
    )  # fmt: skip
    return held[1], held[2]


def test_ends_stand_where_the_data_end():
    """A uniform density from 0 to 1, noise in every direction: the ends are found again, not those of the noise."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(0, 1, 20_000), np.zeros(20_000)]) + 0.03 * rng.normal(size=(20_000, 2))
    left, right = held_ends(X, [[-0.2, 0.0], [1.2, 0.0]])
    np.testing.assert_allclose([left, right], [[0, 0], [1, 0]], atol=0.2 * 0.03)


def test_ends_do_not_pass_the_farthest_point():
    X = np.column_stack([np.linspace(0, 1, 30), np.zeros(30)])
    left, right = held_ends(X, [[0.1, 0.0], [0.9, 0.0]])
    assert left[0] == pytest.approx(0.1)
    assert right[0] == pytest.approx(0.9)


def test_look_ahead():
    held = np.zeros((8, 2))
    held[1:4] = [[0, 0], [1, 0], [1, 1]]
    rates, recent = np.zeros(2), np.zeros((4, 2))
    look_ahead(held, 2, 0.01, 100.0, rates, recent, False, 6.0)
    np.testing.assert_array_equal(held[[0, 4]], held[[1, 3]])
    look_ahead(held, 2, 0.01, 100.0, rates, recent, True, 6.0)
    reach = 0.01 + 2 * 2 / 100
    np.testing.assert_allclose(held[[0, 4]], [[-reach, 0], [1, 1 + reach]])
    rates[1] = 0.9  # the end moves by (0, 0.02) a point
    recent[2], recent[3] = [1, 1.2], [1, 1.2 - 0.02 * (9 - 7 / 3)]
    look_ahead(held, 2, 0.01, 100.0, rates, recent, True, 6.0)
    np.testing.assert_allclose(held[4], [1, 1.2 + 0.02 * (10 / 3 + 6)])


# -- the hot loop -------------------------------------------------------------------------------------------------


def plain_take(X, learner):
    """What the loop does to a point, one line at a time, for a learner without forgetting whose curve is left alone."""
    s = learner.state
    k, n_cells = int(learner.head["k"]), int(learner.head["n_cells"])
    held = s.held[: k + 3]
    cells = [[s.means[:, i].copy(), s.weight[i], s.scatter[i]] for i in range(n_cells)]
    owed, losses = s.owed[:k].copy(), []
    for x in X:
        found = [nearest(x, held[i], held[i + 1]) for i in range(k + 2)]
        losses.append(min(found))
        nearest_first = int(np.argmax(np.array(found) * TIE <= losses[-1]))
        j = min(max(nearest_first - 1, 0), k - 1)
        owed[j] += min(losses[-1], learner.head["cap"])
        dist2 = [float(np.square(x - mean).sum()) for mean, _, _ in cells]
        c = int(np.argmin(dist2))
        if dist2[c] <= learner.head["radius2"]:
            mean, w, scatter = cells[c]
            cells[c] = [mean + (x - mean) / (w + 1), w + 1, scatter + dist2[c] * w / (w + 1)]
        else:
            cells.append([x.copy(), 1.0, 0.0])
    return losses, owed, cells


def nearest(x, a, b):
    return float(np.square(x - a).sum()) if np.array_equal(a, b) else reference.nearest_on_segment(x, a, b)[0]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seen", [100, 3000])
def test_take_equals_the_plain_loop(d, seen):
    rng = np.random.default_rng(d)
    t = rng.uniform(0, 1, seen + 60)
    X = np.column_stack([t, np.sin(5 * t), *[0.2 * t] * (d - 2)]) + 0.03 * rng.normal(size=(len(t), d))
    learner = Learner(Settings(memory=1000 if seen == 100 else 100), d)
    learner.learn(X[:seen])
    learner.state.allowed[:], learner.state.hits[2:] = np.inf, np.inf
    learner.head["next_exploration"] = 10**9
    points = learner._inwards(X[seen:])
    losses, owed, cells = plain_take(points, learner)
    found = np.empty(60)
    at = 0
    while at < 60:
        at = take(points, np.empty(0), at, *learner._arguments, found)
        if learner.head["event"]:
            assert int(learner.head["event"]) == SORT  # nothing else is due
            learner._sort()
    np.testing.assert_allclose(found, losses, rtol=1e-9, atol=1e-15)
    k, n_cells = int(learner.head["k"]), int(learner.head["n_cells"])
    np.testing.assert_allclose(learner.state.owed[:k], owed, rtol=1e-9)
    assert n_cells == len(cells)
    got = sorted(
        (*learner.state.means[:, i], learner.state.weight[i], learner.state.scatter[i]) for i in range(n_cells)
    )
    np.testing.assert_allclose(got, sorted((*mean, w, c) for mean, w, c in cells), rtol=1e-9, atol=1e-12)
    assert learner.head["n"] == learner.head["seen"] == seen + 60
