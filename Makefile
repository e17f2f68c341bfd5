# make demo   sets up .venv and runs allo-opt on an example
# make test   sets up .venv and runs all tests
# make fuzz   draws AIR programs and pushes them through every pass, many more than make test
# make check  format, lint, types, import contract
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test fuzz check check-format check-lint check-types check-imports clean
.DEFAULT_GOAL := demo

$(STAMP): pyproject.toml CMakeLists.txt $(wildcard allo_air/sim/engine/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(STAMP)
	$(BIN)/allo-opt examples/matmul.mlir --pipeline=air-bind

test: $(STAMP)
	$(BIN)/python -m pytest --numprocesses=auto

fuzz: $(STAMP)
	$(BIN)/python -m pytest test/e2e/random_air --hypothesis-profile=fuzz --numprocesses=auto

check: check-format check-lint check-types check-imports

check-format: $(STAMP)
	$(BIN)/ruff format --check .

check-lint: $(STAMP)
	$(BIN)/ruff check .

check-types: $(STAMP)
	$(BIN)/mypy

check-imports: $(STAMP)
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build dist
