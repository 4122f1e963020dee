"""Perturbations that belong to an action: the same for the same action, round and seed, and stored nowhere."""

import numpy as np

from slpc.kernels._jit import Floats, Ints, kernel


@kernel
def hashed_exponentials(seed: int, actions: Ints, z: Floats) -> None:
    """Fill z with a draw of law Exp(1) for each row of whole numbers, made of `seed` and the row alone."""
    for i in range(actions.shape[0]):
        state = mix(np.uint64(seed))
        for j in range(actions.shape[1]):
            state = mix(state ^ np.uint64(actions[i, j]))
        # 53 bits, moved off zero: the logarithm is finite.
        uniform = (np.float64(state >> np.uint64(11)) + 0.5) * 2.0**-53
        z[i] = -np.log(uniform)


@kernel
def mix(state: np.uint64) -> np.uint64:
    """One step of the splitmix64 generator (Steele, Lea and Flood 2014)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
