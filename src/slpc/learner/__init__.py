"""The production learner: one pass over a stream, in bounded memory. See docs/learner.md."""

from slpc.learner.learner import Learner
from slpc.learner.settings import Settings

__all__ = ["Learner", "Settings"]
