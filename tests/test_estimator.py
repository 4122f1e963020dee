"""SLPC, as its users meet it."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import slpc.learner.learner
from slpc import SLPC, Polyline, load


@pytest.mark.parametrize(
    "check", [pytest.param((e, c), id=getattr(c, "func", c).__name__) for e, c in estimator_checks_generator(SLPC())]
)
def test_scikit_learn_s_own_checks(check):
    estimator, function = check
    function(estimator)


def bend(n, noise=0.02, seed=0, order="random"):
    """Points along |x - 1/2| over [0, 1]: a corner."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 1, n)
    t = np.sort(t) if order == "sorted" else t
    return np.column_stack([t, np.abs(t - 0.5)]) + noise * rng.standard_normal((n, 2))


BEND = Polyline([[0, 0.5], [0.5, 0], [1, 0.5]])


def sine(n, noise=0.03, seed=0, order="random"):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 1, n)
    t = np.sort(t) if order == "sorted" else t
    return np.column_stack([4 * t, np.sin(2 * np.pi * t)]) + noise * rng.standard_normal((n, 2))


T = np.linspace(0, 1, 2001)
SINE = Polyline(np.column_stack([4 * T, np.sin(2 * np.pi * T)]))


def mean_distance(a, b):
    return float(np.sqrt(b.squared_distances(a.resample(500).vertices)).mean())


@pytest.fixture(scope="module")
def model():
    return SLPC().fit(sine(5000))


# -- what it learns -----------------------------------------------------------------------------------------------


def test_it_learns_the_curve(model):
    X = sine(4000, seed=1)
    assert model.curve_.squared_distances(X).mean() == pytest.approx(SINE.squared_distances(X).mean(), rel=0.03)
    assert mean_distance(model.curve_, SINE) < 0.25 * 0.03
    assert mean_distance(SINE, model.curve_) < 0.25 * 0.03
    assert model.curve_.length == pytest.approx(SINE.length, rel=0.02)


def test_one_segment_for_a_line_and_two_for_a_corner():
    rng = np.random.default_rng(0)
    line = np.outer(rng.uniform(0, 1, 5000), [1.0, 0.3]) + 0.02 * rng.standard_normal((5000, 2))
    assert SLPC().fit(line).n_segments_ == 1
    corner = SLPC().fit(bend(5000)).curve_
    assert corner.n_segments == 2
    middle = corner.vertices[1]
    np.testing.assert_allclose(middle, [0.5, 0.0], atol=0.01)


def test_a_noisy_line_is_neither_short_nor_long():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(0, 1, 20_000), np.zeros(20_000)]) + 0.03 * rng.standard_normal((20_000, 2))
    assert SLPC().fit(X).curve_.length == pytest.approx(1.0, abs=0.01)


def test_many_dimensions():
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 1, 20_000)
    true = np.zeros((len(T), 20))
    for f in range(1, 4):
        true += rng.normal(size=20) / f**1.5 * np.sin(np.pi * f * T[:, None] + rng.uniform(0, 6.28, 20))
    truth = Polyline(true)
    X = truth.point_at(t * truth.length) + 0.05 * rng.standard_normal((20_000, 20))
    curve = SLPC().fit(X).curve_
    assert curve.squared_distances(X).mean() < 1.03 * truth.squared_distances(X).mean()
    assert mean_distance(truth, curve) < 0.4 * 0.05


def test_outliers_do_not_pull():
    X = sine(6000)
    rng = np.random.default_rng(5)
    hit = rng.random(len(X)) < 0.01
    X[hit] += 100 * 0.03 * rng.standard_normal((hit.sum(), 2))
    curve = SLPC().fit(X).curve_
    fresh = sine(3000, seed=9)
    assert curve.squared_distances(fresh).mean() < 1.05 * SINE.squared_distances(fresh).mean()


@pytest.mark.parametrize(("d", "share"), [(2, 0.04), (6, 0.03), (20, 0.03)])
def test_outliers_neither_swell_the_noise_nor_crowd_the_summary(d, share):
    """In many dimensions every outlier has a cell of its own; at four in a hundred, each would count as 40 σ²."""
    rng = np.random.default_rng(d)
    truth = Polyline(np.column_stack([2 * T, *(np.sin((2 + a / d) * np.pi * T + a) for a in range(1, d))]))
    X = truth.point_at(rng.uniform(0, truth.length, 40_000)) + 0.02 * rng.standard_normal((40_000, d))
    hit = rng.random(len(X)) < share
    push = rng.standard_normal((hit.sum(), d))
    X[hit] += push / np.linalg.norm(push, axis=1, keepdims=True)
    model = SLPC().fit(X)
    assert model.curve_.squared_distances(X[~hit]).mean() < 1.03 * truth.squared_distances(X[~hit]).mean()
    assert mean_distance(model.curve_, truth) < 0.3 * 0.02


