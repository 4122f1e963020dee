import csv

import pytest
from click.testing import CliRunner

from slpc.experiments import bounds


@pytest.mark.slow
def test_bounds_from_the_command_line(tmp_path):
    result = CliRunner().invoke(bounds.main, ["--seeds", "3", "--longest", "1000", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "No bound is violated in any of the 29 runs." in result.output
    with (tmp_path / "algorithms_1_and_2.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 29
    for row in rows:
        applicable = [float(row[name]) for name in ("theorem1", "corollary1", "theorem2") if row[name] != "nan"]
        assert applicable
        assert float(row["best"]) < float(row["expected"]) < min(applicable)
    # Corollary 1's rate is clipped in the short runs, and is not in the long ones.
    assert [float(row["eta c0"]) < 0.99 for row in rows if row["algorithm"] == "1"].count(True) == 2
    with (tmp_path / "algorithm_3.csv").open() as file:
        assert [row["rewards"] for row in csv.DictReader(file)] == ["literal", "ipw0", "full"]


def test_a_violated_bound_is_reported(monkeypatch, tmp_path):
    setting = bounds.Setting("parabola", 1.0, 2, 2.0, 20, ((1, "paper"),))
    monkeypatch.setattr(bounds, "SETTINGS", (setting,))
    arguments = ["--seeds", "1", "--longest", "0", "--out", str(tmp_path)]
    monkeypatch.setattr(bounds, "second_table", lambda *_: [{"rewards": "full", "T": 1}])
    assert CliRunner().invoke(bounds.main, arguments).exit_code == 0
    monkeypatch.setattr(bounds.bounds, "theorem1", lambda *_, **__: bounds.bounds.Bound(0.1, {"anything": True}))
    result = CliRunner().invoke(bounds.main, arguments)
    assert result.exit_code == 1
    assert "1 of 1 runs violate a bound" in result.output
    assert "theorem1 stated, theorem1" in (tmp_path / "algorithms_1_and_2.csv").read_text()


def test_the_mean_over_seeds_agrees_with_the_exact_expectation():
    setting = bounds.Setting("sorted", 1.0, 2, 2.0, 60, ())
    for algorithm in (1, 2):
        row = bounds.run(setting, algorithm, "tight", n_seeds=150)
        assert abs(row["mean"] - row["expected"]) < 4 * row["se"]
        assert row["se"] < 0.2 * row["mean"]
