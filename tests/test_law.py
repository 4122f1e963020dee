import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from slpc.paper import law_of_leader

import reference

CASES = {
    "two": [0.0, -1.0],
    "ties": [0.0, 0.0, 0.0, -2.0, -2.0],
    "a wide gap": [0.0, -800.0, -1.0],
    "one far ahead": [0.0, -30.0, -31.0, -40.0],
    "a thousand equal": np.zeros(1001),
    "spread": -np.linspace(0, 10, 200),
    "close": -np.linspace(0, 0.01, 300),
    "a crowd behind": np.r_[0.0, np.full(1000, -6.0)],
    "around the series' limit": -np.linspace(6.8, 7.0, 101) + 6.8,
    "random": -np.random.default_rng(0).exponential(3.0, 500),
}


@pytest.mark.parametrize("name", CASES)
def test_law_equals_exact_integration(name):
    law = law_of_leader(CASES[name])
    np.testing.assert_allclose(law, reference.law_by_polynomial(CASES[name]), rtol=0, atol=1e-9)
    assert law.sum() == pytest.approx(1, abs=1e-12)


@given(hnp.arrays(float, st.integers(1, 40), elements=st.floats(-60, 60)))
def test_law_equals_exact_integration_everywhere(u):
    law = law_of_leader(u)
    assert (law >= 0).all()
    assert law.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(law, reference.law_by_polynomial(u), rtol=0, atol=1e-9)


def test_law_within_monte_carlo_error():
    rng = np.random.default_rng(7)
    u = -rng.exponential(1.0, 12)
    n = 400_000
    leaders = (u + rng.exponential(size=(n, len(u)))).argmax(axis=1)
    law = law_of_leader(u)
    z = (np.bincount(leaders, minlength=len(u)) - n * law) / np.sqrt(n * law * (1 - law))
    assert np.abs(z).max() < 4
    # The same test tells a law that is one per cent off.
    z = (np.bincount(leaders, minlength=len(u)) - n * (law * 0.99 + 0.01 / len(u))) / np.sqrt(n * law * (1 - law))
    assert np.abs(z).max() > 4


def test_a_million_actions():
    rng = np.random.default_rng(1)
    law = law_of_leader(-rng.exponential(30.0, 1_000_000))
    assert law.sum() == pytest.approx(1, abs=1e-9)
    assert (law >= 0).all()
    equal = law_of_leader(np.zeros(1_000_000))
    np.testing.assert_allclose(equal, 1e-6, rtol=1e-8)


def test_one_action_and_hopeless_ones():
    np.testing.assert_allclose(law_of_leader([3.0]), [1.0], atol=1e-14)
    np.testing.assert_allclose(law_of_leader([0.0, -np.inf]), [1.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(law_of_leader([5.0, 5.0, -np.inf]), [0.5, 0.5, 0.0], atol=1e-12)


def test_shift_does_not_matter():
    u = np.array([0.0, -1.0, -3.5])
    np.testing.assert_allclose(law_of_leader(u + 1e6), law_of_leader(u), atol=1e-9)


@pytest.mark.parametrize("u", [[], [[1.0]], [np.nan, 1.0], [np.inf, 0.0], [-np.inf]])
def test_bad_scores(u):
    with pytest.raises(ValueError, match="scores must"):
        law_of_leader(u)
