"""The learner's kernels against slow and literal twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from slpc.kernels.cells import (
    BLOCK,
    coarsen,
    drop_light,
    drop_outliers,
    make_room,
    nearest_cell,
    nearest_in_plane,
    nearest_in_space,
    register,
    sort_along,
    weight_between,
)
from slpc.kernels.ends import calibrated_ends, lay_out, look_ahead
from slpc.kernels.explore import centres, distances, insert_the_rest, prune, runs_along, spanning_path
from slpc.kernels.lattice import Actions, bonus, ends_on_lattice, hash_elsewhere, on_lattice
from slpc.kernels.measure import Scale, measure, value_on_cells
from slpc.kernels.moves import local_moves
from slpc.kernels.nearest import distances_in_plane, distances_in_space, first_of_nearest
from slpc.kernels.perturbation import exponential, hash_of_line
from slpc.kernels.stream import take
from slpc.kernels.sweep import improve, reach_from_an_end, sweep, turn_an_end
from slpc.kernels.trail import TRAIL, follow, parabola
from slpc.kernels.tube import TIE, Rules, assign, capped_loss, crowding, line_length, noise, overlap, refit, score
from slpc.learner import Learner, Settings
from slpc.polyline import Polyline

import reference
from strategies import lines_and_points

DENSITY = 1e6  # points a unit of length: no segment is crowded, whose gain a move knows for its window only


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


@given(st.floats(0, 100), st.floats(0, 1), st.floats(0.1, 30), st.integers(1, 20), st.floats(2, 1e6), st.floats(1, 9))
def test_score(loss, part, length, k, n, m):
    """`part` of the points lie beyond the cap; what they cost at least is in the loss."""
    rules = Rules(n, m, 1e-12, 0.7, 0.05 * n, 40.0, 1.0, 1.0, n / length, 0.1, 16384.0)
    beyond = part * n
    loss += rules.cap * beyond
    assert noise(loss, beyond, length, k, rules) == pytest.approx(
        reference.tube_noise(loss, beyond, length, k, rules), rel=1e-9
    )
    assert score(loss, beyond, length, 0.3 * n, k, rules) == pytest.approx(
        reference.tube_score(loss, beyond, length, 0.3 * n, k, rules), rel=1e-9, abs=1e-6
    )


def test_outliers_do_not_count_into_the_noise():
    """Four points in a hundred beyond the cap, at any distance: σ² is what the others say."""
    rules = Rules(1000.0, 1.0, 1e-12, 40.0, 50.0, 40.0, 1.0, 1.0, 1.0, 1.0, 16384.0)
    clean = noise(960.0, 0.0, 1.0, 1, rules)
    assert noise(960.0 + 40 * rules.cap, 40.0, 1.0, 1, rules) == pytest.approx(clean, rel=0.05)


@given(lines_and_points(), st.floats(0.05, 3), st.integers(0, 3))
def test_crowding(case, density, ends):
    line, X = case
    rules = Rules(10.0, 2.0, 1e-12, 0.5, 5.0, 40.0, 1.0, 1.0, density, 0.03, 16384.0)
    w = np.linspace(0.5, 2.0, len(X))
    dist2, segment, _ = assigned(line, X)
    found = crowding(line, len(line) - 1, 3.0 * w, len(X), dist2, segment, 3.0, rules, ends)
    assert found == pytest.approx(reference.tube_crowding(line, X, w, rules, ends, segment), rel=1e-9, abs=1e-12)


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
    means, copied = np.concatenate([means, np.zeros((2, 3))], axis=1), np.zeros((60, 2))
    density = sort_along(*rows, 2, means, copied, weight, scatter, segment, 60, arc, first_at)
    assert sorted(zip(*means[:, :60].tolist(), weight, scatter, segment, strict=True)) == before
    assert np.isinf(means[0, 60:]).all()
    means = means[:, :60]
    np.testing.assert_array_equal(copied, means.T)
    np.testing.assert_allclose(arc[:3], [0, 1, 3])
    assert density == pytest.approx(64 / 3)
    assert first_at[0] == 0
    assert first_at[-1] == 60
    for i in range(60):
        a, b = line[segment[i]], line[segment[i] + 1]
        place = arc[segment[i]] + reference.nearest_on_segment(means[:, i], a, b)[1] * np.linalg.norm(b - a)
        bucket = min(int(place * density), 63)
        assert first_at[bucket] <= i < first_at[bucket + 1]


@pytest.mark.parametrize("bucket", [0, 2, 3])
def test_make_room(bucket):
    means, *others = cells(12, 3)
    rows, n_cells, first_at = means.T.copy(), 9, np.array([0, 4, 4, 7, 9])
    place, later = reference.room(first_at, bucket)
    arrays = means, rows.T, *others
    expected = [np.insert(array[..., :n_cells], place, 0, axis=-1) for array in arrays]
    assert make_room(means, rows, *others, n_cells, first_at, bucket) == place
    np.testing.assert_array_equal(first_at, later)
    for array, wanted in zip(arrays, expected, strict=True):
        array[..., place] = 0
        np.testing.assert_array_equal(array[..., : n_cells + 1], wanted)


def test_nearest_cell():
    means, *_ = cells(40)
    x = np.array([0.1, 0.2])
    dist2 = np.square(means.T - x).sum(axis=1)
    assert nearest_cell(means, 0, 40, x) == pytest.approx((dist2.min(), dist2.argmin()))
    assert nearest_cell(means, 5, 20, x)[1] == 5 + dist2[5:20].argmin()
    assert nearest_cell(means, 7, 7, x)[1] == -1


@pytest.mark.parametrize("d", [2, 5, 20])
def test_nearest_in_rows_and_blocks(d):
    """In the plane the cells up to the end of a block may be found too, but none behind the last one."""
    means, *_ = cells(70, d)
    padded = np.concatenate([means, np.full((d, BLOCK), np.inf)], axis=1)
    for x in np.random.default_rng(1).normal(size=(20, d)):
        for low, high in ((0, 70), (5, 20), (7, 7), (60, 70), (3, 68)):
            expected = nearest_cell(means, low, high, x)
            assert nearest_in_space(means.T.copy(), low, high, x[None], 0) == pytest.approx(expected)
            if d == 2:
                end = min(70, low + (high - low + BLOCK - 1) // BLOCK * BLOCK)
                assert nearest_in_plane(padded, low, high, *x) == pytest.approx(nearest_cell(means, low, end, x))


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


def test_drop_outliers_forgets_the_lightest_and_of_these_the_farthest():
    means, weight, scatter, segment = cells(30)
    weight[:12] = [1, 1, 1, 1, 5, 1, 2, 1, 3, 1, 1, 4]
    dist2 = np.full(30, 0.5)
    dist2[:12] = [9, 8, 7, 6, 9, 5, 2, 3, 3, 2.5, 2, 8]
    out = [i for i in range(12) if dist2[i] > 1]
    order = sorted(out, key=lambda i: (weight[i], -dist2[i]))
    kept = [i for i in range(30) if i not in order[:8]]
    expected = means[:, kept].copy(), weight[kept].copy(), scatter[kept].copy(), segment[kept].copy()
    lost = weight[order[:8]].sum()
    n, forgotten = drop_outliers(means, weight, scatter, segment, 30, dist2, 1.0, 4)
    assert (n, forgotten) == (22, lost)
    for found, wanted in zip((means[:, :n], weight[:n], scatter[:n], segment[:n]), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert drop_outliers(means, weight, scatter, segment, n, np.zeros(n), 1.0, 4) == (n, 0.0)


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
    rules = Rules(weight.sum(), 1.0, 1e-12, 1.0, 5.0, 40.0, 1.0, 1.0, DENSITY, 1e-6, 16384.0)
    cap = rules.cap

    def measured(line, k):
        dist2 = np.array([reference.loss(line[: k + 1], x) for x in means.T])
        loss, beyond = (weight * np.minimum(dist2, cap)).sum(), weight[dist2 > cap].sum()
        crowd = reference.tube_crowding(line[: k + 1], means.T, weight, rules)
        return (
            loss,
            beyond,
            crowd,
            reference.tube_score(loss, beyond, reference.tube_length(line[: k + 1], rules.sigma), crowd, k, rules),
        )

    before = vertices.copy()
    loss, beyond, crowd, old_score = measured(vertices, k)
    found = np.empty(6)
    new_k = local_moves(
        vertices, k, j, means[:, 0].copy(), has_x, means, weight, segment, n, 9, loss, beyond, crowd, 1.0, cap, 0.01,
        rules, None, found,
    )  # fmt: skip
    assert abs(new_k - k) <= 1
    assert 1 <= new_k <= 9
    new_loss, _, _, new_score = measured(vertices, new_k)
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
    rules = Rules(201.0, 1.0, 1e-12, np.inf, 5.0, 0.0, 1.0, 1.0, 142.0, 0.01, 16384.0)
    k = 1
    for _ in range(5):
        dist2, *_ = assigned(vertices[: k + 1], means.T)
        k = local_moves(
            vertices, k, 0, means[:, 0].copy(), False, means, np.ones(201), segment, 201, 8, dist2.sum(), 0.0, 0.0,
            1.0, np.inf, 0.01, rules, None, np.empty(6),
        )  # fmt: skip
    assert k == 2
    np.testing.assert_allclose(vertices[1], [0.5, 0.0], atol=0.02)


@given(st.integers(0, 10_000), st.integers(1, 8), st.sampled_from([0.0, 0.1, 0.4]), st.sampled_from([0.0, 3.0]))
def test_local_moves_stay_on_the_lattice_and_never_raise_the_perturbed_score(seed, k, spacing, temperature):
    rng = np.random.default_rng(seed)
    n = 120
    t = rng.uniform(0, 1, n)
    means = np.stack([t, np.sin(6 * t)]) + 0.05 * rng.normal(size=(2, n))
    weight = rng.uniform(0.5, 2.0, n)
    shift = np.array([0.03, 0.07])
    actions = Actions(spacing, spacing or 0.25, shift, temperature, seed)
    vertices = np.zeros((14, 2))
    vertices[: k + 1] = np.column_stack([np.linspace(0, 1, k + 1), rng.normal(size=k + 1)])
    k = on_lattice(vertices, k, True, actions)
    segment = np.empty(n, np.int64)
    register(vertices, k, means, n, segment)
    rules = Rules(weight.sum(), 1.0, 1e-12, np.inf, 5.0, 0.0, 1.0, 1.0, DENSITY, 1e-6, 16384.0)

    def measured(line, k):
        loss = sum(w * reference.loss(line[: k + 1], x) for w, x in zip(weight, means.T, strict=True))
        z = reference.perturbation(line[: k + 1], actions.grid, shift, seed) if temperature else 0.0
        crowd = reference.tube_crowding(line[: k + 1], means.T, weight, rules)
        value = reference.tube_score(loss, 0.0, reference.tube_length(line[: k + 1], rules.sigma), crowd, k, rules)
        return loss, crowd, value - 2 * temperature * z

    loss, crowd, before = measured(vertices, k)
    outside = vertices.copy()
    j, found = int(rng.integers(0, k)), np.empty(6)
    new_k = local_moves(
        vertices, k, j, means[:, 0].copy(), True, means, weight, segment, n, 9, loss, 0.0, crowd, 1.0, np.inf, 0.01,
        rules, actions, found,
    )  # fmt: skip
    assert abs(new_k - k) <= 1
    assert measured(vertices, new_k)[2] <= before + 1e-6 * abs(before)
    assert (np.abs(np.diff(vertices[: new_k + 1], axis=0)).max(axis=1) > 0).all()
    np.testing.assert_array_equal(vertices[: int(found[2])], outside[: int(found[2])])
    if spacing:
        multiple = (vertices[: new_k + 1] + shift) / spacing
        np.testing.assert_allclose(multiple, np.round(multiple), atol=1e-9)


def test_a_temperature_of_next_to_nothing_changes_nothing():
    """The perturbed score, with nothing subtracted, goes the same way as the score alone."""
    X = np.random.default_rng(0).normal(size=(400, 2))
    learners = [Learner(Settings(temperature=temperature), 2) for temperature in (0.0, 1e-300)]
    losses = [learner.learn(X) for learner in learners]
    np.testing.assert_array_equal(*losses)
    np.testing.assert_array_equal(*(learner.curve() for learner in learners))


# -- actions ------------------------------------------------------------------------------------------------------


@given(lines_and_points(), st.sampled_from([0.25, 0.7, 3.0, 40.0]), st.floats(0, 1))
def test_on_lattice(case, spacing, part):
    line, _ = case
    k, d = len(line) - 1, line.shape[1]
    shift = part * spacing * np.arange(1, d + 1) / d
    actions = Actions(spacing, spacing, shift, 0.0, 0)
    expected = reference.line_on_lattice(line, spacing, shift)
    found = line.copy()
    left = on_lattice(found, k, False, actions)
    np.testing.assert_array_equal(found[: left + 1], expected)
    again = found.copy()
    assert on_lattice(again, left, False, actions) == left
    np.testing.assert_array_equal(again[: left + 1], expected)
    whole = line.copy()
    left = on_lattice(whole, k, True, actions)
    if len(expected) > 1:
        np.testing.assert_array_equal(whole[: left + 1], expected)
    else:  # one step, of which one end is where all vertices fell, and that goes the way the line went
        assert left == 1
        step = whole[1] - whole[0]
        np.testing.assert_allclose(np.sort(np.abs(step)), [*[0] * (d - 1), spacing], atol=1e-9)
        assert any(np.array_equal(end, expected[0]) for end in whole[:2])
        assert step @ (line[-1] - line[0]) >= 0
    free = line.copy()
    assert on_lattice(free, k, True, None) == k
    np.testing.assert_array_equal(free, line)


def test_coordinates_as_coarse_as_the_lattice_stay():
    line = np.array([[1e20, 3.0], [2e20, 5.0]])
    assert on_lattice(line, 1, True, Actions(1e-3, 1e-3, np.zeros(2), 0.0, 0)) == 1
    np.testing.assert_array_equal(line[:, 0], [1e20, 2e20])


def test_ends_on_lattice():
    actions = Actions(1.0, 1.0, np.zeros(2), 0.0, 0)
    line = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]])
    held = np.array([[9.5, 9.5], [-0.6, 0.0], [4.0, 0.0], [4.0, 3.3], [9.5, 9.5]])
    ends_on_lattice(held, line, 2, actions)
    np.testing.assert_array_equal(held, [[9.5, 9.5], [-1, 0], [4, 0], [4, 3], [9.5, 9.5]])
    held[1] = [3.8, 0.1]  # would fall on the next vertex
    ends_on_lattice(held, line, 2, actions)
    np.testing.assert_array_equal(held[1:4], line)
    short = np.array([[0.0, 0.0], [1.0, 0.0]])
    held = np.array([[0.0, 0.0], [0.3, 0.0], [0.4, 0.0], [0.0, 0.0]])
    ends_on_lattice(held, short, 1, actions)
    np.testing.assert_array_equal(held[1:3], short)


@given(lines_and_points(), st.sampled_from([0.25, 0.7, 3.0]), st.integers(0, 2**63 - 1))
def test_bonus(case, grid, seed):
    line, _ = case
    k, d = len(line) - 1, line.shape[1]
    shift = 0.3 * grid * np.arange(d)
    actions = Actions(0.0, grid, shift, 1.5, seed)
    expected = 3.0 * reference.perturbation(line, grid, shift, seed)
    nothing = np.uint64(0)
    assert hash_of_line(line, k, grid, shift) == reference.hash_of_line(line, grid, shift)
    assert bonus(nothing, line, k, actions) == pytest.approx(expected, rel=1e-12)
    assert bonus(nothing, line[::-1].copy(), k, actions) == pytest.approx(expected, rel=1e-12)
    for low in range(k):  # as a window and what is elsewhere
        for high in range(low + 1, k + 1):
            window = line[low : high + 1].copy()
            elsewhere = hash_elsewhere(line, k, window, high - low, actions)
            assert bonus(np.uint64(elsewhere), window, high - low, actions) == pytest.approx(expected, rel=1e-12)
    assert bonus(nothing, line, k, actions._replace(temperature=0.0)) == 0.0
    assert bonus(nothing, line, k, None) == 0.0


def test_exponential():
    assert exponential(np.uint64(0)) == pytest.approx(54 * np.log(2))
    assert exponential(np.uint64(2**64 - 1)) == pytest.approx(2.0**-54, rel=1e-6)


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
    found = measure(learner.head, s.vertices, s.means, s.weight, s.scatter, 2.0, 3.0, 500.0, 0.0)
    expected = reference.scale_of(
        learner.head,
        s.vertices[: int(learner.head["k"]) + 1],
        s.means[:, :n_cells].T,
        s.weight[:n_cells],
        s.scatter[:n_cells],
        2,
        3,
        500,
    )
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=1e-6, err_msg=name)
    hidden, rules = expected["hidden"], expected["rules"]
    line = s.vertices[:3] + 0.1
    X, w = s.means[:, :n_cells].T, s.weight[:n_cells] / found.unit
    loss, beyond = reference.capped(line, X, w, found.cap)
    crowd = reference.tube_crowding(line, X, w, rules)
    value = reference.tube_score(loss + hidden, beyond, reference.tube_length(line, rules.sigma), crowd, 2, rules)
    assert value_on_cells(line, 2, s.means, s.weight, n_cells, found) == pytest.approx(value, rel=1e-9)


def scale_for(weight, density=DENSITY, sigma=1e-6):
    rules = Rules(weight.sum(), 1.0, 1e-12, 1.0, 5.0, 40.0, 1.0, 1.0, density, sigma, 16384.0)
    return Scale(0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, rules, None)


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
    assert runs_along(line, 9, nodes) == reference.runs_along(line[:10], nodes.T)


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


def ahead(held, k, sigma, n, *, rates=(0, 0), trail=None, lookahead=True):
    """The held line with its ends moved and prolonged; points that arrive beyond an end, if any, in their order."""
    held, places = np.array(held, dtype=float), np.zeros((TRAIL, 2))
    weight = np.zeros(TRAIL)
    if trail is not None:
        places[: len(trail)], weight[: len(trail)] = trail, 1.0
    far = np.array([held[1], held[k + 1] if trail is None else trail[-1]])
    newest = 0 if trail is None else len(trail) - 1
    look_ahead(held, k, sigma, 1.0, n, np.array(rates, float), far, places, weight, newest, lookahead, 6.0)
    return held


HELD = [[0, 0], [0, 0], [1, 0], [1, 1], [0, 0]]


def test_a_settled_end_looks_straight_ahead():
    np.testing.assert_array_equal(ahead(HELD, 2, 0.01, 100.0, lookahead=False), [[0, 0], *HELD[1:4], [1, 1]])
    reach = 0.01 + 2 * (0.05 ** (-1 / 99) - 1)
    held = ahead(HELD, 2, 0.01, 100.0)
    np.testing.assert_allclose(held, [[-reach, 0], *HELD[1:4], [1, 1 + reach]])


def test_what_is_looked_ahead_is_passed_by_one_in_twenty():
    """Of n points spread evenly, the next one that lies beyond all others."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400_000, 6))
    low, high, next_ = X[:, :5].min(1), X[:, :5].max(1), X[:, 5]
    held = ahead([[0, 0], [0, 0], [1, 0], [0, 0]], 1, 1e-12, 5.0)
    reach = held[2 + 1, 0] - 1.0
    passed = ((next_ - high) > reach * (high - low))[next_ > high].mean()
    assert passed == pytest.approx(0.05, abs=0.003)


