import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from slpc import Polyline
from slpc.paper import Lattice
from slpc.paper.partition import diameter_of, local_part, neighbourhood, split

import reference
from strategies import coordinates, lines_and_points

STAIRS = Polyline([[0, 0], [2, 1], [4, 0], [6, 1]])  # three segments, as in the paper's figure


@pytest.mark.parametrize("x", [[5.0, 1.5], [7.0, 2.0], [6.5, 1.25]])
def test_the_paper_s_example(x):
    """x on s₃ or beyond v₄: N(x) is the union of S₂, V₃, S₃ and V₄."""
    assert [str(cell) for cell in neighbourhood(STAIRS, x)] == ["S2", "V3", "S3", "V4"]


def test_inner_cells():
    assert [str(c) for c in neighbourhood(STAIRS, [3, 0.4])] == ["S1", "V2", "S2", "V3", "S3"]
    assert [str(c) for c in neighbourhood(STAIRS, [-1, 0])] == ["V1", "S1", "V2", "S2"]
    # At an inner vertex the segment that starts there carries the point; or both do.
    above = [2, 3]
    assert str(STAIRS.voronoi_cell(above)) == "V2"
    assert [str(c) for c in neighbourhood(STAIRS, above)] == ["S1", "V2", "S2", "V3", "S3"]
    assert [str(c) for c in neighbourhood(STAIRS, above, both_sides=True)] == ["V1", "S1", "V2", "S2", "V3", "S3"]


@given(lines_and_points(), st.booleans())
def test_neighbourhood_equals_its_twin(case, both_sides):
    vertices, X = case
    f = Polyline(vertices)
    for x in X:
        if (
            reference.cell(vertices, x) == f.voronoi_cell(x)
            and reference.projection(vertices, x)[0] == f.project(x).segment[0]
        ):
            found = {(c.kind, c.number) for c in neighbourhood(f, x, both_sides=both_sides)}
            assert found == reference.neighbourhood(vertices, x, both_sides)


@given(lines_and_points())
def test_both_sides_agree_with_the_reverse(case):
    vertices, X = case
    f = Polyline(vertices)
    k = f.n_segments
    for x in X:
        distances = sorted(reference.nearest_on_segment(x, vertices[i], vertices[i + 1])[0] for i in range(k))
        at_vertex = f.voronoi_cell(x).kind == "V" and f.reversed().voronoi_cell(x).kind == "V"
        near = 2 if at_vertex and 1 < f.voronoi_cell(x).number <= k else 1
        if len(distances) > near and distances[near] - distances[0] < 1e-6:
            continue  # several places are equally near: the supremum depends on the direction
        forth = {(c.kind, c.number) for c in neighbourhood(f, x, both_sides=True)}
        back = {
            (c.kind, (k + 2 if c.kind == "V" else k + 1) - c.number)
            for c in neighbourhood(f.reversed(), x, both_sides=True)
        }
        if f.voronoi_cell(x).kind == f.reversed().voronoi_cell(x).kind:
            assert forth == back


@given(hnp.arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=coordinates))
def test_diameter_equals_its_twin(X):
    assert diameter_of(X - X.mean(axis=0)) == pytest.approx(reference.greatest_distance(X), rel=1e-9, abs=1e-9)


def free(bits):
    return np.array([b == "1" for b in bits])


@pytest.mark.parametrize(
    ("bits", "segment", "code", "max_free", "range_"),
    [
        ("0110", 1, 3, None, (1, 3)),  # both ends of the segment
        ("1111", 1, 3, None, (0, 4)),  # the whole run
        ("1111", 1, 3, 2, (1, 3)),  # cut to the ends of the segment
        ("1111", 1, 3, 3, (1, 4)),
        ("1011", 0, 1, None, (0, 1)),  # the run ends at the first vertex that is not free
        ("1101", 2, 5, None, (3, 4)),  # vertex 1 is free, but not next to the run
        ("0100", 0, 1, None, (1, 2)),  # one vertex
        ("0000", 1, 3, None, (2, 2)),  # none: a slot on the segment
        ("0000", 0, 0, None, (0, 0)),  # ... before the beginning, where the point projects on it
        ("0000", 2, 6, None, (4, 4)),  # ... and behind the end
        ("1001", 1, 3, 2, (2, 2)),  # free vertices elsewhere stay in (i) and (iii)
        ("0110", 1, 4, 1, (2, 3)),  # one only: the one the point projects on
        ("0110", 1, 3, 1, (1, 2)),
    ],
)
def test_split(bits, segment, code, max_free, range_):
    assert split(free(bits), segment, code, max_free) == range_


def test_local_part():
    lattice = Lattice(radius=6, spacing=0.5, dim=2)
    seen = np.array([[0.0, 0.1], [1.0, 0.4], [3.0, 0.6], [5.0, 0.4], [5.5, 0.9]])
    local = local_part(STAIRS, seen[-1], seen, lattice, both_sides=False, max_free=2)
    # N(x) = S2, V3, S3, V4 holds the last three points.
    assert np.array_equal(local.data, seen[2:])
    np.testing.assert_allclose(local.centre, seen[2:].mean(axis=0))
    assert local.radius == pytest.approx(reference.greatest_distance(seen[2:]))
    grid = lattice.position(local.grid())
    assert (np.linalg.norm(grid - local.centre, axis=1) <= local.radius * (1 + 1e-9)).all()
    assert local.holds(local.grid()).all()
    assert (local.low, local.high) == (2, 4)


def test_a_single_point_has_diameter_zero():
    lattice = Lattice(radius=6, spacing=0.5, dim=2)
    seen = np.array([[0.2, 0.1], [5.5, 0.9]])
    local = local_part(STAIRS, seen[-1], seen, lattice, both_sides=False, max_free=2)
    assert len(local.data) == 1
    assert local.radius == pytest.approx(np.sqrt(2) * 0.5)
    assert len(local.grid()) >= 4
