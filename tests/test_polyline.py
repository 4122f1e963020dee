import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from slpc import Cell, Polyline

import reference
from strategies import lines, lines_and_points

CORNER = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]


def test_what_it_is():
    f = Polyline(CORNER)
    assert (f.length, f.n_segments, f.dim) == (7.0, 2, 2)
    assert f.vertex_arc_lengths.tolist() == [0.0, 3.0, 7.0]
    assert repr(f) == "<Polyline: 2 segments, length 7, in 2 dimensions>"


def test_it_never_changes():
    given_vertices = np.array(CORNER)
    f = Polyline(given_vertices)
    given_vertices[0, 0] = 9.0
    assert f.vertices[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        f.vertices[0, 0] = 1.0
    with pytest.raises(AttributeError, match="never changes"):
        f.length_ = 3


def test_equality_and_hash():
    f, g = Polyline(CORNER), Polyline(np.array(CORNER) * [1.0, -0.0] + [[0, -0.0], [0, 0], [0, 4]])
    assert f == g
    assert hash(f) == hash(g)
    assert f != f.reversed()
    assert f != "a line"
    assert len({f, g, f.reversed()}) == 2


def test_copies_and_pickles():
    f = Polyline(CORNER)
    for g in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        assert g == f
        assert not g.vertices.flags.writeable


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        ([[0, 0]], "at least two vertices, got 1"),
        ([[0, 0], [0, 0]], "vertices 0 and 1 coincide"),
        ([[0, 0], [1, 0], [2, 0], [2, 0]], "vertices 2 and 3 coincide"),
        ([[0, 0], [1, float("nan")]], "row 1, coordinate 1 is nan"),
        ([[0, 0], [float("-inf"), 1]], "row 1, coordinate 0 is -inf"),
        ([[0, 0], [1e200, 1]], "row 1, coordinate 0 is 1e\\+200"),
        ([0, 1, 2], "shape \\(n, d\\)"),
        ([[0, 0], [1]], "table of numbers"),
        ([["a", "b"], ["c", "d"]], "table of numbers"),
        (np.zeros((3, 0)), "d >= 1"),
    ],
)
def test_bad_vertices(vertices, message):
    with pytest.raises(ValueError, match=message):
        Polyline(vertices)


