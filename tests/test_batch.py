"""The batch methods, as their users meet them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from slpc import Polyline
from slpc.batch import HastieStuetzle, PolygonalLine, SelectedPolygonalLine
from slpc.batch.hastie_stuetzle import projected

ALL = [HastieStuetzle(), PolygonalLine(), SelectedPolygonalLine()]


@pytest.mark.parametrize(
    "check",
    [
        pytest.param((e, c), id=f"{type(e).__name__}-{getattr(c, 'func', c).__name__}")
        for model in ALL
        for e, c in estimator_checks_generator(model)
    ],
)
def test_scikit_learn_s_own_checks(check):
    estimator, function = check
    function(estimator)


def arc(n, noise=0.05, seed=0, turn=np.pi):
    """Points around a part of the unit circle."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, turn, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.standard_normal((n, 2))


ARC = Polyline(np.column_stack([np.cos(np.linspace(0, np.pi, 200)), np.sin(np.linspace(0, np.pi, 200))]))


@pytest.fixture(params=ALL, ids=lambda model: type(model).__name__)
def model(request):
    return type(request.param)()


# -- all of them --------------------------------------------------------------------------------------------------


def test_the_curve_is_found(model):
    curve = model.fit(arc(300)).curve_
    # With ten degrees of freedom √(10 / 300) σ = 0.01 is noise; ends are too long or too short by up to 2 σ = 0.1.
    assert np.sqrt(ARC.squared_distances(curve.resample(300).vertices).mean()) < 0.03
    assert np.sqrt(curve.squared_distances(ARC.resample(300).vertices).mean()) < 0.03


def test_places_points_and_scores(model):
    X = arc(100)
    places = model.fit(X).transform(X)
    assert places.shape == (100, 1)
    angle = np.arctan2(X[:, 1], X[:, 0]) % (2 * np.pi)
    angle[angle > 1.5 * np.pi] -= 2 * np.pi
    assert abs(np.corrcoef(places[:, 0], angle)[0, 1]) > 0.99
    np.testing.assert_allclose(model.inverse_transform(places), model.curve_.project(X).point, atol=1e-9)
    np.testing.assert_allclose(model.score_samples(X), -model.curve_.squared_distances(X))
    assert model.score(X) == pytest.approx(1 + model.score_samples(X).sum() / np.square(X - X.mean(axis=0)).sum())
    # Hastie and Stuetzle's is measured before the corners between the fitted points are cut.
    assert model.distance_ == pytest.approx(-model.score_samples(X).sum(), rel=0.05)


def test_weights_count_rows(model):
    X = arc(40)
    weight = np.random.default_rng(1).integers(0, 3, 40)
    weighted = model.fit(X, sample_weight=weight).curve_
    np.testing.assert_allclose(weighted.vertices, model.fit(np.repeat(X, weight, axis=0)).curve_.vertices, atol=1e-6)


def test_data_frames_and_pipelines(model):
    frame = pd.DataFrame(arc(50), columns=["x", "y"])
    out = model.set_output(transform="pandas").fit(frame).transform(frame)
    assert out.columns.tolist() == [type(model).__name__.lower() + "0"]
    assert make_pipeline(StandardScaler(), model).fit_transform(frame).shape == (50, 1)


def test_points_on_a_line(model):
    X = np.outer(np.linspace(0, 1, 30), [1.0, 2.0, 2.0])
    assert model.fit(X).score(X) > 1 - 1e-9
    assert model.curve_.length == pytest.approx(3.0, rel=1e-6)


def test_two_points(model):
    curve = model.fit([[0.0, 0.0], [3.0, 4.0]]).curve_
    assert curve.length == pytest.approx(5.0, rel=0.01)


