# `make` lists what there is to do. All of it happens in .venv, made on first use.

PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-input --disable-pip-version-check
MINUTES ?= 10
# Threads of BLAS would only wait for each other beside the processes of the tests.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4

# Numba does not notice that a kernel of another file changed: one cache for each state of src.
SOURCES := $(shell find src -name '*.py' | LC_ALL=C sort | xargs cksum | cksum | cut -d ' ' -f 1)
export NUMBA_CACHE_DIR := $(CURDIR)/.venv/numba-cache/$(SOURCES)

.PHONY: help demo test test-all test-oldest attack check docs bench accuracy pictures paper dist wheel clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

demo: .venv/installed  ## cluster wines, a vector and a simulated matrix; ends with a report to explore
	@$(BIN)/python examples/cocluster_wine.py
	@echo
	@$(BIN)/python examples/cut_a_vector.py
	@echo
	@$(BIN)/rankone demo --out demo --force

test: check  ## check, then run all tests
	$(PYTEST)

test-all: test attack  ## all tests, also those that take minutes, and ten minutes of random attacks
	$(PYTEST) -m long

attack: .venv/installed  ## attack the library with random cases: make attack MINUTES=480
	$(BIN)/python -m attacks --minutes $(MINUTES)

check: .venv/installed  ## lint (Python and JavaScript), formatting and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/oxlint src/rankone/report/js

docs: .venv/installed-docs  ## build the site into build/site, and run its examples; warnings are errors
	@rm -rf build/site docs/api
	OMP_NUM_THREADS=1 $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs build/site
	@echo "Open build/site/index.html in a browser."

bench: .venv/installed-bench accuracy  ## compare speed and results with other packages
	$(BIN)/python -m benchmarks

accuracy: .venv/installed-bench  ## simulate, compare with peers, write docs/accuracy.md (30 min)
	$(BIN)/python -m benchmarks.accuracy

pictures: .venv/installed  ## draw the pictures of the README (the report's needs Chromium)
	@for example in cocluster_wine cut_a_vector report_of_wine; do \
		$(BIN)/python examples/$$example.py || exit 1; done
	@cp demo/wine.png demo/cut.png demo/report.png docs/

paper: .venv/installed  ## reproduce the paper, write docs/paper.md (30 min; goes on where it was)
	@$(BIN)/rankone reproduce --out build/paper
	@cp build/paper/paper.md docs/paper.md
	@mkdir -p docs/paper && cp build/paper/paper/*.png docs/paper/

test-oldest:  ## run all tests with the oldest dependencies that pyproject allows
	@$(PYTHON) -m venv build/oldest
	@build/oldest/bin/python -m pip install --quiet --no-input --disable-pip-version-check uv
	@build/oldest/bin/uv pip install --quiet --python build/oldest/bin/python \
	--resolution lowest-direct --editable ".[test,plot]" "pyparsing~=3.1.0"  # for the oldest matplotlib
	OMP_NUM_THREADS=1 build/oldest/bin/python -m pytest --numprocesses auto --maxprocesses 4

dist: .venv/installed  ## build wheel and sdist into dist
	@rm -rf dist
	@$(BIN)/python -m build --outdir dist

wheel: .venv/installed  ## build the wheel into dist, and use it outside of this folder
	@rm -rf dist
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@$(PIP_INSTALL) --no-deps --target dist/unpacked dist/*.whl
	@cd dist/unpacked && PYTHONPATH=. ../../$(BIN)/python -c "import rankone; \
	print(rankone.__file__, rankone.SortedPotts(n_clusters=2).cut([5, 0, 4, 1])); \
	print(rankone.RankOneCoclustering(2, 2).fit([[1, 9, 1], [8, 2, 7], [1, 9, 2]]).report())"

clean:  ## remove all that was made, .venv too
	rm -rf .venv dist demo build docs/api docs/gallery .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("rankone needs Python 3.11 \
	or later, but $(PYTHON) is %d.%d: try make PYTHON=python3.11" % sys.version_info[:2])'
	@echo "Installing rankone and its tools into .venv (about a minute)"
	@$(PYTHON) -m venv .venv
	@$(PIP_INSTALL) --editable ".[test,plot,dev]"
	@touch $@

.venv/installed-docs: .venv/installed
	@$(PIP_INSTALL) --editable ".[docs]"
	@touch $@

.venv/installed-bench: .venv/installed
	@$(PIP_INSTALL) --editable ".[bench]"
	@touch $@