def test_bad_points():
    f = Polyline(CORNER)
    with pytest.raises(ValueError, match="points have 3 coordinates, expected 2"):
        f.project([[1, 2, 3]])
    with pytest.raises(ValueError, match="row 1, coordinate 0 is nan"):
        f.project([[1, 2], [float("nan"), 2]])
    with pytest.raises(ValueError, match="expected one point, got 2"):
        f.voronoi_cell([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="arc length 1 is NaN"):
        f.point_at([0.0, float("nan")])
    with pytest.raises(ValueError, match="column"):
        f.point_at(np.zeros((2, 2)))


def test_no_points_at_all():
    found = Polyline(CORNER).project(np.empty((0, 2)))
    assert found.point.shape == (0, 2)
    assert found.arc_length.size == 0


@given(lines_and_points())
def test_project_equals_its_twin(case):
    vertices, X = case
    found = Polyline(vertices).project(X)
    for i, x in enumerate(X):
        carrier, tau, dist2 = reference.projection(vertices, x)
        scale = 1 + np.abs(vertices).max() + np.abs(x).max()
        assert found.squared_distance[i] == pytest.approx(dist2, rel=1e-9, abs=1e-13 * scale**2)
        assert np.square(found.point[i] - x).sum() == pytest.approx(dist2, rel=1e-9, abs=1e-13 * scale**2)
        if found.segment[i] == carrier:
            step = vertices[carrier + 1] - vertices[carrier]
            assert found.point[i] == pytest.approx(vertices[carrier] + tau * step, abs=1e-6 * scale)
        else:  # on the edge of what counts as a tie: both are nearest
            again = reference.nearest_on_segment(x, *vertices[found.segment[i] : found.segment[i] + 2])[0]
            assert again == pytest.approx(dist2, rel=1e-11, abs=1e-22 * scale**2)


@given(lines_and_points())
def test_projection_is_optimal_and_lies_on_the_curve(case):
    vertices, X = case
    f = Polyline(vertices)
    found = f.project(X)
    assert (found.arc_length >= 0).all()
    assert (found.arc_length <= f.length).all()
    scale = 1 + np.abs(vertices).max()
    np.testing.assert_allclose(f.point_at(found.arc_length), found.point, atol=1e-9 * scale)
    along = f.point_at(np.linspace(0, f.length, 101))
    dist2 = np.square(X[:, None] - along[None]).sum(axis=2).min(axis=1)
    assert (found.squared_distance <= dist2 + 1e-9 * scale**2).all()


@given(lines_and_points())
def test_distance_is_1_lipschitz(case):
    vertices, X = case
    distance = np.sqrt(Polyline(vertices).squared_distances(X))
    apart = np.linalg.norm(X[:, None] - X[None], axis=2)
    assert (np.abs(distance[:, None] - distance[None]) <= apart + 1e-7).all()


@given(lines_and_points(), st.integers(-40, 40))
def test_scaling_by_powers_of_two_is_exact(case, power):
    vertices, X = case
    a, b = Polyline(vertices).project(X), Polyline(np.ldexp(vertices, power)).project(np.ldexp(X, power))
    assert np.array_equal(np.ldexp(a.arc_length, power), b.arc_length)
    assert np.array_equal(np.ldexp(a.squared_distance, 2 * power), b.squared_distance)
    assert np.array_equal(a.segment, b.segment)


@given(lines_and_points())
def test_reversal(case):
    vertices, X = case
    f = Polyline(vertices)
    assert f.reversed().reversed() == f
    assert f.reversed().length == pytest.approx(f.length)
    np.testing.assert_allclose(f.reversed().squared_distances(X), f.squared_distances(X), atol=1e-9)


def test_ties_go_to_the_supremum():
    u = Polyline([[0, 0], [4, 0], [4, 2], [0, 2]])
    assert u.project([1, 1]).arc_length[0] == 9.0  # as near to the first arm, at 1
    assert u.project([1, 1]).segment[0] == 2
    there_and_back = Polyline([[0, 0], [2, 0], [0, 0]])
    assert there_and_back.project([0.5, 1]).arc_length[0] == 3.5
    loop = Polyline([[0, 0], [1, 0], [1, 1], [0, 0]])
    assert loop.project([0, 0]).arc_length[0] == loop.length


def test_a_shared_vertex_is_carried_by_the_segment_that_starts_there():
    found = Polyline(CORNER).project([[4, -1], [3, 0]])
    assert found.segment.tolist() == [1, 1]
    assert found.arc_length.tolist() == [3.0, 3.0]


def test_voronoi_cells():
    f = Polyline(CORNER)
    points = {"V1": [-1, 1], "S1": [1, 1], "V2": [4, -1], "S2": [2.5, 2], "V3": [3, 5]}
    assert {name: str(f.voronoi_cell(x)) for name, x in points.items()} == {name: name for name in points}
    assert f.voronoi_cell([1, 1]) == Cell("S", 1)


@given(lines_and_points())
def test_voronoi_cell_equals_its_twin(case):
    vertices, X = case
    f = Polyline(vertices)
    for x in X:
        if reference.projection(vertices, x)[0] == f.project(x).segment[0]:
            kind, number = f.voronoi_cell(x)
            tau = reference.projection(vertices, x)[1]
            if min(abs(tau - 1e-12), abs(tau - (1 - 1e-12))) > 1e-13:
                assert (kind, number) == reference.cell(vertices, x)


@given(lines(), st.integers(2, 30))
@example(np.array([[1.0], [0.0], [1.0]]), 2)
def test_resample(vertices, n):
    f = Polyline(vertices)
    places = f.point_at(np.linspace(0, f.length, n))
    if (places == places[0]).all():
        with pytest.raises(ValueError, match="one place of this closed line"):
            f.resample(n)
        return
    g = f.resample(n)
    assert np.array_equal(g.vertices[0], f.vertices[0])
    assert np.array_equal(g.vertices[-1], f.vertices[-1])
    assert g.length <= f.length * (1 + 1e-9)
    assert g.n_segments <= n - 1
    assert f.squared_distances(g.vertices) == pytest.approx(np.zeros(g.n_segments + 1), abs=1e-15 * (1 + f.length) ** 2)


@given(lines(), st.floats(0, 1), st.floats(0, 1))
def test_trim(vertices, a, b):
    f = Polyline(vertices)
    s0, s1 = sorted((a * f.length, b * f.length))
    if s1 - s0 < 1e-6 * f.length:
        return
    part = f.trim(s0, s1)
    assert part.length == pytest.approx(s1 - s0, rel=1e-6)
    np.testing.assert_allclose(part.vertices[0], f.point_at(s0), atol=1e-9)
    np.testing.assert_allclose(part.vertices[-1], f.point_at(s1), atol=1e-9)


def test_trim_the_whole_and_nonsense():
    f = Polyline(CORNER)
    assert f.trim(0, f.length) == f
    assert f.trim(1, 3) == Polyline([[1, 0], [3, 0]])
    for s0, s1 in ((3, 1), (-1, 2), (0, 8), (2, 2), (float("nan"), 1)):
        with pytest.raises(ValueError, match="trim needs 0 <= s0 < s1 <= 7"):
            f.trim(s0, s1)
    with pytest.raises(ValueError, match="at least 2"):
        f.resample(1)


def test_point_at():
    f = Polyline(CORNER)
    assert f.point_at(3.5).tolist() == [3.0, 0.5]
    assert f.point_at([0, 3, 7, 8, -1]).tolist() == [[0, 0], [3, 0], [3, 4], [3, 4], [0, 0]]
    assert f.point_at([[1.0]]).tolist() == [[1.0, 0.0]]


def test_geojson():
    feature = Polyline(CORNER).to_geojson({"name": "corner"})
    assert feature == {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]},
        "properties": {"name": "corner"},
    }
    with pytest.raises(ValueError, match="2 or 3 coordinates, this curve has 1"):
        Polyline([[0], [1]]).to_geojson()


@given(lines())
def test_dict_round_trip_through_json(vertices):
    f = Polyline(vertices)
    assert Polyline.from_dict(json.loads(json.dumps(f.to_dict()))) == f


@pytest.mark.parametrize("data", [{}, {"type": "LineString", "vertices": CORNER}, [1, 2], {"type": "slpc.Polyline"}])
def test_from_dict_of_something_else(data):
    with pytest.raises(ValueError, match="not a curve"):
        Polyline.from_dict(data)