def test_a_moving_end_goes_where_the_stream_goes():
    angle = np.linspace(0, 0.6, 40)  # a bend of radius 1 that begins where the line ends, upwards
    bend = np.column_stack([np.cos(angle), 1 + np.sin(angle)])
    for lookahead in (False, True):
        held = ahead(HELD, 2, 0.01, 100.0, rates=(0, 0.9), trail=bend, lookahead=lookahead)
        np.testing.assert_allclose(held[3], bend[-1], atol=0.01)
    np.testing.assert_allclose(held[:2], ahead(HELD, 2, 0.01, 100.0)[:2])
    further = 0.6 + 6 * angle[1] + 0.03
    np.testing.assert_allclose(held[4], [np.cos(further), 1 + np.sin(further)], atol=0.01)


@pytest.mark.parametrize("trail", ["at random", "inside", "all at one place"])
def test_an_end_stays_where_the_stream_does_not_draw_it(trail):
    rng = np.random.default_rng(1)
    places = {
        "at random": np.column_stack([np.ones(40), rng.permutation(np.linspace(0, 1.5, 40))]),
        "inside": np.column_stack([np.linspace(0.1, 0.5, 40), np.zeros(40)]),
        "all at one place": np.ones((40, 2)),
    }
    held = ahead(HELD, 2, 0.01, 100.0, rates=(0, 0.9), trail=places[trail])
    np.testing.assert_array_equal(held[1:4], HELD[1:4])


