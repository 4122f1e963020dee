"""Principal curves from all the data at once: what people use today, and what a learner can be measured against."""

from slpc.batch.hastie_stuetzle import HastieStuetzle

__all__ = ["HastieStuetzle"]
