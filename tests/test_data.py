import numpy as np
import pytest

from slpc.data import corner, drive, parabola, ray


@pytest.mark.parametrize("make", [parabola, corner, ray])
def test_small_streams_lie_in_the_ball(make):
    X = make(500, random_state=0)
    assert X.shape == (500, 2)
    assert (np.linalg.norm(X, axis=1) <= np.sqrt(2) * (1 + 1e-12)).all()
    assert np.array_equal(X, make(500, random_state=0))
    assert not np.array_equal(X, make(500, random_state=1))


def test_parabola():
    X = parabola(4000, noise=0.05, random_state=0)
    assert np.std(X[:, 1] - (X[:, 0] ** 2 - 0.5)) == pytest.approx(0.05, rel=0.05)
    x = parabola(50, order="sorted", random_state=0)[:, 0]
    assert (np.diff(x) > 0).all()
    with pytest.raises(ValueError, match='"random" or "sorted"'):
        parabola(5, order="shuffled")


def test_a_trip():
    trip = drive(900, noise=4.0, random_state=1)
    assert trip.positions.shape == (900, 2)
    error = np.sqrt(trip.route.squared_distances(trip.positions).mean())
    assert error == pytest.approx(4.0, rel=0.15)  # only the part across the street is seen
    steps = np.diff(trip.route.vertices[:-1], axis=0)
    assert (np.abs(steps).min(axis=1) < 1e-6).all()  # every street runs along an axis
    assert ((np.abs(steps).max(axis=1) >= 150 - 1e-6) & (np.abs(steps).max(axis=1) <= 500 + 1e-6)).all()
    assert np.array_equal(trip.positions, drive(900, noise=4.0, random_state=1).positions)


def test_the_vehicle_drives_and_stops():
    trip = drive(900, noise=1e-9, random_state=1)
    places = trip.route.project(trip.positions).arc_length
    speed = np.diff(places)
    assert speed.max() <= 13.0 + 1e-6
    assert speed.min() >= -1e-6
    assert (speed < 1e-6).sum() > 5  # waits at a light
    assert places[-1] == pytest.approx(trip.route.length, abs=1e-6)
    with pytest.raises(ValueError, match="at least 2 positions"):
        drive(1)


def test_longitude_and_latitude():
    trip = drive(10, origin=(2.35, 48.85), random_state=0)
    there = trip.to_lonlat(np.array([[0.0, 0.0], [0.0, 1113.2], [1000.0, 0.0]]))
    np.testing.assert_allclose(there[:2], [[2.35, 48.85], [2.35, 48.86]])
    assert there[2, 0] - 2.35 == pytest.approx(1000 / (111_320 * np.cos(np.radians(48.85))))
