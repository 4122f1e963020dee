"""How close the learner comes to the truth. `python benchmarks/quality.py [--quick] [SECTION …]`."""

import argparse
import sys
import time

import numpy as np

from slpc import SLPC, Polyline, data, evaluate
from slpc.data import curves, extent
from slpc.data import noisy_stream as stream


def judge(curve, truth, sigma):
    """Loss ratio on fresh points, mean distances truth → learnt and learnt → truth in σ, length ratio, segments."""
    fresh = stream(truth, 4000, sigma, seed=99)
    found = evaluate.fidelity(curve, truth, fresh)
    return found.loss_ratio, found.from_truth / sigma, found.to_truth / sigma, found.length_ratio, curve.n_segments


def fewest_segments(truth, sigma, allowed=1.02):
    """Segments of the best polygonal line of a truth whose loss is within `allowed` of the truth's (equal pieces)."""
    fresh = stream(truth, 2000, sigma, seed=98)
    target = allowed * truth.squared_distances(fresh).mean()
    for k in range(1, 100):
        if truth.resample(k + 1).squared_distances(fresh).mean() <= target:
            return k
    return 100


def long_streams(n):
    """Streams in random order: the table of fidelity."""
    print(f"\nLong streams, {n:,} points in random order (curve_)")
    print("K*: segments of a polygonal line through equal pieces of the truth whose loss is within 2 % of the truth's")
    print("curve          noise loss/truth true→learnt learnt→true  length   K    K*")
    for name, truth in curves().items():
        for noise in (0.01, 0.03, 0.10):
            sigma = noise * extent(truth)
            model = SLPC().fit(stream(truth, n, sigma, seed=50))
            ratio, there, back, length, k = judge(model.curve_, truth, sigma)
            reference = fewest_segments(truth, sigma)
            figures = f"{ratio:10.3f} {there:9.3f} σ {back:9.3f} σ {length:7.3f} {k:3d} {reference:5d}"
            print(f"{name:14} {noise:5.0%} {figures}", flush=True)


def cubic(seed, order):
    """The paper's cubic."""
    return data.cubic(noise=0.097, order=order, seed=seed)


def six(seed, order):
    """The paper's curve in six dimensions."""
    return data.six_dimensional(noise=0.0575, order=order, abscissae="uniform", seed=seed)


def paper_streams(seeds):
    """The paper's two synthetic streams: prequential loss, by order and look-ahead."""
    print(f"\nThe paper's streams, cumulative loss, mean (sd) of {seeds} seeds")

    for name, make in (("cubic, T = 100", cubic), ("6-D, T = 200", six)):
        for order in ("sorted", "random"):
            for lookahead in (False, True):
                runs = [SLPC(lookahead=lookahead).fit(make(seed, order)) for seed in range(seeds)]
                losses = [run.cumulative_loss_ for run in runs]
                k = np.mean([run.n_segments_ for run in runs])
                ahead = "with look-ahead" if lookahead else "without"
                print(
                    f"{name:15} {order:7} {ahead:16} {np.mean(losses):6.2f} ({np.std(losses):.2f})  K {k:.1f}",
                    flush=True,
                )


def told_the_order(X, places):
    """Loss of the line through all points so far in their true order, its ends prolonged straight as far as ours.

    No forecaster of the stream can know the order; what it loses on a stream in random order is hard to beat.
    """
    total = 0.0
    for n in range(3, len(X)):
        line = X[:n][np.argsort(places[:n])]
        steps = np.diff(line, axis=0)
        reach = np.linalg.norm(steps, axis=1).sum() * (0.05 ** (-1 / (n - 1)) - 1)
        first, last = steps[0] / np.linalg.norm(steps[0]), steps[-1] / np.linalg.norm(steps[-1])
        prolonged = Polyline([line[0] - reach * first, *line, line[-1] + reach * last])
        total += prolonged.squared_distances(X[n : n + 1])[0]
    return total


def told_the_orders(seeds):
    """The same on the paper's streams in random order."""
    print("\nThe paper's streams in random order: the line through all points in their true order, prolonged")
    for name, make in (("cubic, T = 100", cubic), ("6-D, T = 200", six)):
        losses = []
        for seed in range(seeds):
            X = make(seed, "random")
            places = np.random.default_rng(seed).uniform(size=len(X))  # the generators' first draw
            losses.append(told_the_order(X, places))
        print(f"{name:15} {np.mean(losses):6.2f} ({np.std(losses):.2f})", flush=True)


