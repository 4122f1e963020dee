"""How fast the learner is, in points a second and as a ratio to a bare loop in the same run."""

import subprocess
import sys
import time

import numba
import numpy as np

from slpc import SLPC
from slpc.data import curves, extent
from slpc.data import noisy_stream as stream
from slpc.river import SLPC as RIVER


@numba.njit(cache=True, error_model="numpy")
def bare_loop(X, vertices):
    """Only the nearest of the segments for each point, the plain way."""
    total = 0.0
    for t in range(X.shape[0]):
        best = np.inf
        for s in range(vertices.shape[0] - 1):
            along = 0.0
            norm2 = 0.0
            for a in range(X.shape[1]):
                e = vertices[s + 1, a] - vertices[s, a]
                along += (X[t, a] - vertices[s, a]) * e
                norm2 += e * e
            at = min(max(along / norm2, 0.0), 1.0)
            dist2 = 0.0
            for a in range(X.shape[1]):
                gap = X[t, a] - vertices[s, a] - at * (vertices[s + 1, a] - vertices[s, a])
                dist2 += gap * gap
            if dist2 < best:
                best = dist2
        total += best
    return total


def timed(work, repeats=3):
    """Least wall time of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    for truth in curves().values():  # compile for every dimension
        SLPC().fit(stream(truth, 2000, 0.01 * extent(truth), seed=0))
    print("Whole streams of 10^6 points, d = 2, from the first point on")
    for name, noise in (("cubic", 0.01), ("cubic", 0.03), ("spiral", 0.03), ("line", 0.03)):
        truth = curves()[name]
        X = stream(truth, 1_000_000, noise * extent(truth), seed=0)
        polygon = truth.resample(21).vertices.copy()
        bare_loop(X[:10], polygon)
        bare = timed(lambda X=X, polygon=polygon: bare_loop(X, polygon))
        ours = timed(lambda X=X: SLPC().partial_fit(X), repeats=2)
        figures = f"{1 / ours:5.2f} M points/s, {ours / bare:5.2f} × the bare loop ({1 / bare:.1f} M/s)"
        print(f"{name:8} {noise:3.0%}: {figures}", flush=True)
    print("\nSteady state, after 10^5 points")
    for name, dim in (("cubic", 2), ("6-D", 6), ("smooth, 50-D", 50)):
        truth = curves()[name]
        n = 1_000_000 if dim < 10 else 200_000
        X = stream(truth, n + 100_000, 0.03 * extent(truth), seed=0)
        model = SLPC().partial_fit(X[:100_000])
        start = time.perf_counter()
        model.partial_fit(X[100_000:])
        seconds = time.perf_counter() - start
        polygon = truth.resample(21).vertices.copy()
        bare_loop(X[:10], polygon)
        bare = timed(lambda X=X[100_000:], polygon=polygon: bare_loop(X, polygon))
        print(
            f"d = {dim:2d}: {n / seconds / 1e6:5.2f} M points/s, {seconds / bare:5.2f} × the bare loop of 20 segments",
            flush=True,
        )
    truth = curves()["cubic"]
    X = stream(truth, 60_000, 0.01 * extent(truth), seed=0)
    print(f"\nFirst 1,000 points: {1e3 * timed(lambda: SLPC().partial_fit(X[:1000]), 5):.1f} ms")
    model = RIVER()
    rows = [{"x": float(a), "y": float(b)} for a, b in X]
    times = []
    for row in rows:
        start = time.perf_counter_ns()
        model.learn_one(row)
        times.append(time.perf_counter_ns() - start)
    late = np.array(times[20_000:]) / 1e3
    print(f"river's learn_one, after 20,000: median {np.median(late):.2f} µs, mean {late.mean():.2f} µs")
    sizes = [SLPC().partial_fit(stream(truth, n, 0.1, seed=0)).learner_.state.nbytes for n in (10_000, 1_000_000)]
    print(f"State after 10^4 and 10^6 points, d = 2: {sizes[0] / 1024:.1f} and {sizes[1] / 1024:.1f} KiB")
    code = (
        "import numpy as np; from slpc import SLPC; SLPC().partial_fit(np.random.default_rng(0).normal(size=(1000, 2)))"
    )
    first = timed(lambda: subprocess.run([sys.executable, "-c", code], check=True))
    print(f"First use in a new process, warm cache: {first:.2f} s")


if __name__ == "__main__":
    main()