def test_what_cannot_be_fitted(model):
    with pytest.raises(NotFittedError):
        model.transform([[0.0, 1.0]])
    with pytest.raises(ValueError, match="all points of positive weight coincide"):
        model.fit([[1.0, 2.0]] * 5)
    with pytest.raises(ValueError, match="squares of values above 1e150 overflow"):
        model.fit([[1e200, 2.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="sample_weight must have one entry a row, 9, got shape"):
        model.fit(arc(9), sample_weight=[1.0])
    with pytest.raises(ValueError, match="sample_weight must be finite and at least 0"):
        model.fit(arc(9), sample_weight=[-1.0] * 9)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (HastieStuetzle(smoother="loess"), 'smoother must be "smooth_spline"'),
        (HastieStuetzle(df=0.5), "df must be a number from 1"),
        (HastieStuetzle(span=2), "span must be a number from 0 to 1"),
        (HastieStuetzle(thresh=np.nan), "thresh must be a number from 0"),
        (HastieStuetzle(rounds=-1), "rounds must be a whole number of at least 0"),
        (HastieStuetzle(max_iter=-1), "max_iter must be a whole number of at least 0"),
        (HastieStuetzle(start="square"), 'start must be None, "circle" or a curve'),
        (HastieStuetzle(start=[[0.0, 1.0, 2.0]]), "start must be a curve of at least 2 vertices in 2 dimensions"),
        (PolygonalLine(growth=-1), "growth must be a number of at least 0"),
        (PolygonalLine(max_segments=0), "max_segments must be at least 1"),
        (PolygonalLine(max_iter=0), "max_iter must be at least 1"),
        (SelectedPolygonalLine(shape="square"), 'shape must be "linear" or "root"'),
        (SelectedPolygonalLine(rich=1), "rich must be a number from 0 to below 1"),
        (SelectedPolygonalLine(max_segments=0), "max_segments must be at least 1"),
        (SelectedPolygonalLine(curvature_penalties=()), "curvature_penalties must be one or more numbers"),
    ],
)
def test_bad_parameters(bad, message):
    with pytest.raises(ValueError, match=message):
        bad.fit(arc(20))


# -- Hastie and Stuetzle ------------------------------------------------------------------------------------------

clouds = st.builds(
    lambda seed, n, d: np.random.default_rng(seed).normal(size=(n, d)) * np.arange(d, 0, -1),
    st.integers(0, 10_000),
    st.integers(5, 40),
    st.integers(2, 4),
)


@settings(max_examples=50)
@given(clouds, st.sampled_from(["smooth_spline", "lowess", "periodic_lowess"]))
def test_invariants(X, smoother):
    model = HastieStuetzle(smoother=smoother).fit(X)
    assert model.distance_ >= 0
    assert (model.arc_length_ >= 0).all()
    order = np.argsort(model.arc_length_, kind="stable")
    steps = np.linalg.norm(np.diff(model.fitted_points_[order], axis=0), axis=1)
    # Arc length is measured along the fitted points, and they lie on the curve.
    np.testing.assert_allclose(np.diff(model.arc_length_[order]), steps, atol=1e-9)
    np.testing.assert_allclose(model.curve_.squared_distances(model.fitted_points_), 0, atol=1e-18)
    again = model.curve_.project(model.fitted_points_).point
    np.testing.assert_allclose(again, model.fitted_points_, atol=1e-9)
    assert model.distance_ == pytest.approx(np.square(X - model.fitted_points_).sum())


@settings(max_examples=30)
@given(clouds, st.integers(0, 1000))
def test_it_turns_with_the_data(X, seed):
    """... and its start: from the other end of the first component, which a turn may prefer, it comes out otherwise."""
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(X.shape[1],) * 2))[0]
    component = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][0]
    along = (X - X.mean(axis=0)) @ component
    start = X.mean(axis=0) + np.outer([along.min(), along.max()], component)
    # Three rounds: ten let rounding grow.
    curve = HastieStuetzle(max_iter=3, start=Polyline(start)).fit(X).curve_
    turned = HastieStuetzle(max_iter=3, start=Polyline(start @ rotation)).fit(X @ rotation).curve_
    back = Polyline(turned.vertices @ rotation.T)
    assert np.sqrt(curve.squared_distances(back.vertices).max()) < 1e-3 * np.ptp(X)
    assert back.length == pytest.approx(curve.length, rel=1e-2)


@given(st.integers(0, 1000), st.floats(0, 2))
def test_projecting_again_changes_nothing(seed, stretch):
    rng = np.random.default_rng(seed)
    line, X = np.cumsum(rng.normal(size=(12, 2)), axis=0), rng.normal(size=(20, 2)) * 3
    once = projected(X, line, np.ones(20), stretch)
    again = projected(once.points, line, np.ones(20), stretch)
    np.testing.assert_allclose(again.distance, 0, atol=1e-20)
    np.testing.assert_allclose(again.points, once.points, atol=1e-9)