def test_what_faded_is_left_behind_for_good():
    """While the old branch weighs less and less, the curve does not come back to it."""
    rng = np.random.default_rng(0)
    waves = Polyline(np.column_stack([2 * T, 0.33 * np.sin(6 * np.pi * T)]))
    model = SLPC(half_life=1000).fit(bend(10_000) + np.array([0.0, 1.5]))
    X = waves.point_at(rng.uniform(0, waves.length, 9000)) + 0.02 * rng.standard_normal((9000, 2))
    ratios = []
    for first in range(3000, 9000, 1000):
        model.partial_fit(X[:first] if first == 3000 else X[first - 1000 : first])
        ratios.append(model.losses_[-1000:].mean() / waves.squared_distances(X[first - 1000 : first]).mean())
    assert max(ratios[1:]) < 1.1
    assert model.curve_.length < 1.05 * waves.length


def test_forgetting():
    before, after = bend(6000), bend(6000, seed=1) * [1, -1] + [0.3, 1.0]
    forgets = SLPC(half_life=500).fit(before).partial_fit(after)
    fresh = bend(2000, seed=2) * [1, -1] + [0.3, 1.0]
    true = Polyline(BEND.vertices * [1, -1] + [0.3, 1.0])
    assert forgets.curve_.squared_distances(fresh).mean() < 1.1 * true.squared_distances(fresh).mean()
    remembers = SLPC().fit(before).partial_fit(after)
    assert mean_distance(remembers.curve_, true) > 3 * mean_distance(forgets.curve_, true)


def test_sample_weight():
    X = bend(2000)
    twice = SLPC().partial_fit(X, sample_weight=np.full(2000, 2.0)).curve_
    assert mean_distance(twice, BEND) < 0.3 * 0.02
    far = X + np.array([0, 5])
    both = np.concatenate([X, far])[np.random.default_rng(0).permutation(4000)]
    none = np.where(both[:, 1] > 2.5, 0.0, 1.0)
    weighted = SLPC().partial_fit(both, sample_weight=none)
    alone = SLPC().partial_fit(both[none > 0])
    assert weighted.curve_ == alone.curve_  # rows of weight 0 are measured, not learnt
    assert weighted.n_samples_seen_ == 2000
    assert np.isfinite(weighted.losses_[10:]).all()
    for bad in (np.ones(3), np.full(2000, -1.0), np.full(2000, np.nan)):
        with pytest.raises(ValueError, match="sample_weight"):
            SLPC().partial_fit(X, sample_weight=bad)


# -- one point after another --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lookahead", [True, False])
@pytest.mark.parametrize("half_life", [None, 100.0])
def test_losses_are_those_of_the_curve_held_before(lookahead, half_life):
    X = sine(300, order="sorted")
    whole = SLPC(lookahead=lookahead, half_life=half_life).partial_fit(X)
    one_by_one = SLPC(lookahead=lookahead, half_life=half_life)
    for i, x in enumerate(X):
        if i >= 3:
            expected = one_by_one.forecast_curve_.squared_distances(x)[0]
            assert whole.losses_[i] == pytest.approx(expected, rel=1e-6, abs=1e-12)
        else:
            assert np.isnan(whole.losses_[i])
        one_by_one.partial_fit(x)
        assert np.array_equal(one_by_one.losses_, whole.losses_[i : i + 1], equal_nan=True)
        if not lookahead and i >= 3:
            assert one_by_one.forecast_curve_ == one_by_one.curve_
    assert one_by_one.cumulative_loss_ == pytest.approx(np.nansum(whole.losses_))
    assert one_by_one.curve_ == whole.curve_


@settings(max_examples=25)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=8), st.sampled_from([None, 300.0]), st.integers(0, 50))
def test_any_split_gives_the_same_curve(sizes, half_life, seed):
    X = bend(sum(sizes), seed=seed)
    whole = SLPC(half_life=half_life, memory=64).partial_fit(X)
    parts = SLPC(half_life=half_life, memory=64)
    losses = [parts.partial_fit(part).losses_ for part in np.split(X, np.cumsum(sizes)[:-1])]
    assert parts.curve_ == whole.curve_
    assert parts.forecast_curve_ == whole.forecast_curve_
    assert np.array_equal(np.concatenate(losses), whole.losses_, equal_nan=True)