def test_parabola_is_the_least_squares_one_over_the_chord():
    """... with its bend shrunk by what the noise explains: not at all without noise, to nothing with much."""
    rng = np.random.default_rng(2)
    for d in (1, 2, 5):
        s = np.linspace(1, 0, 30)
        places = np.outer(s, rng.normal(size=d)) + np.outer(s**2, rng.normal(size=d)) + 0.01 * rng.normal(size=(30, d))
        w = rng.uniform(0.5, 2, 30)
        at, feet, fitted = np.empty(30), np.empty(30), np.empty((3, d))
        for noise2 in (0.0, 1e-3, 0.1, 1e6):
            assert parabola(places, w, 30, noise2, at, feet, fitted)
            wanted = reference.parabola(places, w, noise2)
            np.testing.assert_allclose(fitted, wanted[0], rtol=1e-8, atol=1e-10)
            np.testing.assert_allclose(at, wanted[1], atol=1e-12)
            np.testing.assert_allclose(feet, wanted[2], rtol=1e-7, atol=1e-9)
        assert (fitted[2] == 0).all()


def test_a_trail_holds_means_of_equal_weight():
    X = np.arange(20.0).reshape(10, 2)
    trail, weight, newest = np.zeros((4, 2)), np.zeros(4), 0
    for t in range(10):
        newest = follow(trail, weight, newest, X, t, 1.0, 2.0)
    np.testing.assert_array_equal(weight, 2.0)
    order = [(newest - i) % 4 for i in range(4)]
    np.testing.assert_allclose(trail[order], [X[2 * i : 2 * i + 2].mean(axis=0) for i in (4, 3, 2, 1)])