def sorted_streams(n):
    """Points in their order along the curve: the loss of the last quarter, prequential."""
    print(f"\nSorted arrival, {n:,} points, 1 %: prequential loss of the last quarter over the truth's; final curve")
    for name in ("spiral", "sine", "cubic", "6-D"):
        truth = curves()[name]
        sigma = 0.01 * extent(truth)
        X = stream(truth, n, sigma, seed=50, order="sorted")
        for lookahead in (True, False):
            model = SLPC(lookahead=lookahead).fit(X)
            last = slice(3 * n // 4, n)
            ratio = model.losses_[last].mean() / truth.squared_distances(X[last]).mean()
            final, _, _, length, k = judge(model.curve_, truth, sigma)
            ahead = "with look-ahead" if lookahead else "without"
            print(f"{name:10} {ahead:16} {ratio:6.3f}   final {final:6.3f} length {length:6.3f} K {k}", flush=True)


def tangles(seeds):
    """Curves that pass near themselves, after 1,000 points in random order: how many went wrong."""
    print(f"\nTangled of {seeds} seeds after 1,000 points (loss ratio above 1.5, or length off by a quarter)")
    for name in ("spiral", "sine"):
        truth = curves()[name]
        for noise in (0.01, 0.03):
            sigma = noise * extent(truth)
            bad, ratios = 0, []
            for seed in range(seeds):
                curve = SLPC().fit(stream(truth, 1000, sigma, seed=1000 + seed)).curve_
                ratio, _, _, length, _ = judge(curve, truth, sigma)
                bad += ratio > 1.5 or not 0.8 <= length <= 1.25
                ratios.append(ratio)
            print(
                f"{name:10} {noise:4.0%}  tangled {bad:2d}   loss ratio {np.mean(ratios):.3f}, worst {max(ratios):.3f}",
                flush=True,
            )


def change(n):
    """An abrupt change with a half-life, and outliers."""
    print("\nAbrupt change, half_life 1,000: prequential loss over the truth's, by points since the change")
    before = curves()["half circle"]
    sigma = 0.02
    flipped = Polyline(before.vertices * [1, -1] + [0.5, 0.3])
    waves = Polyline(curves()["sine"].vertices / 3)
    for name, after in (("flipped", flipped), ("sine", waves)):
        model = SLPC(half_life=1000).fit(stream(before, n, sigma, seed=0))
        losses = model.partial_fit(stream(after, n, sigma, seed=1)).losses_ / sigma**2
        marks = {
            "0-500": slice(0, 500),
            "2,000": slice(2000, 3000),
            "5,000": slice(5000, 6000),
            "last": slice(-2000, None),
        }
        print(f"{name:10}", "  ".join(f"{mark}: {losses[part].mean():.3f}" for mark, part in marks.items()), flush=True)
    print("\n1 % outliers at 100 σ: loss ratio of the inliers")
    for name in ("cubic", "half circle", "spiral", "6-D"):
        truth = curves()[name]
        sigma = 0.01 * extent(truth)
        X = stream(truth, n, sigma, seed=3)
        random = np.random.default_rng(4)
        hit = random.random(n) < 0.01
        push = random.standard_normal((hit.sum(), truth.dim))
        X[hit] += 100 * sigma * push / np.linalg.norm(push, axis=1, keepdims=True)
        ratio, _, _, length, k = judge(SLPC().fit(X).curve_, truth, sigma)
        print(f"{name:12} {ratio:.3f}  length {length:.3f}  K {k}", flush=True)


def hard(n):
    """Streams that are not what the model says: parked vehicles, sharp turns back in sorted order, many outliers."""
    print(f"\nA line on which half of all {n:,} points stand at one place: length over the truth's, segments")
    for d in (2, 10):
        for noise in (0.01, 0.03, 0.10):
            for where, stop in (("end", 1.0), ("middle", 0.5)):
                random = np.random.default_rng(0)
                X = noise * random.standard_normal((n, d))
                X[:, 0] += np.where(random.random(n) < 0.5, stop, random.random(n))
                model = SLPC().fit(X)
                print(
                    f"d = {d:2d} {noise:4.0%} at the {where:6} {model.curve_.length:.3f}  K {model.n_segments_}",
                    flush=True,
                )
    print(f"\nSorted arrival along sharp turns back, {n:,} points, 1 %: prequential loss over the truth's, by quarter")
    zigzag = Polyline([[0, 0], [1, 0.3], [0.2, 0.6], [1, 1.0], [0.1, 1.1], [0.9, 1.7]])
    X = stream(zigzag, n, 0.01 * extent(zigzag), seed=0, order="sorted")
    model = SLPC().fit(X)
    parts = [slice(max(i * n // 4, 5), (i + 1) * n // 4) for i in range(4)]
    ratios = [model.losses_[part].mean() / zigzag.squared_distances(X[part]).mean() for part in parts]
    print("zigzag    ", "  ".join(f"{ratio:.3f}" for ratio in ratios))
    print(f"\nOutliers at 100 σ, {n:,} points, 1 % noise: loss ratio of the inliers")
    for name in ("cubic", "spiral", "6-D", "helix", "smooth, 50-D"):
        for share in (0.01, 0.03, 0.05):
            truth = curves()[name]
            sigma = 0.01 * extent(truth)
            X = stream(truth, n, sigma, seed=3)
            random = np.random.default_rng(4)
            hit = random.random(n) < share
            push = random.standard_normal((hit.sum(), truth.dim))
            X[hit] += 100 * sigma * push / np.linalg.norm(push, axis=1, keepdims=True)
            ratio, _, _, length, k = judge(SLPC().fit(X).curve_, truth, sigma)
            print(f"{name:12} {share:3.0%} {ratio:7.3f}  length {length:.3f}  K {k}", flush=True)


def options(n, seeds):
    """What `temperature` and `spacing` cost: on the paper's streams, on long ones, and in time."""
    variants = [{"temperature": T} for T in (0.0, 1.0, 4.0, 16.0)] + [{"spacing": c} for c in (0.5, 1.0, 2.0)]
    variants.append({"temperature": 1.0, "spacing": 1.0})

    def told(variant, sigma):
        """Parameters, the spacing given in σ."""
        return {name: value * (sigma if name == "spacing" else 1.0) for name, value in variant.items()}

    print(f"\nOptions; spacing in σ. The paper's streams, cumulative loss, mean (sd) of {seeds} seeds")
    for name, make, sigma in (("cubic, T = 100", cubic, 0.097), ("6-D, T = 200", six, 0.0575)):
        for order in ("sorted", "random"):
            for variant in variants:
                losses = [
                    SLPC(random_state=seed, **told(variant, sigma)).fit(make(seed, order)).cumulative_loss_
                    for seed in range(seeds)
                ]
                print(f"{name:15} {order:7} {variant!s:38} {np.mean(losses):6.2f} ({np.std(losses):.2f})", flush=True)
    print(f"\nLong streams, {n:,} points: curve_ as above; prequential loss of the last quarter over the truth's; time")
    for name in ("cubic", "6-D", "spiral", "corner", "line", "smooth, 50-D"):
        for noise in (0.01, 0.03):
            truth = curves()[name]
            sigma = noise * extent(truth)
            X = stream(truth, n, sigma, seed=50)
            for variant in variants:
                begin = time.perf_counter()
                model = SLPC(**told(variant, sigma)).fit(X)
                seconds = time.perf_counter() - begin
                ratio, there, _, length, k = judge(model.curve_, truth, sigma)
                last = slice(3 * n // 4, n)
                online = model.losses_[last].mean() / truth.squared_distances(X[last]).mean()
                figures = (
                    f"{ratio:6.3f} {there:6.3f} σ length {length:6.3f} K {k:2d}   {online:6.3f}   {seconds:5.2f} s"
                )
                print(f"{name:12} {noise:3.0%} {variant!s:38} {figures}", flush=True)


def main():
    sections = {
        "paper": lambda quick: (paper_streams(3 if quick else 10), told_the_orders(3 if quick else 10)),
        "long": lambda quick: long_streams(5_000 if quick else 100_000),
        "sorted": lambda quick: sorted_streams(5_000 if quick else 100_000),
        "tangles": lambda quick: tangles(5 if quick else 40),
        "options": lambda quick: options(5_000 if quick else 100_000, 3 if quick else 40),
        "hard": lambda quick: hard(5_000 if quick else 100_000),
        "change": lambda quick: change(8_000 if quick else 20_000),
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(sections)}; default: all")
    parser.add_argument("--quick", action="store_true", help="shorter streams and fewer seeds")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.sections if name not in sections]
    if unknown:
        sys.exit(f"no section {unknown[0]!r}: choose among {', '.join(sections)}")
    for name in arguments.sections or sections:
        sections[name](arguments.quick)


if __name__ == "__main__":
    main()