@settings(max_examples=20)
@given(st.integers(-300, 300), st.integers(0, 20))
def test_scaling_by_powers_of_two_is_exact(power, seed):
    X = sine(400, seed=seed)
    plain, scaled = SLPC().fit(X), SLPC().fit(np.ldexp(X, power))
    assert np.array_equal(np.ldexp(plain.vertices_, power), scaled.vertices_)


def test_shifts_and_rotations_change_rounding_only():
    X = sine(1000)
    plain = SLPC().fit(X).curve_
    shifted = SLPC().fit(X + np.array([1000.0, -500.0])).curve_
    np.testing.assert_allclose(shifted.vertices - [1000.0, -500.0], plain.vertices, atol=1e-6)
    turn = np.array([[np.cos(0.7), np.sin(0.7)], [-np.sin(0.7), np.cos(0.7)]])
    np.testing.assert_allclose(SLPC().fit(X @ turn).curve_.vertices @ turn.T, plain.vertices, atol=1e-6)


def test_memory_does_not_grow():
    model = SLPC()
    sizes = set()
    for n in (10, 1000, 20_000):
        model.partial_fit(sine(n))
        sizes.add(model.learner_.state.nbytes)
    assert len(sizes) == 1
    assert sizes.pop() <= 256 * 1024


def test_the_direction_stays():
    model = SLPC()
    for i in range(30):
        model.partial_fit(sine(100, seed=i))
        begin, end = SINE.project(model.vertices_[[0, -1]]).arc_length
        if i == 0:
            forward = begin < end
        assert (begin < end) == forward


def test_a_chosen_start():
    for start, first in (([0.0, 0.5], 0.0), ([1.0, 0.5], 1.0)):
        for seed in range(5):
            model = SLPC(start=start).fit(bend(300, seed=seed))
            assert model.vertices_[0, 0] == pytest.approx(first, abs=0.1)
    with pytest.raises(ValueError, match="expected 2"):
        SLPC(start=[1.0, 2.0, 3.0]).fit(bend(20))


def test_no_end_passes_the_farthest_point():
    for seed in range(5):
        X = np.column_stack([np.linspace(0, 1, 80), 0.01 * np.random.default_rng(seed).standard_normal(80)])
        model = SLPC(lookahead=False)
        for i, x in enumerate(X):
            model.partial_fit(x)
            if i > 5:
                v = model.vertices_
                for end, inner in ((v[0], v[1]), (v[-1], v[-2])):
                    outwards = (end - inner) / np.linalg.norm(end - inner)
                    assert ((X[: i + 1] - end) @ outwards).max() >= -1e-9


def test_exploring_rounds(monkeypatch):
    rounds = []
    real = slpc.learner.learner.explore

    def counted(state, *rest):
        rounds.append(int(state.head[0]["seen"]))
        real(state, *rest)

    monkeypatch.setattr(slpc.learner.learner, "explore", counted)
    X = bend(3000)

    def explored(**parameters):
        rounds.clear()
        model = SLPC(**parameters).partial_fit(X[:1000]).partial_fit(X[1000:])
        return list(rounds), model.curve_

    scheduled, _ = explored()
    assert scheduled[:3] == [3, 4, 5]
    assert len(scheduled) < 50
    assert explored(exploration=0.0)[0] == []
    drawn, curve = explored(exploration=0.02, random_state=1)
    assert 30 < len(drawn) < 90  # 60 expected, sd 7.7
    assert explored(exploration=0.02, random_state=1) == (drawn, curve)
    assert explored(exploration=0.02, random_state=2)[0] != drawn
    assert explored(exploration=1.0)[0][:5] == [4, 5, 6, 7, 8]


