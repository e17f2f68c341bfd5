# make demo   sets up .venv, compiles a bf16 GEMM, runs it on the simulator, checks it, and draws what it did
# make test   sets up .venv and runs the tests
# make test-slow  runs those that show the same on other types, sizes and devices, which make test leaves out
# make fuzz   draws AIR programs and pushes them through every pass, plans of products, walks, pipelines and options, many more than
#             make test
# make random-graphs  draws functions of linalg operations and compiles, runs and checks them, many more than make test
# make torch-modules  compiles, runs and checks all modules from PyTorch on both devices, and shows a table
# make published  compiles the programs of mlir-air's registry that are published, and writes how far the model is from them into docs
# make stubs  writes the stubs of the bindings again, for another version of them
# make wheels  sdist and a wheel for each Python of 3.10 to 3.13 in dist/, and a try of each in a new environment
# make docs   the documentation as a site in build/site, with reference pages from the code; warnings are errors
# make check  format, lint, types, import contract, plain English
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DEMO   := build/demo
STAMP  := $(VENV)/.installed

# The build for CPUs, a third of the size; an index may have none.
TORCH  ?= torch==2.13.0+cpu

PIP    := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check
PYTHONS ?= 3.10 3.11 3.12 3.13
DRAWN  := _analysis bd canonical memory schedule/test_dependence.py
UNUSED := tests?|testing|pip|setuptools|dask|pygments|rich|tornado|jinja2|mypyc?|fontTools|_inductor|distributed|physics|backend

# Without bytecode, every start of a tool compiles what it imports again, for longer than most tools run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: published install demo test test-slow fuzz random-graphs torch-modules stubs docs wheels check check-format check-lint check-types check-imports check-prose clean
.DEFAULT_GOAL := demo

$(STAMP): pyproject.toml CMakeLists.txt $(wildcard allo_air/sim/engine/*) $(wildcard allo_air/core/native/*)
	@echo "installing into $(VENV): packages, and the simulator's engine, which g++ builds; some minutes"
	$(PYTHON) -m venv $(VENV)
	@# torch is unpacked while the simulator is built: each takes half a minute; what it needs itself comes afterwards
	$(PIP) --no-deps $(TORCH) 2>/dev/null & $(PIP) --no-warn-conflicts --editable '.[dev]'; status=$$?; wait; exit $$status
	$(PIP) $(TORCH) || echo "without torch: its tests are skipped"
	@# on all cores, which pip does not; what is left out is hardly imported, and some files are for no Python at all
	$(BIN)/python -m compileall -qq -j 0 allo_air
	$(BIN)/python -m compileall -qq -j 0 -x '/($(UNUSED))/' $(VENV)/lib || true
	touch $@

install: $(STAMP)

demo: $(STAMP)
	@mkdir -p $(DEMO)
	$(BIN)/allo-run gemm-bf16 --shape 256x256x256 --picture --plot $(DEMO)/timeline.png --plot $(DEMO)/roofline.png \
	  --save $(DEMO)/stages
	@echo "pictures: $(DEMO)/timeline.png, $(DEMO)/roofline.png; the IR of every stage: $(DEMO)/stages"

# what fails is run again with the values of its assertions: to prepare all of them takes each process 7 s
test: $(STAMP)
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal --assert=plain -m "not slow" \
	  || { $(BIN)/python -m pytest --last-failed --last-failed-no-failures=none; exit 1; }

test-slow: $(STAMP)
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal -m slow

fuzz: $(STAMP)
	$(BIN)/python -m pytest test/e2e/random_air test/unit/access test/unit/core $(DRAWN:%=test/unit/passes/%) \
	  --hypothesis-profile=fuzz --numprocesses=auto

random-graphs: $(STAMP)
	$(BIN)/python -m pytest test/e2e/npu --hypothesis-profile=fuzz --numprocesses=auto

published: $(STAMP)
	$(BIN)/python bench/published.py --slow --only registry: --write docs/simulator.md

torch-modules: $(STAMP)
	$(BIN)/python bench/from_torch.py

stubs: $(STAMP)
	$(BIN)/python typings/generate.py

docs: $(STAMP)
	$(BIN)/python -c "import mkdocs, material" 2>/dev/null || $(PIP) 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5'
	$(BIN)/python docs/site/build.py

check: check-format check-lint check-types check-imports check-prose

check-format: $(STAMP)
	$(BIN)/ruff format --check .

check-lint: $(STAMP)
	$(BIN)/ruff check .

check-types: $(STAMP)
	$(BIN)/mypy

check-imports: $(STAMP)
	$(BIN)/lint-imports

check-prose: $(STAMP)
	$(BIN)/python -m pytest test/unit/test_prose.py -n 0

# a wheel for each Python that is on PATH or with pyenv, and a try of it; a version that is not there is named
wheels: $(STAMP)
	rm -rf dist build/try
	$(BIN)/python -m build --sdist --outdir dist
	@set -e; for version in $(PYTHONS); do \
	  python=$$(for each in $$(command -v python$$version) "$$HOME"/.pyenv/versions/$$version.*/bin/python; do \
	    $$each --version 2>/dev/null | grep -q " $$version[.]" && echo $$each; done | tail -n 1); \
	  if [ -z "$$python" ]; then echo "no wheel for Python $$version, which is not on this machine"; continue; fi; \
	  echo "Python $$version: $$python"; $$python -m venv build/try/$$version; try=build/try/$$version/bin/python; \
	  $$try -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist dist/allo_air-*.tar.gz; \
	  $$try -m pip install --quiet --disable-pip-version-check dist/*-cp$$(echo $$version | tr -d .)-*.whl; \
	  (cd build/try/$$version && bin/allo-run gemm-i8 --shape 32x48x40 --device npu2); \
	done
	@ls -l dist

clean:
	rm -rf $(VENV) build dist
