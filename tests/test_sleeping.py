import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slpc.data import parabola
from slpc.experiments.bounds import regret
from slpc.paper import ActionClass, Lattice, SleepingLeader, law_of_leader
from slpc.paper.partition import Local

import reference


def play(leader, X):
    return np.array([leader.observe(x) for x in X])


def awake_lines(leader):
    """U as the lines themselves, each in the direction that comes first."""
    lines = set()
    for i in leader.awake():
        line = tuple(tuple(v) for v in leader.actions[i].vertices)
        lines.add(min(line, line[::-1]) if leader.actions.identify_reversals else line)
    return lines


@pytest.mark.parametrize("identify_reversals", [True, False])
@pytest.mark.parametrize("max_free", [1, 2, None])
def test_awake_actions_equal_the_twin(identify_reversals, max_free):
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=4, identify_reversals=identify_reversals)
    leader = SleepingLeader(actions, eta=5.0, epsilon=0.2, penalty="tight", max_free=max_free, random_state=1)
    sizes = set()
    for x in parabola(40, random_state=2):
        leader.observe(x)
        if leader.rounds == 0:
            continue
        local = leader.local()
        f = leader._board.line
        twin = reference.local_lines(
            f.vertices,
            actions.lattice.position(local.grid()),
            actions.p,
            actions.L,
            local.low,
            local.high,
            identify_reversals,
        )
        found = awake_lines(leader)
        assert found == {tuple(tuple(float(c) for c in v) for v in line) for line in twin}
        assert leader._board.held in leader.awake()
        sizes.add(len(found))
    assert len(sizes) > 2  # the neighbourhood changes along the way
    assert min(sizes) >= 2  # Lemma 4 asks for it


def lines_of(actions, awake):
    """The awake lines, each in both directions, as tuples of whole numbers."""
    found = set()
    for i in awake:
        line = tuple(tuple(int(c) for c in v) for v in actions[i].vertices)
        found |= {line, line[::-1]}
    return found


def board_holding(actions, vertices):
    """A board of Algorithm 3 that holds a given line."""
    leader = SleepingLeader(actions, eta=1.0, epsilon=0.0, penalty="tight")
    leader._board.held = actions.index(vertices)
    assert actions[leader._board.held].vertices.tolist() == vertices
    return leader._board


def near_origin(low, high, lattice, radius=1.0):
    return Local(low, high, np.zeros(2), radius, np.zeros((1, 2)), lattice)


def test_no_vertex_in_the_ball():
    """(ii) is empty: the line stays as it is or one vertex goes in."""
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=6)
    board = board_holding(actions, [[-1, -1], [1, 1]])
    awake = lines_of(actions, board.awake(near_origin(1, 1, actions.lattice)))
    inserted = {((-1, -1), v, (1, 1)) for v in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    expected = {((-1, -1), (1, 1))} | inserted
    assert awake == expected | {line[::-1] for line in expected}


def test_one_vertex_in_the_ball_at_most_segments():
    """m0 = 1 and K = p: the vertex moves or goes, none is added."""
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=6)
    board = board_holding(actions, [[-1, -1], [0, 0], [1, 1]])
    awake = lines_of(actions, board.awake(near_origin(1, 2, actions.lattice)))
    expected = {((-1, -1), v, (1, 1)) for v in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))} | {((-1, -1), (1, 1))}
    assert awake == expected | {line[::-1] for line in expected}


def test_at_the_greatest_length_nothing_is_lengthened():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=2)
    board = board_holding(actions, [[-1, 0], [0, 0], [1, 0]])
    awake = lines_of(actions, board.awake(near_origin(1, 2, actions.lattice)))
    # Going around by another vertex would take 1 + √2 or more, and a fourth vertex has no room.
    expected = {((-1, 0), (0, 0), (1, 0)), ((-1, 0), (1, 0))}
    assert awake == expected | {line[::-1] for line in expected}


def test_neighbourhood_size_against_the_proof():
    """Theorem 3's proof takes |U| <= |F_p|^(3/p); the U it defines can be the whole class."""
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=7, L=2)
    assert actions.count() == 72
    leader = SleepingLeader(actions, eta=2.0, epsilon=0.2, penalty="tight", max_free=None, random_state=0)
    largest = 0
    for x in parabola(60, random_state=0):
        leader.observe(x)
        if leader.rounds:
            largest = max(largest, len(leader.awake()))
    assert largest > 72 ** (3 / 7)