def test_a_warm_start():
    model = SLPC.from_curve(SINE.resample(20), noise=0.03)
    np.testing.assert_allclose(SINE.squared_distances(model.vertices_), 0, atol=1e-4)
    assert model.n_samples_seen_ == 0
    X = sine(400)
    model.partial_fit(X)
    cold = SLPC().partial_fit(X)
    assert np.isfinite(model.losses_).all()
    assert model.losses_[:50].sum() < 0.3 * np.nansum(cold.losses_[:50])
    assert model.curve_.squared_distances(sine(2000, seed=1)).mean() < 1.2 * 0.03**2
    begin, end = SINE.project(model.vertices_[[0, -1]]).arc_length
    assert begin < end  # its direction is that of the curve given
    # The stream wins in the end.
    moved = SLPC.from_curve(SINE.resample(20), weight=50, noise=0.03).partial_fit(sine(20_000) + np.array([0.0, 0.2]))
    assert mean_distance(moved.curve_, Polyline(SINE.vertices + np.array([0.0, 0.2]))) < 0.03
    with pytest.raises(ValueError, match="weight must be a positive number"):
        SLPC.from_curve(SINE, weight=0)
    with pytest.raises(ValueError, match="the curve has 2000 segments, max_segments is 64"):
        SLPC.from_curve(SINE)


# -- places along the curve ---------------------------------------------------------------------------------------


def test_transform_and_back(model):
    X = sine(500, seed=3)
    S = model.transform(X)
    assert S.shape == (500, 1)
    assert np.corrcoef(S[:, 0], X[:, 0])[0, 1] ** 2 > 0.99
    np.testing.assert_allclose(model.inverse_transform(S), model.curve_.project(X).point, atol=1e-9)
    np.testing.assert_allclose(model.score_samples(X), -model.curve_.squared_distances(X))
    assert model.score(X) == pytest.approx(1 + model.score_samples(X).sum() / np.square(X - X.mean(axis=0)).sum())
    assert model.score(X) > 0.99


def test_places_from_the_anchor_do_not_jump_when_the_curve_grows_at_its_beginning():
    X = sine(3000, order="sorted")
    middle = X[1500:]
    model = SLPC(lookahead=False, origin="anchor", start=[2.0, 0.0]).partial_fit(middle)
    probe = SINE.point_at([5.0, 5.5])
    before, from_start = model.transform(probe)[:, 0], model.transform(probe, origin="start")[:, 0]
    model.partial_fit(X[:1500][::-1])  # the other half, from the middle backwards
    assert model.curve_.length > 4.5
    after = model.transform(probe)[:, 0]
    np.testing.assert_allclose(after, before, atol=0.1)
    assert np.abs(model.transform(probe, origin="start")[:, 0] - from_start).max() > 1.0
    np.testing.assert_allclose(model.inverse_transform(after), model.curve_.project(probe).point, atol=1e-9)
    with pytest.raises(ValueError, match='origin must be "start" or "anchor"'):
        model.transform(probe, origin="end")


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        [[np.nan, 1.0]],
        [[np.inf, 1.0]],
        [[1.0, 2.0, 3.0]],
        np.empty((0, 2)),
        [["a", "b"]],
        [[1e200, 1.0]],
        [[None, 1.0]],
    ],
)
def test_a_rejected_batch_changes_nothing(bad):
    model = SLPC().partial_fit(bend(200))
    before = model.learner_.state.copy()
    losses, total = model.losses_, model.cumulative_loss_
    with pytest.raises(ValueError):  # noqa: PT011 - scikit-learn's own words
        model.partial_fit(bad)
    for name, array in before.arrays().items():
        assert np.array_equal(array, getattr(model.learner_.state, name)), name
    assert model.losses_ is losses
    assert model.cumulative_loss_ == total


@pytest.mark.parametrize("value", [0.0, 3.7, -1e100, 1e-300])
def test_a_constant_stream(value):
    model = SLPC().fit(np.full((500, 2), value))
    assert model.curve_.n_segments == 1
    assert np.square(model.score_samples(np.full((3, 2), value))).max() <= (1e-8 * max(abs(value), 1e-8)) ** 2
    model.partial_fit(np.full((500, 2), value) + np.array([1.0, 0.0]))
    assert np.isfinite(model.vertices_).all()


@pytest.mark.parametrize("scale", [1e-300, 5e-324])
def test_differences_whose_squares_underflow_are_none(scale):
    model = SLPC().fit(np.round(sine(200) * 10) * scale)
    assert model.n_segments_ == 1
    assert np.abs(model.vertices_).max() < 1e-100
    model.partial_fit(sine(500))
    assert mean_distance(model.curve_, SINE) < 0.1


def test_a_heavy_point_does_not_upset_the_running_means():
    model = SLPC().partial_fit(bend(40))
    before = float(model.learner_.head["mean_loss"])
    on_it = model.forecast_curve_.point_at([0.3])
    model.partial_fit(on_it, sample_weight=[1000.0])
    assert model.losses_[0] < 1e-6
    # A mean goes towards the new value, at most all the way.
    assert 0 <= model.learner_.head["mean_loss"] <= before
    assert model.learner_.head["mean_loss2"] >= 0


