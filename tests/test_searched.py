"""Algorithm 3 where the class is searched instead of enumerated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from slpc.kernels.perturbation import hashed_exponentials
from slpc.kernels.projection import path_losses, squared_distances
from slpc.paper import ActionClass, Lattice, SleepingLeader
from slpc.paper.penalties import Linear, by_segments
from slpc.paper.starts import binned_means, first_line, principal_ends, rounded

import reference
from strategies import lines_and_points


@given(st.integers(0, 2**63 - 1), hnp.arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 8))))
def test_hashed_perturbations_equal_their_twin(seed, actions):
    z = np.empty(len(actions))
    hashed_exponentials(seed, actions, z)
    assert z == pytest.approx([reference.hashed_exponential(seed, row) for row in actions], rel=1e-12)


def test_hashed_perturbations_are_exponential():
    n = 50_000
    z = np.empty(n)
    hashed_exponentials(1, np.stack(np.divmod(np.arange(n), 200), axis=1), z)
    # Kolmogorov and Smirnov's distance; 1.95 is its 0.1 % point
    distance = np.abs((1 - np.exp(-np.sort(z))) - (np.arange(n) + 0.5) / n).max()
    assert distance * np.sqrt(n) < 1.95
    again = np.empty(n)
    hashed_exponentials(2, np.stack(np.divmod(np.arange(n), 200), axis=1), again)
    assert abs(np.corrcoef(z, again)[0, 1]) < 4 / np.sqrt(n)


@given(lines_and_points())
def test_distance_kernels_equal_their_twins(case):
    vertices, X = case
    twin = np.array([reference.loss(vertices, x) for x in X])
    scale = (1 + np.abs(X).max() + np.abs(vertices).max()) ** 2
    known = np.full(len(X), np.inf)
    squared_distances(vertices, X, known)
    np.testing.assert_allclose(known, twin, rtol=1e-9, atol=1e-13 * scale)
    rest = np.abs(X[:, 0])
    losses = np.empty(2)
    path_losses(np.stack([vertices, vertices[::-1].copy()]), X, rest, losses)
    np.testing.assert_allclose(losses, np.minimum(twin, rest).sum(), rtol=1e-9, atol=1e-12 * scale)


def cubic(seed, n=100):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 10, n))
    X = np.column_stack([x, 0.05 * (x - 5) ** 3]) + rng.normal(0, 0.1, (n, 2))
    return X - X.mean(axis=0)


def six_dimensions(seed, n=200):
    t = np.linspace(0, 2 * np.pi, n)
    X = np.column_stack([0.5 * t * np.cos(t), 0.5 * t * np.sin(t), 0.5 * t, -t, np.sqrt(t), 2 * np.log(t + 1)])
    X += np.random.default_rng(seed).normal(0, 0.057, X.shape)
    return X - X.mean(axis=0)


def leader_for(X, spacing, **arguments):
    d = X.shape[1]
    lattice = Lattice(radius=np.linalg.norm(X, axis=1).max() / np.sqrt(d), spacing=spacing, dim=d)
    actions = ActionClass(lattice, p=20, L=40.0)
    return SleepingLeader(actions, **({"eta": 50.0, "epsilon": 0.05, "penalty": Linear(3.0, 5.0)} | arguments))


def searched(p=3, L=4.0, **arguments):
    """A leader on a small class that it is told to search."""
    actions = ActionClass(Lattice(radius=1, spacing=0.5, dim=2), p=p, L=L, max_actions=0)
    leader = SleepingLeader(
        actions, **({"eta": 3.0, "epsilon": 0.0, "penalty": Linear(1.0, 0.5), "random_state": 0} | arguments)
    )
    assert not leader.exact
    return leader


def scores(leader, seed, lines):
    """Perturbed score of each line by its definition: Σ Δ + (h - z) / η over the points seen after the warm-up."""
    data = leader.seen[leader.warm_up :]
    found = []
    for line in lines:
        vertices = np.array(line)
        length = np.linalg.norm(np.diff(vertices, axis=0), axis=1).sum()
        h = 1.0 * (len(vertices) - 1) + 0.5 * length
        coordinates = np.rint(vertices / leader.actions.lattice.spacing).astype(np.int64)
        row = min(coordinates.ravel().tolist(), coordinates[::-1].ravel().tolist())
        z = reference.hashed_exponential(seed, row)
        found.append(sum(reference.loss(vertices, x) for x in data) + (h - z) / leader.eta)
    return np.array(found)


def test_small_neighbourhoods_are_searched_completely():
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.uniform(-1, 1, 14), rng.normal(0, 0.1, 14)])
    leader = searched(max_local=10**6, max_free=1)
    compared = 0
    for x in X:
        if leader.rounds:
            local = leader.local()
            f = leader._board.line
            twin = sorted(
                reference.local_lines(
                    f.vertices, leader.actions.lattice.position(local.grid()), 3, 4.0, local.low, local.high, True
                )
            )
            held = leader.predict()
            by_definition = scores(leader, leader._board._seed, twin)
            best = twin[int(by_definition.argmin())]
            assert best in {tuple(map(tuple, held.vertices)), tuple(map(tuple, held.vertices[::-1]))}
            compared += 1
        leader.observe(x)
    assert compared == 10


def test_local_search_is_never_worse_than_staying():
    rng = np.random.default_rng(6)
    X = np.column_stack([rng.uniform(-1, 1, 40), rng.normal(0, 0.2, 40)])
    leader = searched(p=5, L=6.0, max_local=0, max_free=None)
    moved = 0
    for x in X:
        if leader.rounds:
            f = leader._board.line
            low, high = leader.local().low, leader.local().high
            held = leader.predict()
            after, before = scores(leader, leader._board._seed, [held.vertices, f.vertices])
            assert after <= before + 1e-9
            assert abs(held.n_segments - f.n_segments) <= 1  # reduce, keep or increase
            assert np.array_equal(held.vertices[:low], f.vertices[:low])
            tail = len(f.vertices) - high
            assert np.array_equal(held.vertices[len(held.vertices) - tail :], f.vertices[high:])
            moved += held != f
        leader.observe(x)
    assert moved > 10


@pytest.mark.parametrize("penalty", ["paper", "chernoff", Linear(2.0), lambda f: 2.0 * f.n_segments])
def test_penalties(penalty):
    leader = searched(penalty=penalty)
    lines = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]]] * 2)
    h = leader._board.penalties(lines)
    expected = by_segments(penalty, leader.actions)[1] if isinstance(penalty, str) else 4.0
    assert h.tolist() == [expected, expected]


@pytest.mark.parametrize("mode", ["literal", "ipw0"])
def test_bandit_rewards(mode):
    rng = np.random.default_rng(7)
    X = np.column_stack([rng.uniform(-1, 1, 40), rng.normal(0, 0.1, 40)])
    leader = searched(rewards=mode, beta=0.001, epsilon=0.3, eta=0.05)
    gained = []
    for x in X:
        before = dict(leader._board._extra)
        paid = leader.observe(x)
        if leader.rounds > 1 and not leader.explored:
            P = leader._board._probability
            assert 0 < P <= 1 + 1e-9
            key = leader._board._key(leader._board.held)
            otherwise = leader.alpha if mode == "literal" else 0.0
            gain = (leader.constants.c0 - paid) / P - otherwise if leader.beta < P else 0.0
            assert leader._board._extra[key] - before.get(key, 0.0) == pytest.approx(gain, abs=1e-9)
            gained.append(gain)
    assert len(gained) > 10
    # Only explored rounds and the first add to what every line is rewarded for.
    assert len(leader._board.data) == leader.rounds - len(gained)


def test_same_seed_same_run():
    X = cubic(0, 40)
    a, b, c = (leader_for(X, 0.3, random_state=seed) for seed in (1, 1, 2))
    losses = [[leader.observe(x) for x in X][3:] for leader in (a, b, c)]
    assert losses[0] == losses[1] != losses[2]


@pytest.mark.parametrize(("stream", "spacing"), [(cubic, 0.2), (six_dimensions, 0.1)])
def test_the_paper_s_own_settings(stream, spacing):
    """d = 2 and d = 6, p = 20: far below what the first principal component costs, with a line that fits."""
    X = stream(0)
    leader = leader_for(X, spacing, random_state=0)
    for x in X:
        leader.observe(x)
        if leader.ready and leader.n_seen % 10 == 0:
            f = leader.predict()
            assert 1 <= f.n_segments <= 20
            assert f.length <= 40.0 * (1 + 1e-9)
            assert (np.linalg.norm(f.vertices, axis=1) <= leader.actions.lattice.ball_radius * (1 + 1e-9)).all()
    ends = principal_ends(X)
    straight = sum(reference.nearest_on_segment(x, *ends)[0] for x in X)
    assert leader.cumulative_loss < 0.2 * straight
    assert leader.predict().squared_distances(X).sum() < 0.05 * straight
    assert leader.predict().n_segments > 4


def test_awake_needs_numbers():
    leader = searched()
    with pytest.raises(ValueError, match="searched, not enumerated"):
        leader.awake()
    with pytest.raises(ValueError, match='"all" needs a class small enough'):
        searched(neighbourhood="all")
    with pytest.raises(ValueError, match=r"needs \|F_p\|: .* give eta and epsilon instead"):
        leader_for(cubic(0), 0.2, eta=None, horizon=100)


# -- lines to start from ------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(hnp.arrays(float, st.tuples(st.integers(2, 12), st.just(2)), elements=st.floats(-1, 1)), st.floats(0.5, 4))
def test_first_line_is_an_action(X, L):
    lattice = Lattice(radius=1, spacing=0.5, dim=2)
    line = first_line(X, lattice, L * (1 + 1e-9))
    assert line.shape == (2, 2)
    assert lattice.contains(line).all()
    assert 0 < np.linalg.norm(np.diff(lattice.position(line), axis=0)) <= L * (1 + 2e-9)


def test_first_line_where_nothing_fits():
    with pytest.raises(ValueError, match="no segment of the lattice"):
        first_line(np.zeros((3, 2)), Lattice(radius=1, spacing=0.5, dim=2), 0.4)


def test_principal_ends_and_binned_means():
    t = np.linspace(0, 1, 12)
    X = np.column_stack([3 * t, 4 * t])
    ends = principal_ends(X)
    assert sorted(ends.round(9).tolist()) == [[0, 0], [3, 4]]
    means = binned_means(X, 3)
    assert means.shape == (4, 2)
    order = np.sort(means, axis=0)
    np.testing.assert_allclose(order, [X[i : i + 3].mean(axis=0) for i in (0, 3, 6, 9)])
    lattice = Lattice(radius=5, spacing=10, dim=2)
    assert rounded(means, lattice).tolist() == [[0, 0]]
