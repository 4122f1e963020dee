"""slpc: learn a principal curve from a data stream, on the fly.

`SLPC` is the learner with the face of a scikit-learn estimator, `load` reads one back, `Polyline` is the curve.
`slpc.river.SLPC` has river's face, `evaluate` measures how good a curve is. `slpc.paper` holds the algorithms,
constants and bounds of Guedj and Li's paper, literally.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slpc.polyline import Cell, Polyline, Projection

if TYPE_CHECKING:
    from slpc import evaluate
    from slpc.estimator import SLPC, load

__all__ = ["SLPC", "Cell", "Polyline", "Projection", "__version__", "evaluate", "load"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load scikit-learn only when its face is asked for: `import slpc` stays light."""
    if name in ("SLPC", "load"):
        from slpc import estimator

        return getattr(estimator, name)
    if name == "evaluate":
        return import_module("slpc.evaluate")
    raise AttributeError(f"module 'slpc' has no attribute {name!r}")
