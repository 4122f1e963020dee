import subprocess
import sys
from importlib.metadata import metadata, version
from pathlib import Path

import numpy as np
import pytest
from importlinter.cli import lint_imports

import slpc
from slpc import Polyline
from slpc.plot import plot_curve

ROOT = Path(__file__).parents[1]


def test_version():
    assert version("slpc") == slpc.__version__
    assert f"## {slpc.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_data_walks_downstairs_only():
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_import_needs_only_the_core():
    core = {"numpy", "numba", "llvmlite", "scipy", "scikit-learn", "click", "rich"}
    code = f"""
import sys
class OnlyTheCore:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top not in {core!r} and top in {{"matplotlib", "pytest", "pandas", "polars", "river"}}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, OnlyTheCore())
import slpc, slpc.paper, slpc.data, slpc.evaluate, slpc.cli, slpc.demo, slpc.plot
slpc.SLPC().fit([[0, 0], [1, 0], [2, 0.1], [3, 0]])
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    required = {line.split(">")[0] for line in metadata("slpc").get_all("Requires-Dist") if "extra ==" not in line}
    assert required == core - {"llvmlite"}


def test_importing_slpc_alone_is_light():
    code = "import sys, slpc; print(*sorted({'matplotlib', 'click', 'sklearn', 'slpc.paper'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_plot_curve():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    f = Polyline([[0, 0], [1, 0], [1, 1]])
    ax = plot_curve(f, np.random.default_rng(0).normal(size=(30, 2)), truth=f)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["30 points", "true curve", "curve, 2 segments"]
    np.testing.assert_array_equal(ax.lines[-1].get_xydata(), f.vertices)
    assert plot_curve(f, ax=ax) is ax
    with pytest.raises(ValueError, match="curves of the plane, this one has 3"):
        plot_curve(Polyline(np.eye(3)))
