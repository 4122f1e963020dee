"""A simulated vehicle: it drives along streets, slows down at corners, stops at lights, and its GPS is noisy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slpc.polyline import Array, Polyline

_METRES_PER_DEGREE = 111_320.0
_SPEED = 13.0  # m/s on a straight street
_CORNER_SPEED = 4.0
_ACCELERATION = 1.5  # m/s²
_RED_LIGHTS = 0.4  # part of the corners with a stop


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

    def to_lonlat(self, metres: Array) -> Array:
        """Longitude and latitude of positions in metres around the origin."""
        longitude, latitude = self.origin
        scale = np.array([_METRES_PER_DEGREE * np.cos(np.radians(latitude)), _METRES_PER_DEGREE])
        return np.asarray(metres / scale + [longitude, latitude])


def drive(
    n: int = 600,
    *,
    noise: float = 5.0,
    origin: tuple[float, float] = (2.35, 48.85),
    random_state: int | None = None,
) -> Trip:
    """Simulate a trip of n seconds through a town of right-angled streets."""
    if n < 2:
        raise ValueError(f"a trip needs at least 2 positions, got n={n}")
    random = np.random.default_rng(random_state)
    route = _route(n * _SPEED, random)
    places = _places(route, n, random)
    true = route.point_at(places)
    driven = route.trim(0.0, float(places[-1])) if places[-1] > 0 else route
    # The error of a GPS receiver wanders: part of it is carried over from one second to the next.
    error = random.standard_normal((n, 2))
    for i in range(1, n):
        error[i] = 0.5 * error[i - 1] + np.sqrt(0.75) * error[i]
    return Trip(true + noise * error, driven, origin, noise)


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


def _places(route: Polyline, n: int, random: np.random.Generator) -> Array:
    """Arc length reached after each second."""
    corners = route.vertex_arc_lengths[1:]
    reds = random.random(len(corners)) < _RED_LIGHTS
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