@pytest.mark.parametrize("scale", [1e-140, 1e-100, 1e100, 1e140])
def test_extreme_scales(scale):
    curve = SLPC().fit(sine(500) * scale).curve_
    assert mean_distance(Polyline(curve.vertices / scale), SINE) < 0.03


def test_exact_lines_and_repeated_points():
    x = np.random.default_rng(0).uniform(0, 1, 1000)
    model = SLPC().fit(np.column_stack([x, 2 * x]))
    assert model.n_segments_ == 1
    assert model.score(np.column_stack([x, 2 * x])) > 1 - 1e-9
    repeated = np.repeat(np.random.default_rng(1).normal(size=(20, 2)), 50, axis=0)
    assert np.isfinite(SLPC().fit(repeated).vertices_).all()


def test_one_dimension():
    x = np.random.default_rng(0).normal(size=(2000, 1))
    model = SLPC().fit(x)
    assert model.n_segments_ == 1
    assert model.score(x) > 0.99


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_segments": 0}, "max_segments must be a whole number from 1"),
        ({"memory": 3}, "memory must be a whole number from 16"),
        ({"half_life": 0.5}, "half_life must be a number of points"),
        ({"length_penalty": -1.0}, "length_penalty must be a number of at least 0"),
        ({"random_state": -1}, "random_state must be a whole number from 0"),
        ({"exploration": 1.5}, "exploration must be a probability"),
        ({"warm_up": 1}, "warm_up must be a whole number from 2"),
        ({"memory": 16, "warm_up": 10}, "memory must hold twice the warm-up"),
        ({"origin": "middle"}, 'origin must be "start" or "anchor"'),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        SLPC(**parameters).fit(bend(50))


def test_parameters_may_change_on_the_way():
    model = SLPC().partial_fit(bend(500))
    model.set_params(segment_penalty=5.0, half_life=100.0).partial_fit(bend(500, seed=1))
    assert model.learner_.head["decay"] < 1
    with pytest.raises(ValueError, match="memory is fixed once learning has begun"):
        model.set_params(memory=100).partial_fit(bend(10))


def test_before_it_has_learnt():
    with pytest.raises(AttributeError, match="call fit or partial_fit first"):
        _ = SLPC().curve_
    with pytest.raises(NotFittedError):
        SLPC().transform([[0, 0]])


def test_during_the_warm_up():
    model = SLPC(warm_up=5)
    model.partial_fit([1.0, 1.0])
    assert model.curve_.n_segments == 1
    model.partial_fit([2.0, 1.0])
    np.testing.assert_allclose(model.vertices_, [[1, 1], [2, 1]])
    assert np.isnan(model.losses_).all()
    model.partial_fit([[3.0, 1.0]] * 4)
    assert np.isnan(model.losses_).tolist() == [True, True, True, False]


# -- keeping it ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 3, 50, 700])
def test_a_saved_model_goes_on_bit_for_bit(tmp_path, n):
    X = sine(1500, order="sorted")
    names = pd.DataFrame(X, columns=["east", "north"])
    model = SLPC(half_life=400, memory=64)
    if n:
        model.partial_fit(names[:n])
    model.save(tmp_path / "model.slpc")
    again = load(tmp_path / "model.slpc")
    assert again.get_params() == model.get_params()
    for m in (model, again):
        m.partial_fit(names[n:])
    assert again.curve_ == model.curve_
    assert again.cumulative_loss_ == model.cumulative_loss_
    assert np.array_equal(again.losses_, model.losses_, equal_nan=True)
    assert again.feature_names_in_.tolist() == ["east", "north"]


def test_numpy_s_numbers_as_parameters(tmp_path):
    model = SLPC(max_segments=np.int64(9), half_life=np.float64(50), start=np.array([0.0, 0.5])).fit(bend(100))
    model.save(tmp_path / "model.slpc")
    again = load(tmp_path / "model.slpc")
    assert again.get_params() == model.get_params() | {"start": [0.0, 0.5]}
    assert again.partial_fit(bend(50)).curve_ == model.partial_fit(bend(50)).curve_


def test_saving_again_replaces_the_file_as_a_whole(tmp_path, monkeypatch):
    path = tmp_path / "model.slpc"
    model = SLPC().fit(bend(100))
    model.save(path)
    first = path.read_bytes()
    model.partial_fit(bend(100, seed=1))
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        model.save(path)
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == ["model.slpc"]


