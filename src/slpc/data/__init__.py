"""Streams to learn from: curves to be found again, the paper's settings, vehicles; and readers of real data.

Readers take a path, or the name of a file in the folder that the environment variable SLPC_DATA names.
"""

from slpc.data.paper_streams import cubic, six_dimensional
from slpc.data.plates import PlateBoundaries, load_plate_boundaries
from slpc.data.quakes import Quakes, load_centennial, load_comcat
from slpc.data.shapes import curve, curves, extent, noisy_stream, smooth_curve
from slpc.data.synthetic import corner, parabola, ray
from slpc.data.tracks import Track, load_bus, load_commute, load_gpx
from slpc.data.vehicle import Fleet, Trip, drive, fleet

__all__ = [
    "Fleet",
    "PlateBoundaries",
    "Quakes",
    "Track",
    "Trip",
    "corner",
    "cubic",
    "curve",
    "curves",
    "drive",
    "extent",
    "fleet",
    "load_bus",
    "load_centennial",
    "load_comcat",
    "load_commute",
    "load_gpx",
    "load_plate_boundaries",
    "noisy_stream",
    "parabola",
    "ray",
    "six_dimensional",
    "smooth_curve",
]
