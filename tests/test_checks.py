"""What SLPC accepts, and that a refused call leaves it as it was."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from slpc import SLPC, Polyline, load

X = np.random.default_rng(0).normal(size=(60, 2))
FRAME = pd.DataFrame(X, columns=["x", "y"])


@pytest.fixture
def model():
    return SLPC().fit(FRAME)


# -- a refused call -----------------------------------------------------------------------------------------------

TOO_LARGE = np.full((5, 3), 1e200)


@pytest.mark.parametrize(
    "refused",
    [
        lambda model: model.fit(TOO_LARGE),
        lambda model: model.set_params(max_segments=0).fit(X[:, :1]),
        lambda model: model.set_params(origin="end").fit(X[:, :1]),
        lambda model: model.set_params(verbose="much").fit(X[:, :1]),
        lambda model: model.set_params(start=[1.0, 2.0]).fit(X[:, :1]),
    ],
)
def test_a_refused_fit_changes_nothing(model, refused):
    attributes = {name: value for name, value in vars(model).items() if name not in model.get_params()}
    with pytest.raises(ValueError, match=r"X|max_segments|origin|verbose|start"):
        refused(model)
    for name, value in attributes.items():
        assert vars(model)[name] is value
    model.set_params(**SLPC().get_params()).partial_fit(FRAME)
    assert model.n_samples_seen_ == 120


@pytest.mark.parametrize(
    ("parameters", "batch", "weight"),
    [
        ({}, TOO_LARGE, None),
        ({"memory": 3}, X, None),
        ({}, X, np.ones(3)),
        ({}, X, "heavy"),
        ({}, X, np.full(60, 1e308)),
    ],
)
def test_a_refused_first_batch_leaves_a_fresh_model(parameters, batch, weight):
    model = SLPC(**parameters)
    with pytest.raises(ValueError, match=r"X|memory|sample_weight"):
        model.partial_fit(batch, sample_weight=weight)
    assert set(vars(model)) == set(model.get_params())


# -- parameters ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [[[0.0, 0.0], [1.0, 1.0]], "here", [[np.nan, 1.0]], [10**400, 1]])
def test_start_is_one_point(bad):
    with pytest.raises(ValueError, match="start must be one point or None"):
        SLPC(start=bad).fit(X)


@pytest.mark.parametrize("bad", ["yes", None, 1.5, -1])
def test_verbose_is_a_whole_number_or_a_bool(bad):
    with pytest.raises(ValueError, match="verbose must be a whole number from 0, or a bool, got"):
        SLPC(verbose=bad).fit(X)


def test_a_curve_to_begin_with_may_be_its_vertices():
    corner = [[0, 0], [1, 1], [2, 0]]
    assert SLPC.from_curve(corner).curve_ == SLPC.from_curve(Polyline(corner)).curve_
    with pytest.raises(ValueError, match="vertices must be a table of numbers"):
        SLPC.from_curve("corner")
    for bad in ("a", None, True, -1, np.inf, 1e16):
        with pytest.raises(ValueError, match="weight must be a positive number up to 1e15, got"):
            SLPC.from_curve(corner, weight=bad)
    for bad in ("a", True, 0.0):
        with pytest.raises(ValueError, match="noise must be a positive number up to 1e150, or None, got"):
            SLPC.from_curve(corner, noise=bad)


# -- rows and weights ---------------------------------------------------------------------------------------------

DATES = np.array([["2020-01-01", "2020-01-02"]] * 5, dtype="datetime64[ms]")


@pytest.mark.parametrize(
    "dates",
    [
        DATES,
        DATES - DATES[0, 0],
        [list(row) for row in DATES],
        pd.DataFrame(DATES),
        pd.DataFrame({"t": pd.to_datetime(DATES[:, 0]).tz_localize("UTC"), "x": np.ones(5)}),
        pl.DataFrame({"t": DATES[:, 0], "x": np.ones(5)}),
        pl.DataFrame({"t": DATES[:, 0] - DATES[:, 1], "x": np.ones(5)}),
    ],
)
def test_dates_are_no_numbers(model, dates):
    for refuses in (SLPC().fit, SLPC().partial_fit, model.transform, model.score_samples, model.score):
        with pytest.raises(ValueError, match="X holds dates, times or durations"):
            refuses(dates)


def test_what_is_masked_is_not_learnt(model):
    masked = np.ma.array(X, mask=X > 1)
    for refuses in (SLPC().fit, SLPC().partial_fit, model.transform, model.score_samples, model.score):
        with pytest.raises(ValueError, match="X has masked values: fill them, or leave their rows out"):
            refuses(masked)
    assert SLPC().fit(np.ma.array(X)).curve_ == SLPC().fit(X).curve_


def test_one_row_as_it_is(model):
    expected = SLPC().fit(X).partial_fit(X[3])
    for row in (X[3].tolist(), tuple(X[3]), pl.Series(X[3]), pd.Series(X[3])):
        assert SLPC().fit(X).partial_fit(row).curve_ == expected.curve_
    assert model.partial_fit(FRAME.iloc[3]).curve_ == expected.curve_
    with pytest.raises(ValueError, match="same order"):
        model.partial_fit(FRAME[["y", "x"]].iloc[3])
    for row in (X[3], FRAME.iloc[3]):
        with pytest.raises(ValueError, match="single sample"):
            expected.transform(row)


def test_weights_add_up_to_something_finite():
    model = SLPC().partial_fit(X, sample_weight=np.full(60, 1e98))
    before = model.learner_.state.copy()
    for total in (1e100, 1e308):
        with pytest.raises(ValueError, match=r"would weigh .* divide all weights by a number"):
            model.partial_fit(X, sample_weight=np.full(60, total / 60))
    for name, array in before.arrays().items():
        assert np.array_equal(array, getattr(model.learner_.state, name)), name
    assert np.isfinite(model.partial_fit(X).vertices_).all()
    forgets = SLPC(half_life=10).partial_fit(X, sample_weight=np.full(60, 1e98)).partial_fit(X)
    assert np.isfinite(forgets.vertices_).all()


def test_points_of_no_weight_are_no_points():
    model = SLPC().partial_fit(X, sample_weight=np.zeros(60))
    assert model.n_samples_seen_ == 0
    assert model.losses_.shape == (60,)
    assert not hasattr(model, "curve_")
    for asked in (lambda: model.curve_, lambda: model.forecast_curve_, lambda: model.transform(X)):
        with pytest.raises(AttributeError, match="points of weight 0 only: call partial_fit with others first"):
            asked()
    assert model.partial_fit(X).curve_ == SLPC().fit(X).curve_


# -- the rest -----------------------------------------------------------------------------------------------------


def test_places_are_a_column(model):
    for shape in ((3, 2), (3, 1, 1), ()):
        with pytest.raises(ValueError, match="S must have one arc length a row"):
            model.inverse_transform(np.zeros(shape))
    assert model.inverse_transform(np.zeros((3, 1))).shape == model.inverse_transform(np.zeros(3)).shape == (3, 2)


def test_losses_before_anything_was_learnt():
    for name in ("losses_", "cumulative_loss_"):
        assert not hasattr(SLPC(), name)
        with pytest.raises(AttributeError, match="call fit or partial_fit first"):
            getattr(SLPC(), name)


def test_merging_asks_for_the_same_features(model):
    for names in (["y", "x"], ["x", "z"]):
        other = SLPC().fit(pd.DataFrame(X, columns=names))
        with pytest.raises(ValueError, match=r"cannot merge models of the features \['x', 'y'\] and"):
            model.merge(other)
    unnamed = SLPC().fit(X)
    for merged in (model.merge(unnamed), unnamed.merge(model), model.merge(model)):
        assert merged.feature_names_in_.tolist() == ["x", "y"]


def test_the_chosen_output_survives_merging_and_saving(model, tmp_path):
    model.set_output(transform="pandas").save(tmp_path / "model.slpc")
    for other in (load(tmp_path / "model.slpc"), model.merge(model)):
        assert isinstance(other.transform(FRAME), pd.DataFrame)
