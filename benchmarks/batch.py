"""Time of one fit of each batch method, and how far it comes from the curve the data were made around."""

import time

import numpy as np

from slpc import Polyline
from slpc.batch import HastieStuetzle, PolygonalLine, SelectedPolygonalLine

MODELS = {
    "HastieStuetzle()": HastieStuetzle(),
    'HastieStuetzle(smoother="lowess")': HastieStuetzle(smoother="lowess"),
    'HastieStuetzle(smoother="periodic_lowess")': HastieStuetzle(smoother="periodic_lowess"),
    "PolygonalLine()": PolygonalLine(),
    "SelectedPolygonalLine()": SelectedPolygonalLine(),
    "SelectedPolygonalLine(charge_length=True)": SelectedPolygonalLine(charge_length=True),
}


def wave(t):
    return np.column_stack([4 * t, np.sin(2 * np.pi * t)])


def milliseconds(model, X):
    """The median of several fits, after one that loads or compiles the kernels."""
    model.fit(X[:50])
    times = []
    while not times or (sum(times) < 1.0 and len(times) < 50):
        start = time.perf_counter()
        model.fit(X)
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def main():
    truth = Polyline(wave(np.linspace(0, 1, 500)))
    print("| method | n | ms a fit | segments | distance to the truth |\n|---|---|---|---|---|")
    for name, model in MODELS.items():
        for n in (100, 1_000, 10_000):
            rng = np.random.default_rng(0)
            X = wave(rng.uniform(0, 1, n)) + 0.05 * rng.standard_normal((n, 2))
            took = milliseconds(model, X)
            curve = model.curve_
            gap = np.sqrt(curve.squared_distances(truth.resample(1000).vertices).mean())
            print(f"| `{name}` | {n:,} | {took:,.1f} | {curve.n_segments:,} | {gap:.3f} |")


if __name__ == "__main__":
    main()
