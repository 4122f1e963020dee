"""What a learner is told; everything else it takes from the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Parameters of the learner, with defaults that need no tuning; see `slpc.SLPC` for what they mean."""

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
        whole = {
            "max_segments": (1, 10_000),
            "memory": (16, 1_000_000),
            "warm_up": (2, 1_000_000),
            "random_state": (0, 2**63 - 1),
        }
        for name, (least, most) in whole.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
                raise ValueError(f"{name} must be a whole number from {least} to {most:,}, got {value!r}")
        if self.half_life is not None and not (np.isfinite(self.half_life) and self.half_life >= 1):
            raise ValueError(f"half_life must be a number of points, at least 1, or None, got {self.half_life!r}")
        for name in ("length_penalty", "segment_penalty", "temperature"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
        if self.spacing is not None and not 1e-145 <= self.spacing <= 1e150:
            raise ValueError(f"spacing must be a number from 1e-145 to 1e150, or None, got {self.spacing!r}")
        if self.exploration is not None and not 0 <= self.exploration <= 1:
            raise ValueError(f"exploration must be a probability or None, got {self.exploration!r}")
        if self.memory < 2 * self.warm_up:
            raise ValueError(f"memory must hold twice the warm-up of {self.warm_up} points, got {self.memory}")

    @property
    def decay(self) -> float:
        """What is left of a point's weight after one more point."""
        return 1.0 if self.half_life is None else float(0.5 ** (1.0 / self.half_life))
