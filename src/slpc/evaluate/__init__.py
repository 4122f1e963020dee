"""How good a curve learnt from a stream is: prequential loss, regret, fidelity to a known curve, R².

Any model will do whose curve can be told; `curve_of` says how.
"""

from slpc.evaluate.comparison import Fidelity, fidelity, r_squared, turning
from slpc.evaluate.models import NoCurveError, curve_of, path_through
from slpc.evaluate.stream import Losses, Prequential, prequential, regret

__all__ = [
    "Fidelity",
    "Losses",
    "NoCurveError",
    "Prequential",
    "curve_of",
    "fidelity",
    "path_through",
    "prequential",
    "r_squared",
    "regret",
    "turning",
]
