"""`slpc reproduce`: every experiment on little data, and the page that it writes."""

import csv
import math
import re
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from rich.progress import Progress

from slpc import SLPC, Polyline
from slpc.batch import HastieStuetzle
from slpc.cli import main
from slpc.data import cubic, curve
from slpc.evaluate import prequential
from slpc.experiments import commute, drawing, figures, page, r_princurve, regret, reproduce, seismic, tables
from slpc.experiments.section import Animation, Picture, Section, Table, cell


def invoke(*arguments):
    return CliRunner().invoke(main, ["reproduce", *arguments])


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def progress():
    with Progress(disable=True) as shown:
        yield shown


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    """Small files in the formats of the originals, made up."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("SLPC_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    place = np.column_stack([lat := np.linspace(-60, 28, 150), 162 - 0.1 * lat + 5 * np.cos(lat / 20)])
    place += random.normal(0, 0.5, place.shape)
    rows = [
        f" MADE  UP   {1900 + i % 100:4d}{1:3d}{1:3d}{i % 24:4d}{0:3d}{0.0:6.2f}"
        f" {lat:8.3f}{lon:8.3f}{10.0:6.1f}   0 123 {7.5:3.1f} Mw UP    0.0          0.0"
        for i, (lat, lon) in enumerate(place)
    ]
    (folder / "centennial_Y2K.CAT").write_text("\n".join(rows) + "\n")
    plates = "".join(f"0,0,AU-PA,,{k},{lon},{lat}\n" for k, (lat, lon) in enumerate(place[::10].round(3)))
    (folder / "boundaries.csv").write_text("segment,part,name,type,k,lon,lat\n" + plates)
    way = Polyline([[220, 358], [216, 358], [216, 355], [210, 355]]).resample(400).vertices
    way = way + random.normal(0, 0.01, way.shape)
    (folder / "person1_0530_gpsdata01.txt").write_text(
        "".join(f" 4130.2500 | 08745.5000 | 17:05:09 | {x:.6f} | {y:.6f} \r\n" for x, y in way)
    )
    return folder


@pytest.mark.slow
def test_a_quick_run_of_everything(data_folder, tmp_path):
    out = tmp_path / "new" / "out"
    result = invoke("--quick", "--out", str(out))
    assert result.exit_code == 0, result.output
    text = (out / "index.html").read_text()
    assert [*re.findall(r'<h2 id="(\w+)"', text)] == list(reproduce.NAMES)
    assert "A quick run" in text
    # Nothing is loaded from elsewhere: pictures are in the page, and links lead to files beside it or to sources.
    for source in re.findall(r'(?:src|srcset|poster)="([^"]*)"', text):
        assert source.startswith("data:image/")
    assert "<script" not in text
    assert "<link" not in text
    assert "url(" not in text
    for target in re.findall(r'href="([^"]*)"', text):
        assert target.startswith(("#", "http")) or (out / target).exists(), target
    assert text.count("<figure>") == text.count("<figcaption>") == text.count("</figure>")
    for picture in out.glob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.with_suffix(".svg").read_text().startswith("<?xml")
    assert (out / "growth.gif").read_bytes().startswith(b"GIF")
    found = {path.stem: read(path) for path in out.glob("*.csv")}
    assert set(found) == {"table_1", "table_2", "seismic", "commute", "regret"}
    assert all(len(row) == len(rows[0]) for rows in found.values() for row in rows)
    assert {row["the paper's R²"] for row in found["seismic"]} == {"0.99", "nan"}
    assert all(float(row["R²"]) > 0.9 for row in found["seismic"] + found["commute"])


@pytest.mark.slow
def test_the_learner_is_ahead_on_the_paper_s_streams(progress):
    section = tables.run(True, progress)
    for table, stream in zip(section.parts, tables.STREAMS, strict=True):
        loss = {row["method"]: row["sorted"] for row in table.rows}
        assert loss["slpc, with look-ahead"] < min(loss[name] for name in loss if name.startswith("princurve"))
        paper = float(stream.printed["slpc"].split(" ")[0])
        assert loss["slpc, without look-ahead"] < paper
        assert loss["the true curve"] < loss["slpc, with look-ahead"]
        X = stream.points(seed=0)
        assert loss["the true curve"] == pytest.approx(curve(stream.truth).squared_distances(X[3:]).sum())
        paid = prequential(SLPC(lookahead=False), X, warm_up=3)
        assert loss["slpc, without look-ahead"] == pytest.approx(paid.total)


def test_an_unknown_name(tmp_path):
    result = invoke("tables", "seismology", "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "no experiment 'seismology': choose among tables, seismic," in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("experiment", [seismic, commute])
def test_missing_data_are_told_of(experiment, progress, monkeypatch, tmp_path):
    monkeypatch.delenv("SLPC_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    section = experiment.run(True, progress)
    assert section.parts == []
    assert section.text[0].startswith("Left out: no file")
    assert "download it from http" in section.text[0]


def test_missing_data_leave_a_page(monkeypatch, tmp_path):
    monkeypatch.delenv("SLPC_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    result = invoke("commute", "--quick")
    assert result.exit_code == 0, result.output
    assert "Left out: no file" in (tmp_path / "reproduction" / "index.html").read_text()


def test_damaged_data_are_an_error(data_folder, tmp_path):
    (data_folder / "person1_0530_gpsdata01.txt").write_text("something else\n")
    result = invoke("commute", "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "person1_0530_gpsdata01.txt, line 1: found 1 fields" in result.output


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("here")
    result = invoke("commute", "--out", str(tmp_path / "file" / "out"))
    assert result.exit_code == 1
    assert result.output.startswith("Error:")


def test_without_matplotlib(tmp_path):
    code = """