def test_damaged_and_foreign_files(tmp_path):
    path = tmp_path / "model.slpc"
    SLPC().fit(bend(100)).save(path)
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(50):
        cut = int(rng.integers(13, len(data)))
        path.write_bytes(data[:cut])
        with pytest.raises(ValueError, match=r"model.slpc is damaged"):
            load(path)
        changed = bytearray(data)
        changed[int(rng.integers(13, len(data)))] ^= 1 + int(rng.integers(255))
        path.write_bytes(bytes(changed))
        with pytest.raises(ValueError, match=r"model.slpc is damaged"):
            load(path)
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ValueError, match="is not a saved slpc learner"):
        load(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="is not a saved slpc learner"):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere")


def test_a_newer_format(tmp_path, monkeypatch):
    monkeypatch.setattr("slpc.learner.persist.VERSION", 2)
    SLPC().fit(bend(100)).save(tmp_path / "model.slpc")
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"newer slpc \(format 2; this one reads up to 1\): upgrade slpc"):
        load(tmp_path / "model.slpc")


def test_copies(model):
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.curve_ == model.curve_
        before = model.curve_
        other.partial_fit(sine(500, seed=7))
        assert model.curve_ == before
        assert other.n_samples_seen_ == model.n_samples_seen_ + 500
    assert not hasattr(clone(model), "learner_")


# -- merging ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["random", "sorted"])
def test_merged_parts_are_nearly_the_whole(order):
    X = sine(8000, order=order)
    a, b = SLPC().fit(X[:3000]), SLPC().fit(X[3000:])
    merged = a.merge(b)
    assert merged.n_samples_seen_ == 8000
    assert merged.cumulative_loss_ == a.cumulative_loss_ + b.cumulative_loss_
    fresh = sine(3000, seed=8)
    assert merged.curve_.squared_distances(fresh).mean() < 1.05 * SINE.squared_distances(fresh).mean()
    assert merged.curve_.length == pytest.approx(SINE.length, rel=0.05)
    merged.partial_fit(sine(1000, seed=4))
    assert merged.n_samples_seen_ == 9000
    assert a.n_samples_seen_ == 3000  # the parts are as they were


def test_a_tree_of_merges():
    X = sine(8000, order="sorted")
    models = [SLPC().fit(part) for part in np.split(X, 8)]
    while len(models) > 1:
        models = [a.merge(b) for a, b in zip(models[::2], models[1::2], strict=True)]
    fresh = sine(3000, seed=8)
    assert models[0].curve_.squared_distances(fresh).mean() < 1.05 * SINE.squared_distances(fresh).mean()


def test_merging_with_one_that_has_seen_little():
    a, b = SLPC().fit(bend(1000)), SLPC().partial_fit([0.5, 0.01])
    assert a.merge(b).n_samples_seen_ == b.merge(a).n_samples_seen_ == 1001
    with pytest.raises(ValueError, match="memory is fixed"):
        SLPC(memory=99).partial_fit([0.5, 0.01]).merge(a)
    with pytest.raises(ValueError, match="cannot merge models of 2 and 3 features"):
        a.merge(SLPC().fit(np.random.default_rng(0).normal(size=(50, 3))))


# -- company ------------------------------------------------------------------------------------------------------


def test_data_frames_and_pipelines():
    X = bend(500)
    frame = pd.DataFrame(X, columns=["x", "y"])
    plain = SLPC().fit(X).curve_
    assert SLPC().fit(frame).curve_ == plain
    assert SLPC().fit(pl.DataFrame({"x": X[:, 0], "y": X[:, 1]})).curve_ == plain
    out = SLPC().set_output(transform="pandas").fit(frame).transform(frame)
    assert out.columns.tolist() == ["slpc0"]
    places = make_pipeline(StandardScaler(), SLPC()).fit_transform(frame)
    assert places.shape == (500, 1)
    with pytest.raises(ValueError, match="feature names"):
        SLPC().fit(frame).partial_fit(pd.DataFrame(X, columns=["y", "x"]))


def test_progress(capsys):
    X = bend(200)
    loud = SLPC(verbose=1).fit(X)
    assert "slpc" in capsys.readouterr().out
    quiet = SLPC().fit(X)
    assert capsys.readouterr().out == ""
    assert loud.curve_ == quiet.curve_
    assert np.array_equal(loud.losses_, quiet.losses_, equal_nan=True)