# -- the segments nearest to a run of points ----------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 7])
def test_distances_to_segments(d):
    rng = np.random.default_rng(d)
    held = rng.normal(size=(8, d))
    held[1] = held[0]  # no look-ahead at the first end
    X = rng.normal(size=(40, d))
    X[::3] = held[2] + rng.uniform(size=14)[:, None] * (held[3] - held[2])  # on the line, up to rounding
    rows = [np.zeros((d, 9)), np.zeros((d, 9)), np.zeros(9), np.zeros(9)]
    lay_out(held, 5, *rows)
    dot, dist2 = np.zeros((2, 7, 30))
    measures = [distances_in_space, distances_in_plane] if d == 2 else [distances_in_space]
    for distances_of in measures:
        for begin, n in ((0, 30), (13, 27), (39, 1)):
            distances_of(X, begin, n, *rows, dot, dist2)
            for i, x in enumerate(X[begin : begin + n]):
                for s in range(7):
                    assert dot[s, i] == pytest.approx((x - held[s]) @ (held[s + 1] - held[s]), abs=1e-12)
                    assert dist2[s, i] == pytest.approx(nearest(x, held[s], held[s + 1]), abs=1e-12)
            assert dist2.min() >= 0


@given(hnp.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 20)), elements=st.sampled_from([0, 1, 2])))
def test_first_of_nearest(dist2):
    """A difference in the eleventh digit is none."""
    dist2 *= 1 + 1e-12 * np.arange(len(dist2))[::-1, None]
    n = dist2.shape[1]
    least, carrier = np.empty(n), np.empty(n, np.int64)
    first_of_nearest(dist2, n, least, carrier)
    for i, column in enumerate(dist2.T):
        assert least[i] == column.min()
        assert carrier[i] == reference.first_of_nearest(column)


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
    assert take(points, np.empty(0), 0, *learner._arguments, found) == 60
    assert not learner.head["event"]
    np.testing.assert_allclose(found, losses, rtol=1e-9, atol=1e-15)
    k, n_cells = int(learner.head["k"]), int(learner.head["n_cells"])
    np.testing.assert_allclose(learner.state.owed[:k], owed, rtol=1e-9)
    assert n_cells == len(cells)
    got = sorted(
        (*learner.state.means[:, i], learner.state.weight[i], learner.state.scatter[i]) for i in range(n_cells)
    )
    np.testing.assert_allclose(got, sorted((*mean, w, c) for mean, w, c in cells), rtol=1e-9, atol=1e-12)
    assert learner.head["n"] == learner.head["seen"] == seen + 60


