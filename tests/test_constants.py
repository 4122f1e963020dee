import math

import numpy as np
import pytest

from slpc.paper import ActionClass, Constants, Lattice, PerturbedLeader, penalties

from test_actions import COUNTS


def test_the_paper_s_formulas():
    c = Constants(dim=2, R=1, delta=0.5, p=4, L=4)
    assert c.c0 == 2 * 2.5**2
    assert c.c1 == pytest.approx(math.log(8 * 4 * math.e * math.pi) + 3 * 2**1.5 - 2)
    assert c.c2 == pytest.approx((math.log(2) / math.sqrt(2) + 2) / 0.5)
    assert c.c3 == pytest.approx(2 * math.log(math.sqrt(2) * 2.5 / 0.5))
    assert [c.penalty(k) for k in (1, 2, 3, 4)] == pytest.approx([35.9, 48.0, 60.1, 72.2], abs=0.05)
    assert c.penalty(4) == c.H
    assert Constants(dim=3, R=1, delta=1, p=1, L=1).c1 == pytest.approx(
        math.log(8 * math.e * 4 / 3 * math.pi) + 3 * 3**1.5 - 3
    )


def test_a_segment_costs_13_71_in_the_paper_s_cubic():
    assert Constants(dim=2, R=8.34, delta=0.1, p=20, L=2.36).c1 == pytest.approx(13.71, abs=0.005)


def test_learning_rates():
    c = Constants(dim=2, R=1, delta=1, p=3, L=3)
    assert c.eta_theorem2(0) == c.eta_theorem2(1) == pytest.approx(math.sqrt(c.H / (math.e - 1)) / 18)
    assert c.eta_theorem2(9) == pytest.approx(c.eta_theorem2(1) / 3)
    assert c.eta_corollary1(0) == c.eta_corollary1(1e-6) == 1 / 18
    assert c.eta_corollary1(1e6) == pytest.approx(math.sqrt(c.H / (18 * (math.e - 1) * 1e6)))
    assert Constants(dim=2, R=1, delta=1, p=3, L=3, loss_bound=8).c0 == 8
    with pytest.raises(ValueError, match="at least 0"):
        c.eta_corollary1(-1)
    with pytest.raises(ValueError, match="numbered from 0"):
        c.eta_theorem2(-1)


def test_theorem_3_tuning():
    c = Constants(dim=2, R=1, delta=1, p=7, L=2)
    tuned = c.theorem3(72, 10368)
    assert tuned.beta == pytest.approx(72**-0.5 * 10368**-0.25)
    assert tuned.alpha == pytest.approx(c.c0 / tuned.beta)
    assert tuned.c0_hat == pytest.approx(2 * tuned.alpha)
    assert tuned.epsilon == pytest.approx(1 - 72 ** (0.5 - 3 / 7) * 10368**-0.25)
    assert tuned.eta == pytest.approx(math.sqrt(c.H / (10368 * (math.e - 1))) / tuned.c0_hat)
    # β < 1/|F_p| exactly when T > |F_p|²
    assert c.theorem3(72, 72**2 + 1).beta < 1 / 72 < c.theorem3(72, 72**2 - 1).beta
    assert c.theorem3(10**400, 10**9).beta < 1e-100  # too many actions for a float
    with pytest.raises(ValueError, match="at least one"):
        c.theorem3(0, 10)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"R": 0}, "R must be"),
        ({"L": math.inf}, "L must be a positive finite"),
        ({"p": 0}, "p must be a whole number"),
        ({"loss_bound": -1.0}, "loss_bound must be"),
    ],
)
def test_bad_constants(changed, message):
    with pytest.raises(ValueError, match=message):
        Constants(**({"dim": 2, "R": 1, "delta": 1, "p": 3, "L": 3} | changed))


@pytest.mark.parametrize(("spacing", "n_points", "p", "L", "ordered", "by_segments", "identified"), COUNTS)
def test_lemma_3_and_the_penalty_condition(spacing, n_points, p, L, ordered, by_segments, identified):
    """ln N_k <= c₁k + c₂L + c₃, with room for ln(p e): h meets the paper's condition for every class counted."""
    lattice = Lattice(radius=1, spacing=spacing, dim=2)
    actions = ActionClass(lattice, p=p, L=L, identify_reversals=False)
    paper = penalties.by_segments("paper", actions)
    slack = [
        h - math.log(p * math.e) - math.log(n) for h, n in zip(paper, actions.count_by_segments(), strict=True) if n
    ]
    assert min(slack) > 11
    for name in penalties.NAMES:
        h = penalties.by_segments(name, actions)
        mass = sum(n * math.exp(-v) for n, v in zip(actions.count_by_segments(), h, strict=True))
        assert mass <= math.exp(-1) * (1 + 1e-12)


@pytest.mark.parametrize(("dim", "radius", "L"), [(1, 2.0, 3.0), (3, 0.7, 4.0), (4, 0.6, 4.0)])
def test_lemma_3_in_other_dimensions(dim, radius, L):
    lattice = Lattice(radius=radius, spacing=1, dim=dim)
    actions = ActionClass(lattice, p=3, L=L, identify_reversals=False)
    for k, n in enumerate(actions.count_by_segments(), start=1):
        assert math.log(n) + math.log(3 * math.e) <= penalties.constants_of(actions).penalty(k)


def test_penalties_of_every_action(small):
    for name in ("paper", "tight", "chernoff"):
        h, H = penalties.penalties(name, small)
        assert np.array_equal(h, penalties.by_segments(name, small)[small.segments - 1])
        assert h.max() == H
    h, H = penalties.penalties(penalties.Linear(2.0, 0.5), small)
    assert h[200] == 2 * small[200].n_segments + 0.5 * small[200].length
    assert h.max() == H
    tight = penalties.by_segments("tight", small)
    assert tight == pytest.approx([1 + math.log(3 * n) for n in small.count_by_segments()])


def test_bad_penalties(small):
    with pytest.raises(ValueError, match="unknown penalty 'lasso': choose one of paper, tight, chernoff"):
        PerturbedLeader(small, eta=1.0, penalty="lasso")
    with pytest.raises(ValueError, match=r"at least 0: action 0 \(<Polyline: 1 segment, .*\) has -1.0"):
        PerturbedLeader(small, eta=1.0, penalty=lambda f: -1.0)


def test_penalties_without_a_length_limit():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=math.inf)
    c = penalties.constants_of(actions)
    assert 2 * math.sqrt(2) * 2 == c.L  # no line of two segments in this ball is longer
    assert c.penalty(2) >= math.log(2 * math.e) + math.log(actions.count())
    with pytest.raises(ValueError, match="finite length"):
        penalties.by_segments("chernoff", actions)
