import json
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import slpc
from slpc import Polyline, demo
from slpc.cli import main
from slpc.data import drive


def test_help_and_version():
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "slpc demo" in result.output
    assert CliRunner().invoke(main, ["--version"]).output == f"slpc, version {slpc.__version__}\n"
    run = subprocess.run([sys.executable, "-m", "slpc", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("slpc, version")


def test_demo(tmp_path):
    result = CliRunner().invoke(
        main, ["demo", "--points", "150", "--seed", "4", "--out", str(tmp_path / "new" / "out")]
    )
    assert result.exit_code == 0, result.output
    out = tmp_path / "new" / "out"
    for name in ("curve.png", "curve.geojson", "curve.json"):
        assert f"wrote {out / name}" in result.output.replace("\n", "") or str(out / name) in result.output
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    saved = json.loads((out / "curve.json").read_text())
    curve = Polyline.from_dict(saved)
    trip = drive(150, random_state=4)
    rms = np.sqrt(curve.squared_distances(trip.positions).mean())
    assert saved["points"] == 150
    assert saved["rms_distance_m"] == pytest.approx(rms)
    assert rms < 2 * trip.noise
    assert np.sqrt(trip.route.squared_distances(curve.resample(200).vertices).mean()) < 2 * trip.noise
    feature = json.loads((out / "curve.geojson").read_text())
    assert feature["properties"]["segments"] == curve.n_segments
    np.testing.assert_allclose(feature["geometry"]["coordinates"], trip.to_lonlat(curve.vertices))


def test_demo_again_gives_the_same_curve(tmp_path):
    for name in ("a", "b"):
        assert CliRunner().invoke(main, ["demo", "--points", "40", "--out", str(tmp_path / name)]).exit_code == 0
    assert (tmp_path / "a" / "curve.json").read_bytes() == (tmp_path / "b" / "curve.json").read_bytes()


def test_demo_interrupted_writes_what_it_has(tmp_path, monkeypatch):
    observe = demo.SleepingLeader.observe

    def interrupted(self, x):
        if self.n_seen == 30:
            raise KeyboardInterrupt
        return observe(self, x)

    monkeypatch.setattr(demo.SleepingLeader, "observe", interrupted)
    result = CliRunner().invoke(main, ["demo", "--points", "100", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "Interrupted after 30 points" in result.output
    assert json.loads((tmp_path / "curve.json").read_text())["points"] == 30


def test_demo_interrupted_before_there_is_a_curve(tmp_path, monkeypatch):
    def interrupted(self, x):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo.SleepingLeader, "observe", interrupted)
    result = CliRunner().invoke(main, ["demo", "--points", "100", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "nothing to write" in result.output


def test_demo_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = CliRunner().invoke(main, ["demo", "--points", "40", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "pip install 'slpc[plot]'" in result.output
    assert not (tmp_path / "curve.png").exists()
    assert (tmp_path / "curve.geojson").exists()


def test_demo_into_a_file(tmp_path):
    (tmp_path / "file").write_text("here")
    result = CliRunner().invoke(main, ["demo", "--points", "40", "--out", str(tmp_path / "file" / "out")])
    assert result.exit_code == 1
    assert result.output.startswith("Error:")
    assert CliRunner().invoke(main, ["demo", "--points", "3"]).exit_code == 2
