import numpy as np
import pytest

from slpc import Polyline
from slpc.data import parabola
from slpc.paper import ActionClass, Lattice, PerturbedLeader

import reference


@pytest.mark.parametrize("eta", [0.05, 0.5, "adaptive"])
@pytest.mark.parametrize("penalty", ["paper", "tight"])
def test_equals_the_twin(eta, penalty):
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=2)
    X = parabola(25, random_state=0)
    forecaster = PerturbedLeader(actions, eta=eta, penalty=penalty, random_state=3)
    rows = [tuple(actions.row(i)) for i in range(len(actions))]
    rates = [forecaster.rate_at(t) for t in range(len(X))]
    held, total = reference.perturbed_leaders(rows, actions.lattice.points, forecaster.h, forecaster.z, rates, X)
    for t, x in enumerate(X):
        assert forecaster.leader == held[t]
        assert forecaster.predict() == actions[held[t]]
        paid = forecaster.observe(x)
        assert paid == pytest.approx(reference.loss(actions[held[t]].vertices, x))
    np.testing.assert_allclose(forecaster.cumulative_losses, total, rtol=1e-10)


def test_the_line_is_chosen_before_the_point_comes(small):
    asked, unasked = (PerturbedLeader(small, eta=5.0, random_state=0) for _ in range(2))
    for x in parabola(10, random_state=0):
        asked.observe(x)
        unasked.observe(x)
    line = asked.predict()
    x = np.array([0.9, 0.9])
    # What is paid is the loss of the line held before, whether or not anyone looked at it.
    assert asked.observe(x) == unasked.observe(x) == pytest.approx(line.squared_distances(x)[0], rel=1e-12)
    assert asked.leader == unasked.leader


def test_seeds_are_reproducible(small):
    def run(seed):
        forecaster = PerturbedLeader(small, eta=0.5, penalty="tight", random_state=seed)
        return [forecaster.observe(x) for x in parabola(30, random_state=0)]

    assert run(1) == run(1)
    assert run(1) != run(2)


@pytest.mark.parametrize("eta", [0.3, "adaptive"])
def test_expected_loss_is_the_mean_over_seeds(small, eta):
    X = parabola(12, random_state=0)
    forecaster = PerturbedLeader(small, eta=eta, penalty="tight", random_state=0)
    expected = 0.0
    for x in X:
        expected += forecaster.expected_loss(x)
        forecaster.observe(x)
    paid = []
    for seed in range(400):
        other = PerturbedLeader(small, eta=eta, penalty="tight", random_state=seed)
        for x in X:
            other.observe(x)
        paid.append(other.cumulative_loss)
    error = np.std(paid) / np.sqrt(len(paid))
    assert abs(np.mean(paid) - expected) < 4 * error
    assert error < 0.1 * expected


def test_law_and_expected_loss_are_free_of_the_seed(small):
    a, b = (PerturbedLeader(small, eta=0.5, penalty="tight", random_state=seed) for seed in (1, 2))
    for x in parabola(15, random_state=0):
        a.observe(x)
        b.observe(x)
    assert np.array_equal(a.law(), b.law())
    assert a.law().shape == (len(small),)
    assert a.law().sum() == pytest.approx(1)
    assert a.expected_loss([0.1, 0.2]) == b.expected_loss([0.1, 0.2])
    seen = a.n_seen
    a.expected_loss([0.1, 0.2])
    assert a.n_seen == seen  # asking learns nothing


def test_adaptive_rates_begin_equal(small):
    forecaster = PerturbedLeader(small, eta="adaptive")
    assert forecaster.rate_at(0) == forecaster.rate_at(1) > forecaster.rate_at(2)
    assert forecaster.rate == forecaster.rate_at(0)


def test_the_simplest_of_equal_leaders():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=2)
    forecaster = PerturbedLeader(actions, eta=1.0, penalty=lambda f: 0.0, random_state=0)
    forecaster._offset = np.zeros(len(actions))  # no perturbation: every line through the origin loses nothing there
    forecaster.observe([0.0, 0.0])
    assert forecaster.predict().n_segments == 1
    assert forecaster.leader == int(np.flatnonzero(actions.losses([0.0, 0.0]) == 0)[0])


def test_finds_a_line_worth_having(small):
    forecaster = PerturbedLeader(small, eta=20.0, penalty="tight", random_state=0)
    for x in parabola(200, random_state=0):
        forecaster.observe(x)
    best = small[int(forecaster.cumulative_losses.argmin())]
    assert isinstance(best, Polyline)
    assert forecaster.cumulative_losses[forecaster.leader] < 1.2 * forecaster.cumulative_losses.min()


@pytest.mark.parametrize("eta", [0, -1.0, float("inf"), float("nan"), "fast", None])
def test_bad_rates(small, eta):
    with pytest.raises(ValueError, match="eta must be a positive number"):
        PerturbedLeader(small, eta=eta)


def test_bad_points(small):
    forecaster = PerturbedLeader(small, eta=1.0, random_state=0)
    for x in ([1.0], [1.0, float("nan")], [[0, 0], [1, 1]]):
        with pytest.raises(ValueError, match=r"points|one point"):
            forecaster.observe(x)
    assert forecaster.n_seen == 0
    assert not forecaster.cumulative_losses.any()
    with pytest.raises(ValueError, match="largest penalty"):
        PerturbedLeader(small, eta="adaptive", penalty=lambda f: 0.0)
