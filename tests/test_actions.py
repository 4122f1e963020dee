import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slpc import Polyline
from slpc.kernels.actions import segment_table
from slpc.paper import ActionClass, Lattice
from slpc.paper.counting import TooManyToCountError, count_at_least, log_count_bound

import reference

# (δ, |Q|, p, L, ordered, ordered by number of segments, with reversals identified); d = 2, R = 1
COUNTS = [
    (1, 9, 2, 2, 120, [52, 68], 72),
    (1, 9, 3, 3, 520, [72, 256, 192], 280),
    (1, 9, 3, 6, 4500, [72, 576, 3852], 2286),
    (1, 9, 5, 6, 34920, [72, 576, 3852, 12852, 17568], 17624),
    (0.7, 13, 3, 3, 4348, [156, 1176, 3016], 2216),
    (0.5, 25, 2, 4, 13940, [600, 13340], 7224),
    (0.5, 25, 3, 4, 195148, [600, 13340, 181208], 97828),
    (0.4, 37, 3, 4, 1059092, [1332, 45568, 1012192], 530140),
    (0.5, 25, 4, 4, 1430228, [600, 13340, 181208, 1235080], 717108),
    (0.33, 61, 3, 4, 6922240, [3660, 201064, 6717516], 3462642),
    (1.4142, 5, 7, 2.83, 40, [20, 20, 0, 0, 0, 0, 0], 24),
    (1, 9, 7, 2, 120, [52, 68, 0, 0, 0, 0, 0], 72),
]


@pytest.mark.parametrize(("spacing", "n_points", "p", "L", "ordered", "by_segments", "identified"), COUNTS)
def test_counts(spacing, n_points, p, L, ordered, by_segments, identified):
    lattice = Lattice(radius=1, spacing=spacing, dim=2)
    assert len(lattice) == n_points
    literal = ActionClass(lattice, p=p, L=L, identify_reversals=False)
    assert literal.count_by_segments() == by_segments
    assert literal.count() == ordered
    assert ActionClass(lattice, p=p, L=L).count() == identified
    # Enumeration finds as many: it refuses to go on otherwise.
    assert len(ActionClass(lattice, p=p, L=L)) == identified
    assert len(literal) == ordered


@settings(max_examples=40)
@given(
    st.sampled_from([0.7, 1.0, 1.3]),
    st.integers(1, 3),
    st.floats(0.5, 5),
    st.booleans(),
    st.sampled_from([0.0, 0.35]),
)
def test_enumeration_equals_the_twin(spacing, p, L, identify_reversals, offset):
    lattice = Lattice(radius=0.8, spacing=spacing, dim=2, offset=offset)
    actions = ActionClass(lattice, p=p, L=L, identify_reversals=identify_reversals)
    twin = reference.action_rows(lattice.points, p, L, identify_reversals)
    assert actions.count() == len(twin)
    if twin:
        assert [tuple(actions.row(i).tolist()) for i in range(len(actions))] == twin


def test_one_and_three_dimensions():
    line = ActionClass(Lattice(radius=1, spacing=0.5, dim=1), p=2, L=1)
    assert line.count() == len(reference.action_rows(line.lattice.points, 2, 1, True)) == len(line)
    space = ActionClass(Lattice(radius=0.6, spacing=1, dim=3), p=2, L=3)
    assert space.count() == len(reference.action_rows(space.lattice.points, 2, 3, True)) == len(space)