def test_warm_up():
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=2, L=3)
    leader = SleepingLeader(actions, eta=1.0, epsilon=0.1, random_state=0)
    X = np.array([[-0.8, -0.1], [0.1, 0.0], [0.9, 0.1]])
    for i, x in enumerate(X):
        assert not leader.ready
        with pytest.raises(ValueError, match=f"{i} of 3 warm-up points seen"):
            leader.predict()
        assert math.isnan(leader.observe(x))
    assert leader.ready
    # f₁ is the first principal component between the outermost projections, rounded to the lattice.
    assert sorted(leader.predict().vertices.tolist()) == [[-1.0, 0.0], [1.0, 0.0]]
    assert leader.cumulative_loss == 0
    assert leader.observe([0.0, 0.5]) == 0.25 == leader.cumulative_loss


@pytest.mark.parametrize(
    ("points", "L"),
    [
        ([[0.2, 0.2]] * 3, 3.0),  # zero diameter
        ([[1.0, 0.0]] * 3, 0.5),
        ([[0.3, 0.2], [0.31, 0.2], [0.3, 0.21]], 3.0),  # all round to one lattice point
        ([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]], 0.5),  # longer than L
    ],
)
def test_awkward_beginnings(points, L):
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=2, L=L)
    leader = SleepingLeader(actions, eta=1.0, epsilon=0.1, random_state=0)
    play(leader, points)
    assert leader.predict().n_segments == 1
    assert leader.predict().length <= L * (1 + 1e-9)
    assert np.isfinite(play(leader, points * 3)).all()


def test_nothing_fits():
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=2, L=0.4)
    with pytest.raises(ValueError, match="class is empty"):
        SleepingLeader(actions, eta=1.0, epsilon=0.1)


def test_most_segments_and_greatest_length():
    """At K = p nothing is inserted, at length L nothing lengthened: U keeps to the class."""
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=1, L=1)
    leader = SleepingLeader(actions, eta=10.0, epsilon=0.3, penalty=lambda f: 0.0, random_state=0)
    for x in parabola(30, random_state=0):
        leader.observe(x)
        if leader.ready:
            assert leader.predict().n_segments == 1
            assert leader.predict().length == 1


def test_full_rewards_are_exact():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=3)
    leader = SleepingLeader(actions, eta=1.0, epsilon=0.1, rewards="full", random_state=0)
    X = parabola(20, random_state=0)
    play(leader, X)
    rewards = sum(leader.constants.c0 - actions.losses(x) for x in X[3:])
    np.testing.assert_allclose(leader._board.estimated, rewards)
    assert leader.rounds == 17


@pytest.mark.parametrize("mode", ["literal", "ipw0"])
def test_bandit_rewards_equal_the_definition(mode):
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=3)
    leader = SleepingLeader(actions, eta=0.02, epsilon=0.3, beta=0.05, rewards=mode, penalty="tight", random_state=0)
    estimated = np.zeros(len(actions))
    explored = improbable = 0
    for x in parabola(60, random_state=0):
        if not leader.ready:
            leader.observe(x)
            continue
        law = leader.law() if leader.rounds else None
        held = actions.index(leader.predict())
        reward = leader.constants.c0 - actions.losses(x)
        if leader.rounds == 0 or leader.explored:
            estimated += reward
            explored += 1
        else:
            otherwise = leader.alpha if mode == "literal" else 0.0
            gain = np.full(len(actions), otherwise)
            if law[held] > leader.beta:
                gain[held] = reward[held] / law[held]
            else:
                improbable += 1
            estimated += gain
        leader.observe(x)
        np.testing.assert_allclose(leader._board.estimated, estimated, rtol=1e-9)
    assert 5 < explored < 50
    assert improbable > 0


def test_law_is_that_of_the_leader_of_the_awake():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=3)
    leader = SleepingLeader(actions, eta=0.05, epsilon=0.3, penalty="tight", random_state=0)
    play(leader, parabola(10, random_state=0))
    law, awake = leader.law(), leader.awake()
    assert law.sum() == pytest.approx(1)
    assert set(np.flatnonzero(law)) == set(awake)
    scores = leader.eta * leader._board.estimated - leader._board.h
    np.testing.assert_allclose(law[awake], law_of_leader(scores[awake]))
    leader.predict()
    with pytest.raises(ValueError, match="next round's line is fixed"):
        leader.law()


