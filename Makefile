# Everything happens in .venv; python3 (3.11 or later, with venv), pip and make are all that is needed.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml README.md $(shell find src -name '*.py')

.PHONY: demo test lint format dev bench clean

demo: .venv/.installed  ## Learn the route of a simulated vehicle, live, and write the curve to slpc-demo/
	$(BIN)/slpc demo

test: .venv/.tests  ## Run all tests, against the installed package
	$(BIN)/python -m pytest

lint: .venv/.lint  ## Style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.lint  ## Lay the code out as `make lint` wants it
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.installed  ## Time the kernels and the learner, and measure how close it comes to the truth (20 minutes)
	$(BIN)/python benchmarks/actions.py
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/quality.py
	$(BIN)/python benchmarks/batch.py

dev: .venv/bin/python  ## Install in place, with all tools
	$(BIN)/pip install --quiet --editable '.[test,lint]'

clean:  ## Remove the environment, the caches and what the commands wrote
	rm -rf .venv build dist slpc-demo bounds reproduction .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "slpc needs Python 3.11 or later, this is " + sys.version)'
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python $(SOURCES)
	$(BIN)/pip install --quiet '.[all]'
	touch $@

.venv/.tests: .venv/.installed
	$(BIN)/pip install --quiet '.[test]'
	touch $@

.venv/.lint: .venv/.tests
	$(BIN)/pip install --quiet '.[test,lint]'
	touch $@