import sys
sys.modules["matplotlib"] = None
from slpc.cli import main
main(["reproduce", "regret"])
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 1
    assert run.stderr == "Error: the figures need matplotlib: pip install 'slpc[plot]'\n"


def test_the_module_is_the_command():
    run = subprocess.run(
        [sys.executable, "-m", "slpc.experiments", "--help"], capture_output=True, text=True, check=True
    )
    assert "python -m slpc.experiments [OPTIONS] [NAME]..." in run.stdout
    assert all(name in run.stdout for name in reproduce.NAMES)


def test_regret_stays_below_the_bound(progress):
    _, table = regret.run(True, progress).parts
    for row in table.rows:
        assert 0 < row["regret"] < row["Theorem 2's bound on the regret"]
        assert row["expected loss"] == pytest.approx(row["best line's loss"] + row["regret"])


def test_the_moment_shown_is_a_local_change():
    t, before, after = figures.local_change(X := cubic(100, order="random", seed=1))
    gaps = np.sqrt(np.square(after.vertices[:, None] - before.vertices[None]).sum(axis=2).min(axis=1))
    assert 50 <= t < 100
    assert gaps.max() > 0.1
    assert np.mean(gaps > 0.05) <= 0.5
    assert after == SLPC().fit(X[: t + 1]).curve_


def test_distance_to_a_boundary(data_folder):
    plates = seismic.load_plate_boundaries()
    (_, boundary), *_ = plates.curves(180)
    assert seismic.distance_to(plates, boundary).max() < 0.2  # resampling cuts corners
    shifted = Polyline(boundary.vertices + np.array([30.0, 0.0]))
    assert seismic.distance_to(plates, shifted).min() > 1


def test_the_page_escapes_and_shows_what_it_is_given(tmp_path):
    figure, (ax,) = drawing.panels(1, columns=1)
    drawing.points(ax, [[0, 0], [1, 1]])
    rows = [{"a & b": "<x>", "n": 1234, "loss": 0.99998, "none": math.nan}]
    section = Section("A title", ["text"], [Table("t", "c", rows), Picture("p", "c", figure),
                                            Animation("m", "c", b"GIF89a")], "seed 0")  # fmt: skip
    written = page.write([page.Chapter("one", section, 1.0)], tmp_path, quick=False)
    assert [path.name for path in written] == ["index.html", "t.csv", "p.png", "p.svg", "m.gif"]
    text = written[0].read_text()
    assert "<th>a &amp; b</th>" in text
    assert "<td>&lt;x&gt;</td><td>1,234</td><td>0.999980</td><td>–</td>" in text
    assert "A quick run" not in text
    assert read(tmp_path / "t.csv") == [{"a & b": "<x>", "n": "1234", "loss": "0.99998", "none": "nan"}]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("x", "x"), (1500, "1,500"), (1500.4, "1,500"), (math.nan, "–"), (12.3456, "12.35"), (0.12345, "0.123"),
     (0.99, "0.9900"), (0.9999987, "0.9999987"), (1.0, "1")],
)  # fmt: skip
def test_numbers_as_people_read_them(value, shown):
    assert cell(value) == shown


@pytest.mark.r
def test_r_s_princurve_pays_what_ours_pays():
    if not r_princurve.installed():
        pytest.skip("R or its package princurve is not installed")
    X = cubic(30, seed=1)
    theirs = r_princurve.prequential(X, "list()", 3)
    ours = prequential(HastieStuetzle(), X, warm_up=3)
    assert np.isnan(theirs.losses[0])  # R refuses three points
    np.testing.assert_allclose(theirs.losses[2:], ours.losses[5:], rtol=1e-3, atol=1e-4)
    assert theirs.seconds > 0
