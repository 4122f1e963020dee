"""Streams to learn from: generators of the paper's settings and of a vehicle."""

from slpc.data.synthetic import corner, parabola, ray
from slpc.data.vehicle import Trip, drive

__all__ = ["Trip", "corner", "drive", "parabola", "ray"]
