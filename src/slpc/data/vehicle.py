"""Simulated vehicles: they drive along streets, slow down at corners, stop at lights, and their GPS is noisy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from slpc.polyline import Array, Polyline

_METRES_PER_DEGREE = 111_320.0
_SPEED = 13.0  # m/s on a straight street
_CORNER_SPEED = 4.0
_ACCELERATION = 1.5  # m/s²
_OUTLIER = 50.0  # how far off an outlier is, in standard deviations of the noise
_TOWN = 3000.0  # metres: a fleet's vehicles start within this square


@dataclass(frozen=True)
class Trip:
    """What the vehicle sends, one position a second, and where it really drove."""

    positions: Array
    """Measured positions in metres east and north of the origin, (n, 2)."""
    route: Polyline
    """The streets driven along."""
    origin: tuple[float, float]
    """Longitude and latitude of the origin."""
    noise: float
    """Standard deviation of the measured positions in metres, in each coordinate."""

    outlier: NDArray[np.bool_]
    """Which positions are far off."""

    def to_lonlat(self, metres: Array) -> Array:
        """Longitude and latitude of positions in metres around the origin."""
        return _to_lonlat(metres, self.origin)


@dataclass(frozen=True, eq=False)
class Fleet:
    """What several vehicles send, in the order of time, and where they really drove."""

    keys: NDArray[np.str_]
    """Who sends each position, (n,)."""
    seconds: Array
    """When, since the first vehicle set off, (n,), not decreasing."""
    positions: Array
    """Measured positions in metres east and north of the origin, (n, 2)."""
    outlier: NDArray[np.bool_]
    """Which positions are far off."""
    trips: dict[str, Trip]
    """The trip of each vehicle by its key, in the same coordinates."""
    origin: tuple[float, float]
    """Longitude and latitude of the origin."""

    def to_lonlat(self, metres: Array) -> Array:
        """Longitude and latitude of positions in metres around the origin."""
        return _to_lonlat(metres, self.origin)


def _to_lonlat(metres: Array, origin: tuple[float, float]) -> Array:
    longitude, latitude = origin
    scale = np.array([_METRES_PER_DEGREE * np.cos(np.radians(latitude)), _METRES_PER_DEGREE])
    return np.asarray(metres / scale + [longitude, latitude])


def drive(
    n: int = 600,
    *,
    noise: float = 5.0,
    origin: tuple[float, float] = (2.35, 48.85),
    stops: float = 0.4,
    outliers: float = 0.0,
    random_state: int | None = None,
) -> Trip:
    """Simulate a trip of n seconds through a town of right-angled streets.

    `stops` is the part of the corners at which the vehicle waits for 5 to 24 seconds, `outliers` the probability that
    a position is 50 times the noise away from where it should be.
    """
    if n < 2:
        raise ValueError(f"a trip needs at least 2 positions, got n={n}")
    for name, part in (("stops", stops), ("outliers", outliers)):
        if not 0 <= part <= 1:
            raise ValueError(f"{name} must be between 0 and 1, got {part}")
    random = np.random.default_rng(random_state)
    route = _route(n * _SPEED, random)
    places = _places(route, n, stops, random)
    true = route.point_at(places)
    driven = route.trim(0.0, float(places[-1])) if places[-1] > 0 else route
    # The error of a GPS receiver wanders: part of it is carried over from one second to the next.
    error = random.standard_normal((n, 2))
    for i in range(1, n):
        error[i] = 0.5 * error[i - 1] + np.sqrt(0.75) * error[i]
    outlier = random.random(n) < outliers
    angle = random.uniform(0, 2 * np.pi, n)
    error[outlier] += _OUTLIER * np.column_stack([np.cos(angle), np.sin(angle)])[outlier]
    return Trip(true + noise * error, driven, origin, noise, outlier)


def fleet(
    vehicles: int = 5,
    n: int = 600,
    *,
    every: int = 1,
    noise: float = 5.0,
    origin: tuple[float, float] = (2.35, 48.85),
    stops: float = 0.4,
    outliers: float = 0.0,
    random_state: int | None = None,
) -> Fleet:
    """Simulate several vehicles that drive for n seconds each; every one sends its position `every` so many seconds.

    They set off one after the other within the first minute, somewhere in the town. Keys are "vehicle-1" and so on.
    The other parameters are those of `drive`.
    """
    if vehicles < 1 or every < 1:
        raise ValueError(f"vehicles and every must be at least 1, got vehicles={vehicles}, every={every}")
    random = np.random.default_rng(random_state)
    trips, keys, seconds, positions, outlier = {}, [], [], [], []
    for number in range(1, vehicles + 1):
        key = f"vehicle-{number}"
        seed = int(random.integers(2**32))
        trip = drive(n, noise=noise, origin=origin, stops=stops, outliers=outliers, random_state=seed)
        trips[key] = trip = _moved(trip, random.uniform(-_TOWN / 2, _TOWN / 2, 2))
        sent = slice(None, None, every)
        keys += [key] * len(trip.positions[sent])
        seconds.append(np.arange(n, dtype=np.float64)[sent] + (random.uniform(0, 60) if number > 1 else 0.0))
        positions.append(trip.positions[sent])
        outlier.append(trip.outlier[sent])
    times = np.concatenate(seconds)
    by_time = np.argsort(times, kind="stable")
    return Fleet(
        np.array(keys)[by_time],
        times[by_time],
        np.concatenate(positions)[by_time],
        np.concatenate(outlier)[by_time],
        trips,
        origin,
    )


def _moved(trip: Trip, by: Array) -> Trip:
    return replace(trip, positions=trip.positions + by, route=Polyline(trip.route.vertices + by))


def _route(at_least: float, random: np.random.Generator) -> Polyline:
    """Streets of 150 to 500 m with a right angle between them, outwards more often than not."""
    corners = [np.zeros(2)]
    heading = np.array([1.0, 0.0])
    length = 0.0
    turn = 1.0
    while length < at_least:
        street = random.uniform(150, 500)
        corners.append(corners[-1] + street * heading)
        length += street
        # Turning left and right by turns leads away; now and then twice the same way.
        turn = -turn if random.random() < 0.85 else turn
        heading = turn * np.array([-heading[1], heading[0]])
    return Polyline(np.stack(corners))


def _places(route: Polyline, n: int, stops: float, random: np.random.Generator) -> Array:
    """Arc length reached after each second."""
    corners = route.vertex_arc_lengths[1:]
    reds = random.random(len(corners)) < stops
    waits = random.integers(5, 25, len(corners))
    places = np.zeros(n)
    place, speed, corner, waiting = 0.0, 0.0, 0, 0
    for i in range(n):
        places[i] = place
        if waiting:
            waiting -= 1
            continue
        ahead = corners[corner] - place
        at_corner = 0.0 if reds[corner] else _CORNER_SPEED
        allowed = np.sqrt(at_corner**2 + 2 * _ACCELERATION * ahead)
        speed = float(min(speed + _ACCELERATION, allowed, _SPEED))
        if speed >= ahead or ahead < 1.0:
            if reds[corner]:
                waiting, speed = int(waits[corner]), 0.0
            corner = min(corner + 1, len(corners) - 1)
        place = min(place + max(speed, 1.0), route.length)
    return places
