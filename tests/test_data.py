import numpy as np
import pytest

from slpc.data import (
    corner,
    cubic,
    curve,
    curves,
    drive,
    extent,
    fleet,
    noisy_stream,
    parabola,
    ray,
    six_dimensional,
    smooth_curve,
)


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


def test_stops_and_outliers():
    quiet, loud = (drive(900, noise=4.0, outliers=part, random_state=1) for part in (0.0, 0.05))
    assert not quiet.outlier.any()
    assert 20 < loud.outlier.sum() < 75
    np.testing.assert_array_equal(loud.positions[~loud.outlier], quiet.positions[~loud.outlier])
    off = np.linalg.norm(loud.positions - quiet.positions, axis=1)[loud.outlier]
    np.testing.assert_allclose(off, 50 * 4.0)

    def waits(part):
        trip = drive(900, noise=1e-9, stops=part, random_state=1)
        return (np.diff(trip.route.project(trip.positions).arc_length) < 1e-6).sum()

    assert waits(0.0) == 0
    assert waits(1.0) > waits(0.4) > 0
    with pytest.raises(ValueError, match="outliers must be between 0 and 1, got 2"):
        drive(10, outliers=2)


def test_a_fleet():
    several = fleet(4, 300, every=5, noise=3.0, outliers=0.02, random_state=2)
    assert list(several.trips) == ["vehicle-1", "vehicle-2", "vehicle-3", "vehicle-4"]
    assert len(several.keys) == len(several.seconds) == len(several.positions) == len(several.outlier) == 4 * 60
    assert (np.diff(several.seconds) >= 0).all()
    assert several.seconds[0] == 0
    for key, trip in several.trips.items():
        mine = several.keys == key
        np.testing.assert_array_equal(several.positions[mine], trip.positions[::5])
        np.testing.assert_allclose(np.diff(several.seconds[mine]), 5)
        inliers = several.positions[mine & ~several.outlier]
        assert np.sqrt(trip.route.squared_distances(inliers).mean()) < 4.5
    assert len({tuple(trip.positions[0]) for trip in several.trips.values()}) == 4
    again = fleet(4, 300, every=5, noise=3.0, outliers=0.02, random_state=2)
    np.testing.assert_array_equal(again.positions, several.positions)
    np.testing.assert_allclose(several.to_lonlat(np.zeros((1, 2))), [several.origin])
    with pytest.raises(ValueError, match="vehicles and every must be at least 1"):
        fleet(0)


@pytest.mark.parametrize(("make", "name", "noise", "t"), [(cubic, "cubic", 0.1, 0), (six_dimensional, "6-D", 0.057, 2)])
def test_the_paper_s_streams(make, name, noise, t):
    X = make(5000, seed=0)
    truth = curve(name)
    assert X.shape == (5000, truth.dim)
    across = truth.squared_distances(X).mean() / (truth.dim - 1)  # noise along the curve is not seen
    assert across == pytest.approx(noise**2, rel=0.05)
    arc = truth.project(X).arc_length
    assert (np.diff(arc) > -8 * noise).all()
    assert len(make(seed=0)) == {"cubic": 100, "6-D": 200}[name]
    np.testing.assert_array_equal(X, make(5000, seed=0))
    shuffled = make(5000, order="random", seed=0)
    assert (np.diff(truth.project(shuffled).arc_length) < -1).sum() > 1000
    # A 6-D point's third coordinate is t / 2, the cubic's first is x.
    evenly = make(11, noise=0.0, abscissae="equidistant", seed=0)[:, t]
    np.testing.assert_allclose(np.diff(evenly), evenly[-1] / 10)
    assert evenly[0] == 0
    drawn = make(11, noise=0.0, abscissae="uniform", seed=0)[:, t]
    assert np.ptp(np.diff(drawn)) > 0.01 * evenly[-1]
    with pytest.raises(ValueError, match='"random" or "sorted"'):
        make(order="up")
    with pytest.raises(ValueError, match='"uniform" or "equidistant"'):
        make(abscissae="even")


def test_curves_by_name():
    known = curves()
    assert {"spiral", "half circle", "corner", "line", "sine", "helix", "S", "polygon", "smooth, 50-D"} <= set(known)
    assert curve("spiral") == known["spiral"]
    assert known["half circle"].length == pytest.approx(np.pi, rel=1e-6)
    assert known["helix"].length == pytest.approx(np.hypot(4 * np.pi, 3), rel=1e-6)
    assert known["smooth, 50-D"] == smooth_curve(50, seed=7)
    assert extent(known["cubic"]) == pytest.approx(12.5)
    with pytest.raises(ValueError, match="no curve 'circle': choose among 'cubic'"):
        curve("circle")
    with pytest.raises(ValueError, match="at least 1 dimension"):
        smooth_curve(0)


def test_noisy_streams():
    line = curve("line, 10-D")
    X = noisy_stream(line, 2000, 0.01, seed=3)
    assert line.squared_distances(X).mean() == pytest.approx(9 * 0.01**2, rel=0.05)
    places = line.project(noisy_stream(line, 50, 0.0, seed=3, order="sorted")).arc_length
    assert (np.diff(places) > 0).all()
    with pytest.raises(ValueError, match='"random" or "sorted"'):
        noisy_stream(line, 5, 0.1, order="backwards")
