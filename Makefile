# Everything runs in .venv, which the first target that needs it sets up. `make help` says what there is.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PYTHONS := python3.13 python3.12 python3.11 python3
FIRST_RUN := runs/first
MATCHES := 250
SITE := build/site

.DEFAULT_GOAL := help
.PHONY: help setup tournament test test-slow test-part test-twin test-faults test-pythons check docs bench

help:
	@echo 'make tournament    play a tournament into $(FIRST_RUN), or what is left of it; standings and plots'
	@echo 'make test          the quick suite, with bounds checks in the kernels'
	@echo 'make test-slow     the whole suite, exhaustive runs too'
	@echo 'make test-twin     a million positions on the kernels and on their slow twin, and all seeded faults'
	@echo 'make test-faults   runs that are killed, cut off or refused room at a hundred random moments'
	@echo 'make test-pythons  a part of the suite on each other Python from 3.11 to 3.13 that is installed'
	@echo 'make check         lint, format and types'
	@echo 'make docs          the site from the documents, into $(SITE); any warning is an error'
	@echo 'make bench         the benchmark'
	@echo 'make setup         only set up: $(VENV) with this package and its tools'

setup: $(READY)

# The first of PYTHONS that really runs (a shim may stand for a version that is not there), is new enough and brings pip.
$(READY): pyproject.toml
	@for python in $(PYTHONS); do \
		$$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || continue; \
		echo "setting up $(VENV) with $$($$python --version), a minute or two"; \
		$$python -m venv $(VENV) \
		&& $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '.[dev,docs]' \
		&& touch $@; \
		exit; \
	done; \
	echo 'no Python 3.11 or newer with venv and pip found: tried $(PYTHONS)' >&2; exit 1

tournament: $(READY)
	$(BIN)/agari pit --agents "mc(playouts=200),greedy,random,random" --matches $(MATCHES) --seed 7 --out $(FIRST_RUN)$(if $(wildcard $(FIRST_RUN)/manifest.json), --resume)
	$(BIN)/agari plot $(FIRST_RUN)

test test-slow test-part test-twin: export NUMBA_BOUNDSCHECK = 1

# A first small tournament compiles the kernels; else each of pytest's workers would.
COMPILED = folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT \
	&& for game in federation voodoo_prince dobon; do $(BIN)/agari pit --game $$game \
	--agents "mc(playouts=20),ismcts(playouts=20),greedy,random" --matches 1 --quiet --out "$$folder/$$game" || exit 1; done

CLAUSES = $(wildcard tests/sim/test_*_clauses.py)

# A small part once more as plain Python, in which numpy warns where integers wrap round as they are meant to.
test: $(READY)
	@$(COMPILED)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -W ignore:overflow:RuntimeWarning $(CLAUSES)
	$(BIN)/pytest -n 2 -m "not slow"

test-slow: $(READY)
	@$(COMPILED)
	$(BIN)/pytest -n 2

# What the kernels answer at a million positions; then that faults in them would be noticed.
test-twin: $(READY)
	$(BIN)/python -m tests.twin --faults

# Nothing that is done is lost, whatever happens to a run.
test-faults: $(READY)
	$(BIN)/python -m tests.faults

# All cases of the rules, the installation, and a tournament from its start to the plots.
test-part: $(READY)
	$(BIN)/pytest tests/sim/test_daifugo_cases.py tests/test_setup.py tests/test_notebooks.py

test-pythons: $(READY)
	@for version in 3.11 3.12 3.13; do \
		if $(BIN)/python --version | grep -qF "Python $$version."; then continue; fi; \
		for python in python$$version $$HOME/.pyenv/versions/$$version.*/bin/python$$version; do \
			$$python -c '' 2> /dev/null || continue; \
			$(MAKE) --no-print-directory VENV=.venv-$$version PYTHONS=$$python test-part || exit 1; \
			continue 2; \
		done; \
		echo "Python $$version is not installed: not tested"; \
	done

# Mypy finds a namespace package only as a folder, which an editable installation is not.
TYPED := $(VENV)/typed/agari

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@mkdir -p $(TYPED) && ln -sfn $(CURDIR)/sim $(CURDIR)/agents $(CURDIR)/experiments $(TYPED)
	MYPYPATH=$(VENV)/typed $(BIN)/mypy -p agari.sim -p agari.agents -p agari.experiments

# Anew each time, since a page that is not read again does not warn again.
docs: $(READY)
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going -c docs/site -d build/doctrees . $(SITE)
	@echo 'the site is in $(SITE)/index.html'

bench: $(READY)
	$(BIN)/agari bench
