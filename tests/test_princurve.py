"""HastieStuetzle against R: what princurve 2.1.6 fitted is in fixtures/princurve, with the script that wrote it."""

import csv
import functools
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from slpc.batch import HastieStuetzle
from slpc.batch.smoothers import _knot_indices, smooth_spline

FIXTURES = Path(__file__).parent / "fixtures" / "princurve"
SUMMARY = {
    (row["name"], row["smoother"]): row for row in csv.DictReader((FIXTURES / "summary.csv").read_text().splitlines())
}

# Largest distance between fitted points, in parts of the data's extent. Where it is not rounding:
# - of points that fall on one vertex, R's order is that of an unstable sort, and each place in a closed curve is moved
#   towards its own data point: the polygon zigzags otherwise;
# - of equal rows at an end R does not prolong the curve, we do;
# - R's weights enter into smoothing only, ours into the first principal component and the distance too.
TOLERANCE = {"ring100": 0.02, "ring151": 0.02, "ties": 1e-3, "repeated": 0.01, "weighted": 0.01}


def tolerance(name, smoother):
    return TOLERANCE.get(name, 1e-8) if (name, smoother) != ("ties", "lowess") else 1e-8


def read(file):
    with file.open() as lines:
        header = next(lines).strip().split(",")
        return header, np.loadtxt(lines, delimiter=",")


@functools.cache
def compared(name, smoother):
    """What R fitted, and we: X, points and arc lengths of R, the fitted model."""
    header, table = read(FIXTURES / f"{name}-{smoother}.csv")
    d = header.index("weight")
    X, weight, points, arc = table[:, :d], table[:, d], table[:, d + 1 : -1], table[:, -1]
    fit = {"X": X, "sample_weight": weight if np.ptp(weight) else None}
    model = HastieStuetzle(smoother=smoother).fit(**fit)
    if smoother != "periodic_lowess" and np.corrcoef(model.arc_length_, arc)[0, 1] < 0:
        # The sign of a singular vector is anybody's; from the other end, other points are knots.
        axis = HastieStuetzle(max_iter=0).fit(**fit).curve_.vertices
        model = HastieStuetzle(smoother=smoother, start=axis[[-1, 0]]).fit(**fit)
    return X, points, arc, model


def gaps(name, smoother):
    X, points, _, model = compared(name, smoother)
    return np.linalg.norm(model.fitted_points_ - points, axis=1) / np.ptp(X, axis=0).max()


@pytest.mark.parametrize(("name", "smoother"), SUMMARY)
def test_the_same_points_are_fitted(name, smoother):
    assert gaps(name, smoother).max() < tolerance(name, smoother)


@pytest.mark.parametrize(("name", "smoother"), [case for case in SUMMARY if tolerance(*case) < 1e-6])
def test_the_same_arc_lengths_distance_and_rounds(name, smoother):
    _, _, arc, model = compared(name, smoother)
    expected = SUMMARY[name, smoother]
    np.testing.assert_allclose(model.arc_length_, arc, atol=1e-8 * arc.max())
    assert model.distance_ == pytest.approx(float(expected["distance"]), rel=1e-8)
    assert model.n_iter_ == int(expected["iterations"])
    assert str(model.converged_).upper() == expected["converged"]


@pytest.mark.parametrize("n", [6, 49, 50, 51, 120, 1000])
def test_the_smoothing_spline_is_r_s(n):
    _, table = read(FIXTURES / f"spline{n}.csv")
    x, y, weight, fitted, _ = table.T
    found = smooth_spline(x, y[:, None].copy(), weight, 5.0)[:, 0]
    np.testing.assert_allclose(found, fitted, atol=1e-8)


def test_the_number_of_knots_is_r_s():
    # From R: sapply(c(49, 50, 51, 70, 100, 199, 200, 333, 800, 1000, 3200, 4000, 1e5), .nknots.smspl)
    n = [49, 50, 51, 70, 100, 199, 200, 333, 800, 1000, 3200, 4000, 100_000]
    count = [len(_knot_indices(m)) for m in n]
    assert count == [49, 49, 50, 54, 62, 99, 99, 107, 140, 144, 200, 203, 209]
    assert all(_knot_indices(m)[-1] == m - 1 for m in n)


@pytest.mark.parametrize("name", ["cubic", "half_circle", "letter_s", "helix", "paper"])
def test_from_the_other_end_the_curve_is_nearly_the_same(name):
    X, _, _, model = compared(name, "smooth_spline")
    axis = HastieStuetzle(max_iter=0).fit(X).curve_.vertices
    there, back = (HastieStuetzle(start=ends).fit(X).fitted_points_ for ends in (axis[[0, -1]], axis[[-1, 0]]))
    # Indices of knots are rounded downwards: from the other end other points are knots.
    assert np.linalg.norm(there - back, axis=1).max() < 0.003 * np.ptp(X, axis=0).max()
    assert min(np.abs(model.fitted_points_ - fitted).max() for fitted in (there, back)) < 1e-8


@pytest.mark.r
def test_the_fixtures_are_what_r_fits(tmp_path):
    if shutil.which("Rscript") is None:
        pytest.skip("Rscript is not installed")
    if subprocess.run(["Rscript", "-e", "library(princurve)"], capture_output=True).returncode:
        pytest.skip("R's package princurve is not installed")
    subprocess.run(["Rscript", str(FIXTURES / "make.R"), str(tmp_path)], check=True, capture_output=True)
    for file in FIXTURES.glob("*.csv"):
        if file.name == "summary.csv":
            assert (tmp_path / file.name).read_text().splitlines()[0] == file.read_text().splitlines()[0]
        else:
            # Another processor's rounding may grow over ten rounds.
            np.testing.assert_allclose(read(tmp_path / file.name)[1], read(file)[1], rtol=1e-6, atol=1e-6)


def report():
    """Print the table of docs/batch.md."""
    print("| data | smoother | n | largest gap | root mean square |\n|---|---|---|---|---|")
    for name, smoother in SUMMARY:
        gap = gaps(name, smoother)
        print(f"| {name} | {smoother} | {len(gap)} | {gap.max():.0e} | {np.sqrt(np.square(gap).mean()):.0e} |")


if __name__ == "__main__":
    report()
