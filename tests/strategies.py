"""Hypothesis strategies: lines and points, of ordinary size and with awkward coincidences."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

# Whole numbers make ties, right angles and overlaps likely; fractions make them unlikely. Squares of 1e-6 are far from
# underflow, so that exactness can be asked for.
coordinates = st.one_of(st.integers(-4, 4).map(float), st.floats(-10, 10).map(lambda x: round(x, 6)))


@st.composite
def lines(draw, max_segments=6, dims=(1, 2, 3)):
    """Vertices of a polygonal line whose segments are not tiny."""
    d = draw(st.sampled_from(dims))
    vertices = draw(hnp.arrays(float, (draw(st.integers(2, max_segments + 1)), d), elements=coordinates))
    keep = np.ones(len(vertices), dtype=bool)
    keep[1:] = np.abs(np.diff(vertices, axis=0)).max(axis=1) > 1e-3
    vertices = vertices[keep]
    if len(vertices) < 2:
        vertices = np.stack([vertices[0], vertices[0] + 1.0])
    # Dropping a vertex may bring two equal ones together.
    for i in range(len(vertices) - 1):
        if np.abs(vertices[i + 1] - vertices[i]).max() <= 1e-3:
            vertices[i + 1] += 1.0 + i
    steps = np.abs(np.diff(vertices, axis=0)).max(axis=1)
    return vertices if steps.min() > 1e-3 else np.stack([vertices[0], vertices[0] + 1.0])


@st.composite
def lines_and_points(draw, **kwargs):
    """A line and points of its space, (vertices, X)."""
    vertices = draw(lines(**kwargs))
    X = draw(hnp.arrays(float, (draw(st.integers(1, 8)), vertices.shape[1]), elements=coordinates))
    return vertices, X
