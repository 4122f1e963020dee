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
        z[i] = exponential(state)


@kernel
def exponential(state: np.uint64) -> float:
    """A draw of law Exp(1), made of 64 random bits."""
    # 53 bits, moved off zero: the logarithm is finite.
    uniform = (np.float64(state >> np.uint64(11)) + 0.5) * 2.0**-53
    return float(-np.log(uniform))


@kernel
def hash_of_line(line: Floats, k: int, grid: float, shift: Floats) -> np.uint64:
    """Sum of a number for each segment, made of the points of the grid that are next to its two ends.

    The grid is {v: v + shift is a multiple of `grid`}. Being a sum, it can be brought up to date where a line changes;
    and a line and its reverse have the same.
    """
    total = np.uint64(0)
    before = np.uint64(0)
    for v in range(k + 1):
        here = np.uint64(0)
        for a in range(line.shape[1]):
            # Whole, and no larger than an integer may be.
            number = np.fmod(np.floor((line[v, a] + shift[a]) / grid + 0.5), 2.0**62)
            here = mix(here ^ np.uint64(np.int64(number)))
        if v > 0:
            total += mix(before + here)
        before = here
    return total


@kernel
def mix(state: np.uint64) -> np.uint64:
    """One step of the splitmix64 generator (Steele, Lea and Flood 2014)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