def test_exploitation_stays_in_the_neighbourhood_and_exploration_leaves_it():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=4)
    leader = SleepingLeader(actions, eta=0.01, epsilon=0.5, penalty=lambda f: 0.0, random_state=0)
    inside = {True: [], False: []}
    for x in parabola(80, random_state=0):
        if leader.rounds:
            awake = set(leader.awake().tolist())
            inside[actions.index(leader.predict()) in awake].append(leader.explored)
        leader.observe(x)
    assert all(inside[False])  # only an exploring round held a line outside U
    assert len(inside[False]) > 10
    assert not all(inside[True])


def test_theorem_3_tuning_fills_in():
    actions = ActionClass(Lattice(radius=1, spacing=1.4142, dim=2), p=7, L=1.4143)
    leader = SleepingLeader(actions, horizon=10_000, rewards="literal")
    tuned = leader.constants.theorem3(4, 10_000)
    assert (leader.eta, leader.epsilon, leader.alpha, leader.beta) == (
        tuned.eta, tuned.epsilon, tuned.alpha, tuned.beta,
    )  # fmt: skip
    assert SleepingLeader(actions, horizon=10_000, epsilon=0.25).epsilon == 0.25


def test_the_geometric_neighbourhood_of_four_actions_is_one_action():
    """Lemma 4 excludes it, so the four-action experiment takes U = F_p."""
    actions = ActionClass(Lattice(radius=1, spacing=1.4142, dim=2), p=7, L=1.4143)
    assert len(actions) == 4
    everything = SleepingLeader(actions, horizon=10_000, neighbourhood="all", random_state=0)
    play(everything, parabola(10, random_state=0))
    assert everything.awake().tolist() == [0, 1, 2, 3]


@pytest.mark.slow
def test_literal_rewards_do_not_learn_and_the_others_do():
    """Erratum 14: the regret a round of the literal estimator stays where it is; the two others' falls."""
    short = {mode: regret(mode, 3_000)["regret / T"] for mode in ("literal", "ipw0", "full")}
    long = {mode: regret(mode, 100_000)["regret / T"] for mode in ("literal", "ipw0", "full")}
    assert long["literal"] > 0.8 * short["literal"]
    for mode in ("ipw0", "full"):
        assert long[mode] < 0.6 * short[mode]
        assert long[mode] < 0.3 * long["literal"]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(["full", "ipw0", "literal"]))
def test_seeds_are_reproducible(seed, mode):
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=3)

    def run():
        leader = SleepingLeader(actions, eta=0.1, epsilon=0.3, beta=0.05, rewards=mode, random_state=seed)
        return play(leader, parabola(15, random_state=0))[3:].tolist()

    assert run() == run()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give eta and epsilon, or a horizon"),
        ({"eta": 1.0}, "give eta and epsilon, or a horizon"),
        ({"eta": 1.0, "epsilon": 0.1, "rewards": "ipw0"}, "needs beta"),
        ({"eta": 1.0, "epsilon": 1.5}, "epsilon between 0 and 1"),
        ({"eta": -1.0, "epsilon": 0.5}, "eta must be positive"),
        ({"eta": 1.0, "epsilon": 0.1, "rewards": "some"}, "rewards must be one of full, ipw0, literal"),
        ({"eta": 1.0, "epsilon": 0.1, "neighbourhood": "near"}, 'neighbourhood must be "local" or "all"'),
        ({"eta": 1.0, "epsilon": 0.1, "warm_up": 1}, "warm_up must be at least 2"),
        ({"eta": 1.0, "epsilon": 0.1, "max_free": 0}, "max_free must be at least 1"),
        ({"horizon": 5}, "5 rounds are too few for 280 actions"),
    ],
)
def test_bad_parameters(small, arguments, message):
    if "horizon" in arguments:  # p > 6 makes epsilon fall below 0 for short runs
        small = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=12, L=3)
        message = "rounds are too few"
    with pytest.raises(ValueError, match=message):
        SleepingLeader(small, **arguments)


def test_bad_points_change_nothing(small):
    leader = SleepingLeader(small, eta=1.0, epsilon=0.1, random_state=0)
    play(leader, parabola(10, random_state=0))
    before = leader.rounds, leader.cumulative_loss, leader.seen.tolist()
    for x in ([1.0], [float("nan"), 1.0], [[0, 0], [1, 1]], ["a", "b"]):
        with pytest.raises(ValueError, match="point"):
            leader.observe(x)
    assert (leader.rounds, leader.cumulative_loss, leader.seen.tolist()) == before
