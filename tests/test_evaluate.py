"""Prequential loss, regret, fidelity and R², for models of every kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.decomposition import PCA, IncrementalPCA

from slpc import SLPC, Polyline, evaluate
from slpc.data import cubic, curve, noisy_stream, six_dimensional
from slpc.evaluate import NoCurveError, curve_of, fidelity, path_through, prequential, r_squared, regret, turning
from slpc.paper import PerturbedLeader

from reference import loss
from strategies import lines, lines_and_points


class Ends:
    """A batch method: the segment from the first point to the last."""

    def __init__(self):
        self.sizes = []

    def fit(self, X):
        self.sizes.append(len(X))
        self.curve_ = Polyline([X[0], X[-1]])
        return self


# -- prequential ------------------------------------------------------------------------------------------------


def test_the_learner_s_own_losses_count():
    X = cubic(seed=1)
    model = SLPC()
    paid = prequential(model, X)
    whole = SLPC().fit(X)
    np.testing.assert_array_equal(paid.losses, whole.losses_)
    assert model.curve_ == whole.curve_
    assert paid.total == pytest.approx(whole.cumulative_loss_)
    assert paid.n_scored == 97
    assert paid.cumulative[-1] == pytest.approx(paid.total)
    assert (np.diff(paid.cumulative) >= 0).all()
    assert paid.seconds > 0
    assert repr(paid).startswith("<Prequential: ")
    assert repr(paid).endswith(" in 97 of 100 rounds>")
    late = prequential(SLPC(), X, warm_up=20)
    assert np.isnan(late.losses[:20]).all()
    np.testing.assert_array_equal(late.losses[20:], paid.losses[20:])
    assert prequential(SLPC(), X[:2]).n_scored == 0


def test_river_s_face_pays_the_same():
    RiverSLPC = pytest.importorskip("slpc.river").SLPC
    with pytest.raises(AttributeError, match="call learn_one first"):
        _ = RiverSLPC().forecast_curve
    X = noisy_stream(curve("line, 10-D"), 150, 0.02, seed=1)
    X = np.column_stack([X, X[:, :2] * [1, -1]])  # 12 features, whose names must stay in their order
    ours, rivers = prequential(SLPC(), X), prequential(RiverSLPC(), X)
    np.testing.assert_allclose(rivers.losses, ours.losses, rtol=1e-7)


def test_batch_methods_are_fitted_anew():
    X = cubic(seed=1)[:12]
    model = Ends()
    paid = prequential(model, X, warm_up=2)
    assert model.sizes == list(range(2, 13))
    for t in range(2, 12):
        assert paid.losses[t] == pytest.approx(loss(X[[0, t - 1]], X[t]))
    assert np.isnan(paid.losses[:2]).all()
    seldom = Ends()
    paid = prequential(seldom, X, every=4)
    assert seldom.sizes == [3, 7, 11, 12]
    np.testing.assert_allclose(paid.losses[7:11], Polyline(X[[0, 6]]).squared_distances(X[7:11]))


def test_clusterings_and_components():
    X = noisy_stream(curve("corner"), 120, 0.02, seed=2)
    centres = MiniBatchKMeans(n_clusters=3, n_init=1, random_state=0)
    paid = prequential(centres, X, warm_up=6, every=3)
    twin = MiniBatchKMeans(n_clusters=3, n_init=1, random_state=0).partial_fit(X[:6])
    np.testing.assert_allclose(paid.losses[6:9], path_through(twin.cluster_centers_).squared_distances(X[6:9]))
    assert paid.n_scored == 114
    component = prequential(IncrementalPCA(n_components=1), X, warm_up=10, every=10)
    along = PCA(n_components=1).fit(X[:10])
    np.testing.assert_allclose(component.losses[10:20], curve_of(along, X[:10]).squared_distances(X[10:20]))
    batch = prequential(KMeans(n_clusters=3, n_init=1, random_state=0), X, warm_up=20, every=50)
    assert batch.n_scored == 100
    # Every bit of adaptation costs something; the learner, made for it, pays the least.
    assert prequential(SLPC(), X).total < min(component.total, batch.total)


def test_river_s_clusterings():
    cluster = pytest.importorskip("river.cluster")
    X = noisy_stream(curve("line"), 60, 0.01, seed=0)
    model = cluster.KMeans(n_clusters=4, halflife=0.5, sigma=0.5, seed=1)
    paid = prequential(model, X)
    assert paid.n_scored == 57
    rows = [[centre["x0"], centre["x1"]] for centre in model.centers.values()]
    assert curve_of(model) == path_through(rows)


def test_the_paper_s_forecasters(small):
    X = np.random.default_rng(0).uniform(-0.5, 0.5, (20, 2))
    leader = PerturbedLeader(small, eta=0.5, random_state=0)
    paid = prequential(leader, X)
    assert paid.n_scored == 20
    assert paid.total == pytest.approx(leader.cumulative_loss)


def test_models_that_cannot_be_measured():
    class Learns:
        def partial_fit(self, X):
            return self

    X = cubic(seed=0)
    with pytest.raises(NoCurveError, match=r"Learns has no curve.*a property curve_ that is a Polyline"):
        prequential(Learns(), X)
    with pytest.raises(TypeError, match="str cannot learn"):
        prequential("model", X)
    with pytest.raises(ValueError, match="every must be a whole number of at least 1, got 0"):
        prequential(SLPC(), X, every=0)
    with pytest.raises(ValueError, match=r"warm_up must be a whole number of at least 0, got 2\.5"):
        prequential(SLPC(), X, warm_up=2.5)


# -- regret -----------------------------------------------------------------------------------------------------


def test_regret():
    X = six_dimensional(seed=3)
    truth = curve("6-D")
    paid = prequential(SLPC(), X)
    against = regret(paid, X, truth)
    best = truth.squared_distances(X)
    assert against.total == pytest.approx(paid.total - best[3:].sum())  # only the scored rounds
    assert against.n_scored == 197
    np.testing.assert_allclose(against.cumulative[-1], against.total)
    batch = Ends().fit(X)
    assert regret(paid.losses, X, batch).total == pytest.approx(
        paid.total - batch.curve_.squared_distances(X)[3:].sum()
    )
    with pytest.raises(ValueError, match="one entry a row of X, 200"):
        regret(paid.losses[1:], X, truth)


@given(lines_and_points())
def test_an_oracle_regrets_nothing(drawn):
    vertices, X = drawn
    oracle = Polyline(vertices)
    against = regret(oracle.squared_distances(X), X, oracle)
    assert not against.losses.any()
    assert against.total == 0


# -- fidelity and R² --------------------------------------------------------------------------------------------


def test_fidelity_of_a_shifted_and_shortened_line():
    truth = Polyline([[0, 0], [4, 0]])
    found = fidelity(Polyline([[0, 1], [3, 1]]), truth, [[1, 0.5], [3, 1]])
    assert found.to_truth == pytest.approx(1)
    assert found.hausdorff == pytest.approx(np.sqrt(2))
    # Three quarters of the truth are 1 away, the rest between 1 and √2: the mean of √(1 + u²) over [0, 1].
    assert found.from_truth == pytest.approx(0.75 + 0.25 * (np.sqrt(2) + np.arcsinh(1)) / 2, rel=1e-3)
    assert found.length_ratio == 0.75
    assert (found.turning, found.true_turning) == (0, 0)
    assert found.loss_ratio == pytest.approx(0.25 / (0.25 + 1))
    assert np.isnan(fidelity(truth, truth).loss_ratio)
    assert fidelity(truth, truth, [[1, 0]]).loss_ratio == 1
    assert fidelity(Polyline([[0, 1], [3, 1]]), truth, [[1, 0]]).loss_ratio == np.inf
    with pytest.raises(ValueError, match="places must be at least 2"):
        fidelity(truth, truth, places=1)


def test_fidelity_of_what_was_learnt():
    truth = curve("half circle")
    X = noisy_stream(truth, 5000, 0.03, seed=4)
    model = SLPC().fit(X)
    found = fidelity(model, truth, X)
    assert found == fidelity(model.curve_, truth, X)
    assert max(found.from_truth, found.to_truth) < 0.03
    assert found.hausdorff < 0.15
    assert found.length_ratio == pytest.approx(1, abs=0.05)
    assert found.turning == pytest.approx(np.pi, rel=0.3)
    assert found.true_turning == pytest.approx(np.pi, rel=1e-3)
    assert found.loss_ratio == pytest.approx(1, abs=0.05)


@given(lines())
def test_a_curve_is_faithful_to_itself(vertices):
    line = Polyline(vertices)
    extent = np.ptp(vertices, axis=0).max()
    for other in (line, line.reversed()):
        found = fidelity(other, line, places=50)
        assert found.hausdorff <= 1e-7 * extent + 1e-9
        assert found.length_ratio == pytest.approx(1)
        assert found.turning == pytest.approx(found.true_turning)


@given(st.sampled_from([1, 2, 3]).flatmap(lambda d: st.tuples(lines(dims=(d,)), lines(dims=(d,)))))
def test_fidelity_both_ways(drawn):
    a, b = (Polyline(vertices) for vertices in drawn)
    there, back = fidelity(a, b, places=50), fidelity(b, a, places=50)
    assert there.hausdorff == back.hausdorff
    assert (there.from_truth, there.to_truth) == (back.to_truth, back.from_truth)
    assert max(there.from_truth, there.to_truth) <= there.hausdorff * (1 + 1e-12)
    assert (there.turning, there.true_turning) == (back.true_turning, back.turning)


def test_turning():
    assert turning(Polyline([[0, 0], [1, 0], [1, 1], [2, 1]])) == pytest.approx(np.pi)
    assert turning(Polyline([[0.0], [1.0], [0.0]])) == pytest.approx(np.pi)
    bend = Polyline([[0, 0], [1, 0], [2, 1e-9]])
    assert turning(bend) == pytest.approx(1e-9, rel=1e-6)


def test_r_squared():
    X = cubic(seed=5)
    model = SLPC().fit(X)
    assert r_squared(model, X) == pytest.approx(model.score(X))
    pca = PCA(n_components=1).fit(X)
    assert r_squared(pca, X) == pytest.approx(pca.explained_variance_ratio_[0])
    line = Polyline([[0, 0], [1, 0]])
    assert r_squared(line, [[0.5, 0], [0.5, 0]]) == 1
    assert r_squared(line, [[0.5, 1], [0.5, 1]]) == 0


# -- the curve of a model ---------------------------------------------------------------------------------------


def test_a_path_through_centres():
    places = np.array([0.0, 1.0, 2.5, 4.0, 6.0, 8.5])
    centres = np.column_stack([places, 0.1 * places])
    path = path_through(np.random.default_rng(0).permutation(centres))
    assert path in (Polyline(centres), Polyline(centres[::-1]))
    assert path_through(np.concatenate([centres, centres])) == path
    with pytest.raises(NoCurveError, match="two different centres"):
        path_through([[1, 2], [1, 2]])


@given(lines(max_segments=6, dims=(2,)))
def test_the_path_visits_all_centres_and_is_short(vertices):
    path = path_through(vertices)
    assert {tuple(v) for v in path.vertices} == {tuple(v) for v in vertices}
    assert path.n_segments == len(np.unique(vertices, axis=0)) - 1
    # No part of it can be reversed to make it shorter.
    n = len(path.vertices)
    for i in range(n):
        for j in range(i + 2, n + 1):
            turned = np.concatenate([path.vertices[:i], path.vertices[i:j][::-1], path.vertices[j:]])
            assert Polyline(turned).length >= path.length * (1 - 1e-9)


def test_what_has_no_curve():
    line = Polyline([[0, 0], [1, 1]])
    assert curve_of(line) is line
    with pytest.raises(NoCurveError, match="SLPC has no curve, or none yet"):
        curve_of(SLPC())
    pca = PCA(n_components=1).fit([[0, 0], [2, 2]])
    np.testing.assert_allclose(abs(curve_of(pca, [[0, 0], [2, 2]]).vertices.sum()), 4)
    with pytest.raises(ValueError, match="give the points"):
        curve_of(pca)
    with pytest.raises(NoCurveError, match="do not differ"):
        curve_of(pca, [[1, 1], [1, 1]])


def test_it_comes_with_slpc():
    import slpc

    assert slpc.evaluate is evaluate
