"""What Algorithm 3 learns from a round of exploitation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RewardMode = Literal["full", "ipw0", "literal"]


@dataclass(frozen=True)
class Rewards:
    """The estimate r̂ of the rewards r = c₀ - Δ when only the chosen action's is looked at."""

    mode: RewardMode
    eta: float
    c0: float
    alpha: float
    beta: float

    @property
    def full(self) -> bool:
        """Whether every action's reward is learnt."""
        return self.mode == "full"

    @property
    def otherwise(self) -> float:
        """r̂ of an action that was not chosen, or too improbable."""
        return self.alpha if self.mode == "literal" else 0.0

    def chosen(self, loss: float, probability: float) -> float:
        """r̂ of the chosen action."""
        return (self.c0 - loss) / probability if probability > self.beta else self.otherwise
