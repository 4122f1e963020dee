"""The paper, literally: read it beside "Sequential Learning of Principal Curves" by Guedj and Li.

Actions are polygonal lines on a lattice (`Lattice`, `ActionClass`); `PerturbedLeader` is Algorithms 1 and 2,
`SleepingLeader` Algorithm 3, `QuasiPosterior` the Gibbs quasi-posterior; `Constants` and `bounds` hold every
constant and bound as a number.
"""

from slpc.paper import bounds, penalties
from slpc.paper.actions import ActionClass
from slpc.paper.constants import Constants
from slpc.paper.lattice import Lattice
from slpc.paper.law import law_of_leader
from slpc.paper.leader import PerturbedLeader
from slpc.paper.posterior import QuasiPosterior
from slpc.paper.sleeping import SleepingLeader

__all__ = [
    "ActionClass",
    "Constants",
    "Lattice",
    "PerturbedLeader",
    "QuasiPosterior",
    "SleepingLeader",
    "bounds",
    "law_of_leader",
    "penalties",
]
