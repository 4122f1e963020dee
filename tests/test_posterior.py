import numpy as np
import pytest

from slpc.data import parabola
from slpc.paper import ActionClass, Lattice, QuasiPosterior, bounds


@pytest.mark.parametrize("predict_by", ["sample", "mode"])
def test_equals_the_definition(small, predict_by):
    q = QuasiPosterior(small, lam=0.2, predict_by=predict_by, random_state=0)
    prior = np.exp(-q.h) / np.exp(-q.h).sum()
    S = np.zeros(len(small))
    for x in parabola(20, random_state=0):
        law = prior * np.exp(-q.lam * S)
        np.testing.assert_allclose(q.law(), law / law.sum(), rtol=1e-9)
        assert q.mode() == np.argmin(S - np.log(prior) / q.lam)
        line = q.predict()
        if predict_by == "mode":
            assert line == small[q.mode()]
        losses = small.losses(x)
        expected = q.expected_loss(x)
        assert expected == pytest.approx(law / law.sum() @ losses)
        paid = q.observe(x)
        assert paid == pytest.approx(line.squared_distances(x)[0])
        S += losses + q.lam / 2 * (losses - paid) ** 2
    np.testing.assert_allclose(q.S, S)
    assert q.n_seen == 20


def test_draws_follow_the_law(small):
    q = QuasiPosterior(small, lam=1.0, random_state=0)
    for x in parabola(10, random_state=0):
        q.observe(x)
    law = q.law()
    n = 100_000
    counts = np.bincount(q.sample(n), minlength=len(small))
    common = n * law > 50
    z = (counts - n * law)[common] / np.sqrt(n * law * (1 - law))[common]
    assert common.sum() > 10
    assert np.abs(z).max() < 4.5


def test_mode_is_the_limit_of_the_draws(small):
    q = QuasiPosterior(small, lam=1e6, random_state=0)
    for x in parabola(10, random_state=0):
        q.observe(x)
    # Lines that turn back on themselves have the same losses as simpler ones: only the prior tells them apart.
    least = np.isclose(q.S, q.S.min(), rtol=1e-12)
    assert q.law()[least].sum() == pytest.approx(1)
    assert least[q.mode()]
    assert least[q.sample()]
    assert least.sum() < 5


def test_bound_holds(small):
    T = 100
    c0 = 18.0
    lam = QuasiPosterior.tuned_lambda(7.1, T, c0)
    paid = []
    for seed in range(10):
        q = QuasiPosterior(small, lam=lam, random_state=seed)
        for x in parabola(T, random_state=0):
            q.observe(x)
        bound = bounds.quasi_posterior(q)
        assert bound.applies
        assert bound.value < bounds.trivial(q)
        paid.append(q.cumulative_loss)
    assert np.mean(paid) < bound.value
    q = QuasiPosterior(small, lam=lam, predict_by="mode")
    q.observe([0.0, 0.0])
    assert not bounds.quasi_posterior(q).applies  # the mode has no guarantee


def test_a_million_rounds_of_scores_do_not_underflow(small):
    q = QuasiPosterior(small, lam=1.0)
    q.S += np.arange(len(small)) * 1e5
    assert q.law().sum() == pytest.approx(1)
    assert q.law()[0] == pytest.approx(1)


def test_bad_parameters():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=2)
    with pytest.raises(ValueError, match="lam must be a positive number"):
        QuasiPosterior(actions, lam=0)
    with pytest.raises(ValueError, match='predict_by must be "sample" or "mode"'):
        QuasiPosterior(actions, lam=1, predict_by="mean")