# -- corners and ends ---------------------------------------------------------------------------------------------


@given(lines_and_points(), st.floats(0.001, 0.3))
def test_overlap(case, sigma):
    line, _ = case
    k = len(line) - 1
    found = line_length(line, k) - overlap(line, k, sigma)
    assert found == pytest.approx(reference.tube_length(line, sigma), rel=1e-6, abs=1e-9)
    assert found >= 0.6 * line_length(line, k)


def test_the_overlap_is_what_the_tube_lacks_at_a_corner():
    """The integral of exp(-dist²/2σ²) over the plane, for a right angle, is less than the length of its arms says."""
    sigma, arm = 0.05, 1.0
    corner = np.array([[arm, 0.0], [0.0, 0.0], [0.0, arm]])
    step = 0.01
    places = np.arange(-0.4, arm + 0.4, step) + step / 2
    grid = np.array(np.meshgrid(places, places)).reshape(2, -1).T
    dist2 = Polyline(corner).squared_distances(grid)
    volume = np.exp(-dist2 / (2 * sigma**2)).sum() * step**2
    two_half_discs = 2 * np.pi * sigma**2
    expected = 2 * arm - (volume - two_half_discs) / (np.sqrt(2 * np.pi) * sigma)
    assert overlap(corner, 2, sigma) == pytest.approx(expected, rel=0.01)


