"""slpc: learn a principal curve from a data stream, on the fly.

The names most people need are here: `Polyline` is the curve. `slpc.paper` holds the algorithms, constants
and bounds of Guedj and Li's paper, literally.
"""

from slpc.polyline import Cell, Polyline, Projection

__all__ = ["Cell", "Polyline", "Projection", "__version__"]

__version__ = "0.1.0"