def test_a_closed_curve():
    ring = arc(200, turn=2 * np.pi)
    model = HastieStuetzle(smoother="periodic_lowess").fit(ring)
    assert np.abs(np.linalg.norm(model.fitted_points_, axis=1) - 1).mean() < 0.03
    ends = model.curve_.vertices[[0, -1]]
    assert np.linalg.norm(ends[0] - ends[1]) < 0.2
    with pytest.raises(ValueError, match="a circle needs points of at least 2 coordinates"):
        HastieStuetzle(start="circle").fit(ring[:, :1])
    with pytest.raises(ValueError, match="knows no weights"):
        HastieStuetzle(smoother="lowess").fit(ring, sample_weight=np.arange(200.0))


def test_starting_from_a_curve():
    X = arc(200, turn=1.7 * np.pi)  # more than half around: the principal component mixes up both arms
    angle = np.linspace(0, 1.7 * np.pi, 20)
    start = Polyline(np.column_stack([np.cos(angle), np.sin(angle)]))
    from_curve = HastieStuetzle(start=start).fit(X)
    assert from_curve.score(X) > 0.99
    assert from_curve.score(X) > HastieStuetzle().fit(X).score(X)
    assert HastieStuetzle(start=start.vertices).fit(X).curve_ == from_curve.curve_


def test_rows_of_no_weight_are_projected():
    X = np.concatenate([arc(60), [[5.0, 5.0]]])
    model = HastieStuetzle().fit(X, sample_weight=np.r_[np.ones(60), 0.0])
    alone = HastieStuetzle().fit(X[:60])
    assert model.curve_ == alone.curve_
    np.testing.assert_array_equal(model.fitted_points_[60], model.curve_.project(X[60]).point[0])


# -- polygonal lines ----------------------------------------------------------------------------------------------


def test_it_stops_by_the_papers_rule():
    X = arc(200)
    model = PolygonalLine().fit(X)
    r = np.linalg.norm(X - X.mean(axis=0), axis=1).max()

    def most(distance):
        return 0.3 * 200 ** (1 / 3) * r / np.sqrt(distance / 200)

    k = model.curve_.n_segments
    assert k > most(model.distance_)
    before = PolygonalLine(max_segments=k - 1).fit(X)
    assert before.curve_.n_segments == k - 1 <= most(before.distance_)


def test_more_penalty_gives_blunter_angles():
    X = arc(100, noise=0.2)

    def sharpest(penalty):
        edges = np.diff(PolygonalLine(curvature_penalty=penalty, max_segments=12).fit(X).curve_.vertices, axis=0)
        edges /= np.linalg.norm(edges, axis=1, keepdims=True)
        return (edges[:-1] * edges[1:]).sum(axis=1).min()

    assert sharpest(0.005) < sharpest(0.13) < sharpest(1.0)


def test_selection_weighs_segments_against_fit():
    X = arc(300)
    model = SelectedPolygonalLine().fit(X)
    penalty, k, length, delta, criterion = model.candidates_.T
    c0, c1 = model.constants_
    np.testing.assert_allclose(criterion, delta + c0 * k / 300 + c1 * length / 300)
    best = np.argmin(criterion)
    assert model.curve_.n_segments == k[best]
    assert model.curve_.length == length[best]
    assert set(penalty) == {0.03, 0.13, 0.5}
    # A segment has one coordinate across to fit to the noise, and the penalty for angles lets it fit a part of σ².
    assert 0.1 * 0.0025 < c0 < 2 * 0.0025
    assert c1 == 0
    assert 5 <= k[best] < k.max()
    assert SelectedPolygonalLine(charge_length=True).fit(X).constants_[1] > 0


def test_a_corner_needs_two_segments():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 400)
    X = np.column_stack([x, np.abs(x)]) + 0.02 * rng.standard_normal((400, 2))
    assert SelectedPolygonalLine(curvature_penalties=[0.0]).fit(X).curve_.n_segments == 2
    assert PolygonalLine().fit(X).curve_.n_segments > 50
