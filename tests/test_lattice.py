import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slpc.paper import Lattice

import reference

lattices = st.builds(
    Lattice,
    radius=st.floats(0.5, 3),
    spacing=st.floats(0.45, 2),
    dim=st.integers(1, 3),
    offset=st.floats(-1, 1),
)


@given(lattices)
def test_points_equal_the_twin(lattice):
    twin = reference.lattice_points(lattice.radius, lattice.spacing, lattice.dim, lattice.offset)
    assert len(lattice) == len(twin)
    if len(twin):
        np.testing.assert_allclose(lattice.points, twin, atol=1e-12)


@pytest.mark.parametrize(("spacing", "plain", "half_cell"), [(1, 9, 4), (0.7, 13, 12), (0.5, 25, 24)])
def test_numbers_of_points(spacing, plain, half_cell):
    assert len(Lattice(radius=1, spacing=spacing, dim=2)) == plain
    assert len(Lattice(radius=1, spacing=spacing, dim=2, offset=spacing / 2)) == half_cell


@given(lattices, st.lists(st.floats(-6, 6), min_size=3, max_size=3), st.floats(0.1, 4))
def test_ball(lattice, centre, radius):
    centre = np.array(centre[: lattice.dim])
    inside = np.square(lattice.points - centre).sum(axis=1) <= radius**2 * (1 + 1e-12)
    np.testing.assert_allclose(lattice.position(lattice.ball(centre, radius)), lattice.points[inside], atol=1e-12)


@given(lattices, st.lists(st.floats(-50, 50), min_size=3, max_size=3))
def test_nearest(lattice, x):
    if not len(lattice):
        return
    x = np.array(x[: lattice.dim])
    found = lattice.nearest(x)
    assert lattice.contains(found)
    best = np.square(lattice.points - x).sum(axis=1).min()
    assert np.square(lattice.position(found) - x).sum() == pytest.approx(best, rel=1e-9, abs=1e-12)


def test_nearest_of_many():
    lattice = Lattice(radius=1, spacing=1, dim=2)
    assert lattice.nearest([[0.2, 0.9], [9, 9], [-3, 0.1]]).tolist() == [[0, 1], [1, 1], [-1, 0]]
    empty = Lattice(radius=0.1, spacing=1, dim=2, offset=0.5)
    with pytest.raises(ValueError, match="no lattice point lies in the ball"):
        empty.nearest([0, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"radius": 0, "spacing": 1, "dim": 2}, "radius must be a positive number"),
        ({"radius": 1, "spacing": float("nan"), "dim": 2}, "spacing must be a positive number"),
        ({"radius": 1, "spacing": 1, "dim": 0}, "dim must be a whole number"),
        ({"radius": 1, "spacing": 1, "dim": 2, "offset": (1, 2, 3)}, "offset must be a finite number or 2"),
    ],
)
def test_bad_parameters(arguments, message):
    with pytest.raises(ValueError, match=message):
        Lattice(**arguments)


def test_too_many_points_are_refused():
    with pytest.raises(ValueError, match="too many points to list"):
        len(Lattice(radius=100, spacing=0.01, dim=3))


def test_approximate_size():
    lattice = Lattice(radius=5, spacing=0.5, dim=3)
    assert lattice.approximate_size == pytest.approx(len(lattice), rel=0.02)
