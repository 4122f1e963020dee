"""Streams that are not what the learner's model says: heavy tails, wild weights, no noise at all, crowds."""

import numpy as np
import pytest

from slpc import SLPC, Polyline


def sound(model):
    """The model's curve, finite, of distinct vertices, no longer than its limit."""
    vertices = model.curve_.vertices
    assert np.isfinite(vertices).all()
    assert (np.abs(np.diff(vertices, axis=0)).max(axis=1) > 0).all()
    assert model.n_segments_ <= model.max_segments
    assert np.isfinite(model.forecast_curve_.vertices).all()
    return model.curve_


def ends_along(curve, direction):
    """Least and greatest place of the two ends in this direction."""
    return np.sort(curve.vertices[[0, -1]] @ direction)


@pytest.mark.parametrize("half_life", [None, 500])
@pytest.mark.parametrize("seed", [0, 1])
def test_tails_without_a_variance(seed, half_life):
    X = np.random.default_rng(seed).standard_cauchy((20_000, 2))
    curve = sound(SLPC(half_life=half_life).fit(X))
    assert 0.5 < curve.length < 1e4


def test_a_range_that_grows_for_ever():
    p = 2.0 ** np.arange(490)
    model = SLPC().fit(np.column_stack([p, -p]))
    sound(model.partial_fit(np.random.default_rng(0).normal(size=(3000, 2))))


@pytest.mark.parametrize("far", [1e1, 1e2, 1e4, 1e8])
def test_outliers_at_any_distance(far):
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 1, 20_000)
    X = np.column_stack([t, t]) + 0.01 * rng.normal(size=(20_000, 2))
    hit = rng.random(len(X)) < 0.01
    X[hit] = far * rng.normal(size=(hit.sum(), 2))
    curve = sound(SLPC().fit(X))
    assert curve.length == pytest.approx(np.sqrt(2), rel=0.03)
    assert np.sqrt(curve.squared_distances(X[~hit]).mean()) < 1.05 * 0.01


@pytest.mark.parametrize("d", [2, 20, 200])
def test_a_ball_has_a_line_through_it_not_a_point(d):
    X = np.random.default_rng(0).normal(size=(3000, d))
    assert sound(SLPC().fit(X)).length > 0.1


def test_equal_points_then_others():
    rng = np.random.default_rng(0)
    model = SLPC().fit(np.ones((20_000, 2)))
    sound(model.partial_fit(np.full((1, 2), 5.0)))
    sound(model.partial_fit(rng.normal(size=(2000, 2))))


@pytest.mark.parametrize("heavy", [1e3, 1e12, 1e99])
@pytest.mark.parametrize("place", [0, 2, 10, 1500])
def test_one_point_outweighs_all_others(place, heavy):
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 1, 3000)
    X = np.column_stack([4 * t, np.sin(6 * t)]) + 0.03 * rng.normal(size=(3000, 2))
    weight = np.ones(3000)
    weight[place] = heavy
    model = SLPC().partial_fit(X, sample_weight=weight)
    sound(model)
    if heavy == 1e3:
        assert model.score(X) > 0.99


@pytest.mark.parametrize("light", [1e-6, 1e-12, 1e-100])
def test_points_that_weigh_next_to_nothing(light):
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (3000, 1)) * [1.0, 0.5] + 0.02 * rng.normal(size=(3000, 2))
    model = SLPC().partial_fit(X, sample_weight=np.full(3000, light))
    sound(model)
    model.partial_fit(X)
    assert model.score(X) > 0.99


@pytest.mark.parametrize("lookahead", [True, False])
@pytest.mark.parametrize("noise", [0.0, 1e-5, 1e-4, 1e-3])
def test_a_sorted_line_with_hardly_any_noise_is_covered(noise, lookahead):
    n = 10_000
    place = np.arange(float(n)) / n
    X = place[:, None] * [0.6, 0.8] + noise * np.random.default_rng(0).normal(size=(n, 2))
    first, last = ends_along(sound(SLPC(lookahead=lookahead).fit(X)), np.array([0.6, 0.8]))
    assert abs(first) < 0.005 + 2 * noise
    assert abs(last - 1) < 0.005 + 2 * noise


@pytest.mark.parametrize("d", [2, 10])
@pytest.mark.parametrize("stop", [0.5, 1.0])
def test_a_parked_vehicle_does_not_bend_the_road(d, stop):
    """Half of all points stand at one place: the curve does not wind about in them."""
    rng = np.random.default_rng(0)
    place = np.where(rng.random(20_000) < 0.5, stop, rng.random(20_000))
    X = 0.01 * rng.normal(size=(20_000, d))
    X[:, 0] += place
    road = Polyline(np.array([[0.0] + [0.0] * (d - 1), [1.0] + [0.0] * (d - 1)]))
    curve = sound(SLPC().fit(X))
    assert curve.length < 1.06
    assert np.sqrt(road.squared_distances(curve.resample(200).vertices)).mean() < 0.01


@pytest.mark.parametrize("light", [1e-100, 1e-12])
def test_merging_with_a_model_that_weighs_next_to_nothing(light):
    """Its losses are not capped yet: infinity times no share of them is no number."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (3000, 1)) * [1.0, 0.5] + 0.02 * rng.normal(size=(3000, 2))
    heavy, nothing = SLPC().fit(X), SLPC().partial_fit(X[:500], sample_weight=np.full(500, light))
    for merged in (heavy.merge(nothing), nothing.merge(heavy)):
        sound(merged.partial_fit(X))
        assert merged.score(X) > 0.99


def test_alternating_far_points():
    X = np.zeros((4000, 3))
    X[::2, 0], X[1::2, 1] = 1e6, -1e6
    sound(SLPC().fit(X + np.random.default_rng(0).normal(size=X.shape)))


@pytest.mark.parametrize("order", ["sorted, then back", "spiral inwards", "walk that fills space"])
def test_any_sequence(order):
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 5000)
    X = {
        "sorted, then back": np.column_stack([np.r_[t, t[::-1]], np.r_[t, t[::-1]] ** 2]),
        "spiral inwards": (1.05 - t)[:, None] * np.column_stack([np.cos(40 * t), np.sin(40 * t)]),
        "walk that fills space": np.cumsum(rng.normal(size=(10_000, 2)), axis=0),
    }[order]
    sound(SLPC().fit(X))
    sound(SLPC(half_life=200).fit(X))
