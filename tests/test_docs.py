import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import slpc
from slpc.data import parabola

ROOT = Path(__file__).parents[1]
MODULES = sorted(m.name for m in pkgutil.walk_packages(slpc.__path__, "slpc.") if not m.name.endswith("__main__"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_in_docstrings():
    finder = doctest.DocTestFinder()
    examples = sum(len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name)))
    assert examples > 8


def test_the_readme_s_python_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert len(blocks) == 4
    monkeypatch.chdir(tmp_path)
    names = {"stream": parabola(20, random_state=0)}
    for block in blocks:
        exec(block, names)
    assert names["model"].score(names["X"]) > 0.99
    assert names["places"].arc_length.tolist() == [5.0, 6.0]
    assert names["places"].squared_distance.tolist() == [4.0, 1.0]
    assert names["forecaster"].n_seen == names["learner"].n_seen == 20
    assert np.isfinite(names["expected"])


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs/data.md", "docs/design.md", "docs/errata.md", "docs/learner.md"]
)
def test_links_lead_somewhere(page):
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_map_of_the_house_names_every_file():
    text = (ROOT / "docs" / "design.md").read_text()
    for file in (ROOT / "src" / "slpc" / "paper").glob("*.py"):
        assert file.name == "__init__.py" or f"`{file.name}`" in text, file.name