def test_counts_beyond_floats_are_exact():
    free = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=20, L=math.inf, identify_reversals=False)
    assert free.count_by_segments() == [9 * 8**k for k in range(1, 21)]
    palindromes = [9 * 8 ** (k // 2) if k % 2 == 0 else 0 for k in range(1, 21)]
    identified = ActionClass(free.lattice, p=20, L=math.inf)
    assert identified.count_by_segments() == [
        (9 * 8**k + n) // 2 for k, n in zip(range(1, 21), palindromes, strict=True)
    ]
    long = ActionClass(free.lattice, p=20, L=20, identify_reversals=False).count_by_segments()
    assert long[:7] == [9 * 8**k for k in range(1, 8)]  # seven segments of at most √8 each cannot exceed 20
    assert long[-1] < 9 * 8**20
    assert long[-1] >= len(free.lattice) * 2**20  # every point has at least two neighbours at distance 1


@pytest.mark.parametrize(("p", "L"), [(3, 4.0), (5, 6.0), (2, 1.0)])
def test_bounds_of_the_count(p, L):
    lattice = Lattice(radius=1, spacing=1, dim=2)
    ordered = ActionClass(lattice, p=p, L=L, identify_reversals=False)
    assert 0 < count_at_least(lattice, p, L) <= ordered.count()
    for k, n in enumerate(ordered.count_by_segments(), start=1):
        assert n == 0 or math.log(n) <= log_count_bound(lattice, k, L)


def test_chernoff_figures():
    lattice = Lattice(radius=1, spacing=0.5, dim=2)
    bounds = [log_count_bound(lattice, k, 4) for k in range(1, 5)]
    assert bounds == pytest.approx([9.8, 13.6, 16.2, 18.0], abs=0.05)


def test_enumeration_is_refused_with_the_count():
    actions = ActionClass(Lattice(radius=1, spacing=0.25, dim=2), p=4, L=4)
    assert not actions.enumerable
    with pytest.raises(ValueError, match=r"957,706,760 actions, over the limit of 10,000,000; take a larger spacing"):
        len(actions)


def test_uncountable_classes():
    actions = ActionClass(Lattice(radius=8, spacing=0.5, dim=2), p=20, L=23)
    assert not actions.enumerable
    with pytest.raises(TooManyToCountError):
        actions.count()
    with pytest.raises(ValueError, match=r"too large to enumerate: it has over \S+ actions .* take a larger spacing"):
        actions.losses([0, 0])
    assert not ActionClass(Lattice(radius=9, spacing=0.1, dim=6), p=20, L=18).enumerable
    with pytest.raises(TooManyToCountError, match="actions of one segment alone"):
        ActionClass(Lattice(radius=8, spacing=0.2, dim=2), p=20, L=23).count()
    with pytest.raises(TooManyToCountError, match="too many to look at"):
        ActionClass(Lattice(radius=8, spacing=0.05, dim=2), p=20, L=23).count()


def test_an_empty_class():
    actions = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=3, L=0.9)
    assert actions.count() == 0
    with pytest.raises(ValueError, match="class is empty: no two of the 9 lattice points are within"):
        actions.losses([0, 0])


@pytest.mark.parametrize(("p", "L", "message"), [(0, 1, "p must be"), (1.5, 1, "p must be"), (2, -1, "L must be")])
def test_bad_parameters(p, L, message):
    with pytest.raises(ValueError, match=message):
        ActionClass(Lattice(radius=1, spacing=1, dim=2), p=p, L=L)


points = st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=2).map(np.array)


@settings(max_examples=30)
@given(points)
def test_losses_equal_the_twin(small, x):
    losses = small.losses(x)
    some = range(0, len(small), 17)
    twin = [reference.loss(small.lattice.points[small.row(i)], x) for i in some]
    np.testing.assert_allclose(losses[list(some)], twin, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(losses[5], small[5].squared_distances(x)[0], rtol=1e-12, atol=1e-14)


@settings(max_examples=30)
@given(points)
def test_segment_table_equals_its_twin(x):
    Q = Lattice(radius=1, spacing=0.7, dim=2).points
    table = np.empty((len(Q), len(Q)))
    segment_table(Q, x, table)
    for a in range(len(Q)):
        for b in range(len(Q)):
            gap = Q[a] - x
            twin = gap @ gap if a == b else reference.nearest_on_segment(x, Q[a], Q[b])[0]
            assert table[a, b] == pytest.approx(twin, rel=1e-10, abs=1e-14)


def test_numbers_and_lines(small):
    assert len(small) == 280
    assert small[-1] == small[279]
    for i in (0, 5, 100, 279):
        assert small.index(small[i]) == i
        assert small.index(small[i].reversed()) == i
        assert small[i].n_segments == small.segments[i]
        assert small[i].length <= 3 * (1 + 1e-9)
    with pytest.raises(IndexError, match="action 280 of 280"):
        small[280]
    with pytest.raises(ValueError, match="not a point of the lattice"):
        small.index([[0, 0], [0.5, 0]])
    with pytest.raises(ValueError, match="is not in the class"):
        small.index(Polyline([[-1, -1], [1, 1], [-1, -1]]))
    with pytest.raises(ValueError, match="is not in the class"):
        small.index(Polyline([[0, 0], [1, 0], [0, 0], [1, 0], [0, 0]]))


def test_literal_reading_keeps_both_directions():
    literal = ActionClass(Lattice(radius=1, spacing=1, dim=2), p=2, L=2, identify_reversals=False)
    f = Polyline([[1, 0], [0, 0]])
    assert literal.index(f) != literal.index(f.reversed())
    losses = literal.losses([0.3, 0.4])
    assert losses[literal.index(f)] == losses[literal.index(f.reversed())]
