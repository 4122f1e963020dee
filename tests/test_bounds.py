import math
from functools import partial

import numpy as np
import pytest

from slpc.data import parabola
from slpc.paper import ActionClass, Lattice, PerturbedLeader, SleepingLeader, bounds


def run(actions, X, **arguments):
    """A finished run and its exact expected cumulative loss."""
    forecaster = PerturbedLeader(actions, random_state=0, **arguments)
    expected = 0.0
    for x in X:
        expected += forecaster.expected_loss(x)
        forecaster.observe(x)
    return forecaster, expected


def alternating(T):
    """Far points that take turns: no line is good for long."""
    return np.array([[1.4, 0.0], [-1.4, 0.0], [0.0, 1.4], [0.0, -1.4]])[np.arange(T) % 4]


@pytest.mark.parametrize("stream", [parabola, alternating, partial(parabola, order="sorted")])
@pytest.mark.parametrize("penalty", ["paper", "tight", "chernoff"])
def test_no_bound_is_violated(small, stream, penalty):
    X = stream(80)
    constant, expected = run(small, X, eta=1 / 18, penalty=penalty)
    for bound in (bounds.theorem1(constant), bounds.theorem1(constant, corrected=False)):
        assert bound.applies
        assert expected < bound.value
    best = float(constant.cumulative_losses.min())
    tuned, expected = run(small, X, eta=constant.constants.eta_corollary1(best, constant.H), penalty=penalty)
    bound = bounds.corollary1(tuned)
    assert bound.applies
    assert expected < bound.value
    adaptive, expected = run(small, X, eta="adaptive", penalty=penalty)
    bound = bounds.theorem2(adaptive)
    assert bound.applies
    assert expected < bound.value


def test_by_hand(small):
    X = parabola(50, random_state=0)
    f, _ = run(small, X, eta=0.04, penalty="tight")
    G, h, e1 = sum(small.losses(x) for x in X), f.h, math.e - 1
    S = (G + h / 0.04).min()
    u = np.exp(-h).sum()
    assert bounds.theorem1(f, corrected=False).value == pytest.approx(
        (1 + 18 * e1 * 0.04) * S + (1 + math.log(u)) / 0.04
    )
    assert bounds.theorem1(f).value == pytest.approx((1 + 18 * e1 * 0.04) * (S + math.log(u) / 0.04))
    stated = (G + np.sqrt(18 * e1 * G.min() * h)).min() + math.sqrt(18 * e1 * G.min() * h.max()) + 18 * e1 * h.max()
    assert bounds.corollary1(f, corrected=False).value == pytest.approx(stated)
    adaptive, _ = run(small, X, eta="adaptive", penalty="tight")
    assert bounds.theorem2(adaptive).value == pytest.approx(
        (G + 18 * np.sqrt(e1 * 50 * h)).min() + 2 * 18 * math.sqrt(e1 * 50 * h.max())
    )
    assert bounds.trivial(f) == 18 * 50


def test_stated_corollary_1_claims_less_than_the_theorem_it_rests_on():
    """Erratum 4: with the rate clipped at 1/c₀ the stated corollary is below what Theorem 1 gives."""
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=2, L=4)
    f, expected = run(actions, parabola(100, random_state=0), eta=1 / 12.5, penalty="tight")
    stated, corrected = bounds.corollary1(f, corrected=False), bounds.corollary1(f)
    assert stated.applies
    assert stated.value < bounds.theorem1(f, corrected=False).value < corrected.value
    assert expected < stated.value


def test_stated_theorem_1_can_be_smaller_than_the_corrected_one(small):
    """Erratum 3: without a penalty (ln u > 0) the stated form leaves a factor off a positive term."""
    f, _ = run(small, parabola(50, random_state=0), eta=1 / 18, penalty=lambda f: 0.0)
    assert f.log_u == pytest.approx(math.log(len(small)))
    assert bounds.theorem1(f, corrected=False).value < bounds.theorem1(f).value


def test_assumptions_are_checked(small):
    f, _ = run(small, parabola(5, random_state=0), eta=1.0, penalty="tight")
    assert bounds.theorem1(f).assumes == {"every |x_t| <= sqrt(d) R": True, "eta <= 1 / c0": False}
    assert not bounds.corollary1(f).applies
    f.observe([3.0, 3.0])
    assert not bounds.theorem1(f).assumes["every |x_t| <= sqrt(d) R"]
    adaptive, _ = run(small, parabola(5, random_state=0), eta="adaptive", penalty=lambda f: 0.5)
    assert not bounds.theorem2(adaptive).assumes["sum of exp(-h) <= 1 / e"]
    with pytest.raises(ValueError, match="Algorithm 1"):
        bounds.theorem1(adaptive)
    with pytest.raises(ValueError, match="Algorithm 2"):
        bounds.theorem2(f)


def test_theorem_3():
    actions = ActionClass(Lattice(radius=1, spacing=1.4142, dim=2), p=7, L=1.4143)
    T = 40
    leader = SleepingLeader(actions, horizon=T, neighbourhood="all", rewards="literal", random_state=0)
    with pytest.raises(ValueError, match="no round"):
        bounds.theorem3(leader, 0.0)
    best = np.zeros(4)
    for i, x in enumerate(parabola(T + 3, random_state=0)):
        leader.observe(x)
        if i >= 3:
            best += actions.losses(x)
    bound = bounds.theorem3(leader, best.min())
    # The constants are so large that the bound says less than c₀ T, even where its conditions hold.
    assert bound.value > leader.constants.c0 * T
    assert bound.assumes["p > 6"]
    assert bound.assumes["T >= 2 |F_p|^2"]
    assert not bound.assumes["eta < 1 / c0_hat"]  # H < (e - 1) T is not implied by the theorem's conditions
    assert not bounds.theorem3(leader, best.min(), awake_total=4.0 * T).assumes["|U| <= |F_p|^(3/p)"]
    full = SleepingLeader(actions, eta=1.0, epsilon=0.5, neighbourhood="all")
    for x in parabola(5, random_state=0):
        full.observe(x)
    with pytest.raises(ValueError, match="beta > 0"):
        bounds.theorem3(full, 0.0)
