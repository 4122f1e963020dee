"""What a learner is told; everything else it takes from the data."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

_LARGEST = sys.float_info.max

_WHOLE = {
    "max_segments": (1, 1000),  # exploring sorts as many nodes into a path, in time that grows as their cube
    "memory": (16, 1_000_000),
    "warm_up": (2, 1_000_000),
    "random_state": (0, 2**63 - 1),
}
_NUMBERS = {
    "length_penalty": (0.0, _LARGEST, "a number of at least 0"),
    "segment_penalty": (0.0, _LARGEST, "a number of at least 0"),
    "temperature": (0.0, _LARGEST, "a number of at least 0"),
}
_NUMBERS_OR_NONE = {
    "half_life": (1.0, _LARGEST, "a number of points, at least 1, or None"),
    "exploration": (0.0, 1.0, "a probability or None"),
    "spacing": (1e-145, 1e150, "a number from 1e-145 to 1e150, or None"),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Parameters of the learner, with defaults that need no tuning; see `slpc.SLPC` for what they mean.

    Whatever kind of number is given, Python's are kept: for each other kind, every kernel would be compiled anew.
    """

    max_segments: int = 64
    memory: int = 512
    half_life: float | None = None
    lookahead: bool = True
    length_penalty: float = 1.0
    segment_penalty: float = 1.0
    exploration: float | None = None
    warm_up: int = 3
    start: tuple[float, ...] | None = None
    random_state: int = 0
    temperature: float = 0.0
    spacing: float | None = None

    def __post_init__(self) -> None:
        for name, (fewest, most) in _WHOLE.items():
            self._keep(name, whole_number(name, getattr(self, name), fewest, most))
        for name, (least, largest, allowed) in _NUMBERS.items():
            self._keep(name, number(name, getattr(self, name), least, largest, allowed))
        for name, (least, largest, allowed) in _NUMBERS_OR_NONE.items():
            if getattr(self, name) is not None:
                self._keep(name, number(name, getattr(self, name), least, largest, allowed))
        if not isinstance(self.lookahead, (bool, np.bool_)):
            raise ValueError(f"lookahead must be True or False, got {self.lookahead!r}")
        self._keep("lookahead", bool(self.lookahead))
        if self.memory < 2 * self.warm_up:
            raise ValueError(f"memory must hold twice the warm-up of {self.warm_up} points, got {self.memory}")

    def _keep(self, name: str, value: float) -> None:
        object.__setattr__(self, name, value)

    @property
    def decay(self) -> float:
        """What is left of a point's weight after one more point."""
        return 1.0 if self.half_life is None else float(0.5 ** (1.0 / self.half_life))


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """The value as an int, if it is one between the two."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most:,}, got {value!r}")
    return int(value)


def number(name: str, value: object, least: float, most: float, allowed: str) -> float:
    """The value as a float, if it is a number between the two; else the error says what is `allowed`."""
    try:
        found = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        found = math.inf
    if not least <= found <= most:
        raise ValueError(f"{name} must be {allowed}, got {value!r}")
    return found
