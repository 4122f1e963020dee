"""What docs/errata.md says of the paper, shown in numbers (where no other test does)."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from slpc import Polyline
from slpc.data import parabola
from slpc.paper import ActionClass, Constants, Lattice, PerturbedLeader, QuasiPosterior, SleepingLeader, law_of_leader

ROOT = Path(__file__).parents[1]


def test_every_test_and_script_named_there_exists():
    text = (ROOT / "docs" / "errata.md").read_text()
    named = re.findall(r"`(tests/\w+\.py)::(\w+)`", text)
    assert len(named) >= 18
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(), f"{file}::{test}"
    assert sorted({int(n) for n in re.findall(r"^## (\d+)\. ", text, flags=re.MULTILINE)}) == list(range(1, 19))


def test_1_printed_mode_is_not_the_mode(small):
    q = QuasiPosterior(small, lam=0.2, random_state=0)
    X = parabola(30, random_state=0)
    paid = [q.observe(x) for x in X]
    losses = np.array([small.losses(x) for x in X])
    total = losses.sum(axis=0)
    variance = 0.5 * q.lam * np.square(losses - np.array(paid)[:, None]).sum(axis=0)
    # As printed: the last round's term in place of each round's, and + ln π / λ.
    printed = total + 0.5 * q.lam * len(X) * np.square(losses[-1] - paid[-1]) + q.log_prior / q.lam
    read = total + variance - q.log_prior / q.lam
    assert q.law()[int(read.argmin())] == pytest.approx(q.law().max())
    assert q.law()[int(printed.argmin())] < 0.5 * q.law().max()


def test_5_increments_telescope_with_the_rate_of_the_round_before(small):
    f = PerturbedLeader(small, eta="adaptive", random_state=0)
    X = parabola(8, random_state=0)
    summed = (f.h - f.z) / f.rate_at(0)
    for t, x in enumerate(X, start=1):
        # Σ_{s<t} Δ_{f,s} is what Algorithm 2 minimises: it has 1/η_{t-1}, not 1/η_t.
        np.testing.assert_allclose(summed, f.cumulative_losses + (f.h - f.z) / f.rate_at(t - 1), rtol=1e-12)
        summed += small.losses(x) + (1 / f.rate_at(t) - 1 / f.rate_at(t - 1)) * (f.h - f.z)
        f.observe(x)
    assert not np.allclose(f.cumulative_losses + (f.h - f.z) / f.rate_at(9), summed)


@pytest.mark.parametrize("eta", [1 / 18, 0.5])
def test_6_lemma_2_by_memorylessness(small, eta):
    """P(f_t = f) <= exp(η c₀) P(f*_t = f) for every action and any rate."""
    f = PerturbedLeader(small, eta=eta, penalty="tight", random_state=0)
    for x in parabola(15, random_state=0):
        before = f.law()
        f.observe(x)
        peeking = f.law()  # the "illegal" forecaster has seen x_t
        assert (before <= np.exp(eta * f.constants.c0) * peeking * (1 + 1e-6)).all()
        assert (before > peeking * (1 + 1e-6)).any()


def test_7_theorem_2_s_rate_breaks_lemma_2_s_condition_at_first():
    c = Constants(dim=2, R=1, delta=1, p=3, L=3)
    too_fast = [t for t in range(1, 200) if c.eta_theorem2(t) > 1 / c.c0]
    assert too_fast == list(range(1, math.ceil(c.H / (math.e - 1))))
    assert 25 <= len(too_fast) <= 30
    # ... and survives: wherever it breaks, the bound's term for that round is above any loss.
    assert all(c.c0**2 * (math.e - 1) * c.eta_theorem2(t) > c.c0 for t in too_fast)


@pytest.mark.parametrize("level", [0.0, 2.0, 8.0])
def test_8_expected_supremum(small, level):
    """E sup (Z - h) <= 1 + ln u for every u, large or small."""
    h = level + np.linspace(0, 3, 280)
    u = np.exp(-h).sum()
    z = np.random.default_rng(0).exponential(size=(20_000, 280))
    suprema = (z - h).max(axis=1)
    assert suprema.mean() - 4 * suprema.std() / np.sqrt(len(suprema)) < 1 + math.log(u)
    assert suprema.mean() > math.log(u)


def test_13_mixing_exploration_into_the_probability_biases_the_estimate():
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=2, L=2)
    leader = SleepingLeader(actions, eta=0.02, epsilon=0.3, penalty="tight", max_free=1, random_state=0)
    for x in parabola(12, random_state=0):
        leader.observe(x)
    given_exploitation = leader.law()
    awake = leader.awake()
    assert len(awake) < 0.5 * len(actions)
    exploring = law_of_leader(leader.eta * leader._board.estimated - leader._board.h)
    mixed = 0.3 * exploring + 0.7 * given_exploitation
    # E r̂ / r = P(chosen | exploitation) / (what it is divided by): 1 without mixing.
    assert np.abs(given_exploitation[awake] / mixed[awake] - 1).max() > 0.1


def test_15_variance_in_lemma_6():
    """The display has α (1 - P) for the second moment of the part worth α; it is α² (1 - P)."""
    epsilon, r, P, alpha = 0.5, 1.0, 0.2, 50.0
    mean = epsilon * r + (1 - epsilon) * (r + alpha * (1 - P))
    variance = epsilon * r**2 + (1 - epsilon) * (P * (r / P) ** 2 + (1 - P) * alpha**2) - mean**2
    displayed = epsilon * r**2 + (1 - epsilon) * (r**2 / P + alpha * (1 - P)) - mean**2
    assert displayed < 0 < variance
    # a² = c₀²/β + α²(1 - β) is at most α² where α >= c₀/β: the larger of the two must be taken.
    c0, beta = 1.0, 0.1
    for factor in (1.0, 2.0, 5.0):
        a = factor * c0 / beta
        assert c0**2 / beta + a**2 * (1 - beta) <= a**2 * (1 + 1e-12)


def test_17_inclusion_and_exclusion_loses_everything():
    n = 200
    # P_f = Σ_j (-1)^j C(n-1, j) / (j + 1) for n equal scores: exact in whole numbers, worthless in floats.
    exact = sum((-1) ** j * math.comb(n - 1, j) * math.lcm(*range(1, n + 1)) // (j + 1) for j in range(n))
    assert exact * n == math.lcm(*range(1, n + 1))
    in_floats = math.fsum((-1) ** j * float(math.comb(n - 1, j)) / (j + 1) for j in range(n))
    assert abs(in_floats - 1 / n) > 1 / n
    np.testing.assert_allclose(law_of_leader(np.zeros(n)), 1 / n, rtol=1e-9)


def cubic():
    x = np.linspace(0, 10, 2001)
    return np.column_stack([x, 0.05 * (x - 5) ** 3])


def six_dimensions():
    t = np.linspace(0, 2 * np.pi, 2001)
    return np.column_stack([0.5 * t * np.cos(t), 0.5 * t * np.sin(t), 0.5 * t, -t, np.sqrt(t), 2 * np.log(t + 1)])


@pytest.mark.parametrize(("curve", "length", "radius"), [(cubic, 17.55, 11.79), (six_dimensions, 14.56, 9.02)])
def test_18_the_length_limit_is_shorter_than_the_curve(curve, length, radius):
    f = Polyline(curve())
    assert f.length == pytest.approx(length, abs=0.01)
    norm = np.linalg.norm(f.vertices, axis=1).max()
    assert norm == pytest.approx(radius, abs=0.01)
    L = 0.01 * 20 * norm  # L = 0.01 p √d R, where √d R = max |x|
    assert 0.14 * f.length > L


@pytest.mark.parametrize("L", [2.36, 22.3])
def test_no_segment_is_added_with_the_theorem_s_constants(L):
    """One more segment costs c₁/η_T in the score; even the best single segment loses far less than that."""
    x = np.linspace(0, 10, 100)
    X = np.column_stack([x, 0.05 * (x - 5) ** 3])
    lattice = Lattice(radius=np.linalg.norm(X, axis=1).max() / math.sqrt(2), spacing=1, dim=2)
    single = ActionClass(lattice, p=1, L=L)
    best = float(np.sum([single.losses(point) for point in X], axis=0).min())
    c = Constants(dim=2, R=lattice.radius, delta=1, p=20, L=L)
    assert c.c1 / c.eta_theorem2(100) > 3400
    assert best < 0.3 * c.c1 / c.eta_theorem2(100)