def test_a_loop_at_an_end_is_turned():
    """Out along one arm, to the far end of another and back to where they meet: it belongs the other way round."""
    t = np.linspace(0, 1, 60)
    first, second = np.outer(t, [1.0, 0.3]), np.array([1.0, 0.3]) + np.outer(t, [-0.8, 0.5])
    means = np.ascontiguousarray(np.concatenate([first, second]).T)
    weight, n = np.ones(120), 120
    vertices = np.zeros((10, 2))
    vertices[:4] = [[0, 0], [0.9, 0.27], [0.2, 0.8], [1.0, 0.3]]
    segment = np.empty(n, np.int64)
    register(vertices, 3, means, n, segment)
    scale = scale_for(weight, density=42.0, sigma=0.02)
    before = value_on_cells(vertices, 3, means, weight, n, scale)
    assert turn_an_end(vertices, 3, segment, means, weight, n, scale)
    np.testing.assert_array_equal(vertices[:4], [[0, 0], [0.9, 0.27], [1.0, 0.3], [0.2, 0.8]])
    assert value_on_cells(vertices, 3, means, weight, n, scale) < before
    nearest = [reference.first_nearest(vertices[:4], x) for x in means.T]
    np.testing.assert_array_equal(segment, nearest)
    assert not turn_an_end(vertices, 3, segment, means, weight, n, scale)


