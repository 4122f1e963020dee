"""Principal curves from all the data at once: what people use today, and what a learner can be measured against."""

from slpc.batch.hastie_stuetzle import HastieStuetzle
from slpc.batch.polygonal_line import PolygonalLine
from slpc.batch.selected import SelectedPolygonalLine

__all__ = ["HastieStuetzle", "PolygonalLine", "SelectedPolygonalLine"]
