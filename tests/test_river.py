"""SLPC as river's users meet it."""

import copy
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from river import checks, compose, preprocessing

import slpc
from slpc.river import SLPC


@pytest.mark.filterwarnings("ignore")
def test_river_s_own_checks():
    checks.check_estimator(SLPC())


def stream(n, seed=0):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 1, n)
    return np.column_stack([t, np.abs(t - 0.5)]) + 0.02 * rng.standard_normal((n, 2))


def rows(X):
    return [{"x": float(a), "y": float(b)} for a, b in X]


def test_the_same_curve_as_the_other_face():
    X = stream(3000)
    model, other = SLPC(half_life=2000.0), slpc.SLPC(half_life=2000.0).partial_fit(X)
    for row in rows(X):
        model.learn_one(row)
    assert model.curve == other.curve_
    assert model.n_samples_seen == 3000
    place = model.transform_one({"x": 0.25, "y": 0.25})["arc_length"]
    assert place == other.transform([[0.25, 0.25]])[0, 0]
    assert model.score_one({"x": 0.5, "y": 1.0}) == -other.score_samples([[0.5, 1.0]])[0]


def test_many_is_the_same_as_one_by_one():
    X = stream(500)
    frame = pd.DataFrame(X, columns=["x", "y"], index=range(100, 600))
    one, many = SLPC(), SLPC()
    for row in rows(X):
        one.learn_one(row)
    many.learn_many(frame)
    assert one.curve == many.curve
    places = many.transform_many(frame)
    assert places.index.tolist() == frame.index.tolist()
    assert places["arc_length"].tolist() == [one.transform_one(row)["arc_length"] for row in rows(X)]
    assert SLPC().transform_many(frame)["arc_length"].tolist() == [0.0] * 500


def test_features_that_appear_vanish_or_come_in_another_order():
    model, plain = SLPC(), SLPC()
    for i, row in enumerate(rows(stream(300))):
        plain.learn_one(row)
        model.learn_one({"y": row["y"], "x": row["x"]} | ({"new": 5.0} if i % 2 else {}))
    assert model.curve == plain.curve
    means = stream(300).mean(axis=0)
    model.learn_one({"x": 0.7})
    plain.learn_one({"x": 0.7, "y": plain._means[1]})
    assert model.curve == plain.curve
    assert plain._means[1] == pytest.approx(means[1], rel=1e-9)
    assert model.transform_one({}) == plain.transform_one(dict(zip(["x", "y"], plain._means, strict=True)))


@pytest.mark.parametrize("bad", [math.nan, math.inf, "text", None, 1e200])
def test_bad_values_change_nothing(bad):
    model = SLPC()
    for row in rows(stream(100)):
        model.learn_one(row)
    before = copy.deepcopy(model)
    with pytest.raises(ValueError, match=r"feature 'y' must be a finite number below 1e150, got"):
        model.learn_one({"x": 0.5, "y": bad})
    assert model.curve == before.curve
    assert model.n_samples_seen == 100
    model.learn_one({"x": 0.5, "y": "0.01"})
    assert model.n_samples_seen == 101


def test_in_a_pipeline():
    model = compose.Pipeline(preprocessing.StandardScaler(), SLPC())
    for row in rows(stream(300)):
        model.learn_one(row)
    assert set(model.transform_one({"x": 0.5, "y": 0.0})) == {"arc_length"}


def test_before_anything_was_learnt():
    model = SLPC()
    model.learn_one({})
    assert model.transform_one({"x": 1.0}) == {"arc_length": 0.0}
    assert model.score_one({"x": 1.0}) == 0.0
    with pytest.raises(AttributeError, match="call learn_one first"):
        _ = model.curve
    model.learn_one({"x": 1.0, "y": 2.0})
    model.learn_one({"x": 3.0, "y": 2.0})
    assert model.curve.length == pytest.approx(2.0)


@pytest.mark.parametrize("bad", [{"a": "x"}, {"a": 1.0, "b": math.nan}, {"a": 10**400, "b": 1}])
def test_a_refused_first_observation_fixes_no_features(bad):
    model = SLPC()
    for learn in (lambda: model.learn_one(bad), lambda: model.learn_many(pd.DataFrame([bad]))):
        with pytest.raises(ValueError, match=r"feature '[ab]' must be a finite number below 1e150, got"):
            learn()
    model.learn_one({"u": 1.0, "v": 2.0})
    assert model.curve.dim == 2
    assert model.n_samples_seen == 1


@pytest.mark.parametrize("begun", [False, True])
def test_a_refused_frame_changes_nothing(begun):
    model = SLPC()
    frame = pd.DataFrame(stream(100), columns=["x", "y"])
    if begun:
        model.learn_many(frame)
    before = copy.deepcopy(vars(model))
    broken = frame.copy()
    broken.loc[50, "y"] = math.nan
    with pytest.raises(ValueError, match="row 50: feature 'y' must be a finite number"):
        model.learn_many(broken)
    assert model.n_samples_seen == before["_count"]
    assert model._means == before["_means"]
    if begun:
        np.testing.assert_array_equal(model.curve.vertices, before["_learner"].curve())
    model.learn_many(frame)
    assert model.n_samples_seen == before["_count"] + 100


@pytest.mark.parametrize("value", [10**400, -(10**400), np.datetime64(5, "ns")])
def test_what_does_not_fit_a_float(value):
    model = SLPC()
    for _ in range(2):
        with pytest.raises(ValueError, match="feature 'a' must be a finite number below 1e150, got"):
            model.learn_one({"a": value, "b": 1})
        model.learn_one({"a": 1, "b": 1})


def test_any_kind_of_number():
    model, plain = SLPC(), SLPC()
    for row in rows(stream(50)):
        plain.learn_one(row)
        model.learn_one({"x": Decimal(row["x"]), "y": Fraction(row["y"])})
    assert model.curve == plain.curve