@pytest.mark.parametrize("end", [0, 1])
def test_a_far_point_is_reached_from_the_end_where_the_stream_turned_back(end):
    t = np.linspace(0, 1, 60)
    first, second = np.outer(t, [1.0, 0.3]), np.array([1.0, 0.3]) + np.outer(t, [-0.8, 0.5])
    means = np.ascontiguousarray(np.concatenate([first, second]).T)
    weight, n, x = np.ones(120), 120, second[-1]
    vertices, line = np.zeros((10, 2)), np.array([[0, 0], [0.5, 0.15], [1.0, 0.3]])
    vertices[:3] = line if end else line[::-1]
    segment = np.empty(n, np.int64)
    register(vertices, 2, means, n, segment)
    scale = scale_for(weight, density=42.0, sigma=0.02)._replace(sigma2=0.02**2)
    assert reach_from_an_end(vertices, 2, first[30].copy(), segment, means, weight, n, 9, scale) == 2
    assert reach_from_an_end(vertices, 2, x, segment, means, weight, n, 2, scale) == 2
    assert reach_from_an_end(vertices, 2, x, segment, means, weight, n, 9, scale) == 3
    expected = np.concatenate([line, [x]])
    np.testing.assert_array_equal(vertices[:4], expected if end else expected[::-1])
    outlier = np.array([5.0, 5.0])
    assert reach_from_an_end(vertices, 3, outlier, segment, means, weight, n, 9, scale) == 3
