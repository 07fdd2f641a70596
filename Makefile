# `make play` and `make test` work on a fresh machine with Python 3.11+ and make.
# PYTHON=python3.12 names the Python to use; ARGS="..." is passed on to what is run.

ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEV := $(VENV)/.dev
COMPILED := build/compiled
LOWEST := build/lowest
BUILD := pyproject.toml setup.py $(wildcard packaging/*.py)
SOURCES := $(shell find src/quartermaster -name '*.py' -not -path '*/server/*' -not -path '*/cli/*')
UV := $(shell command -v uv)
PIP := $(if $(UV),$(UV) pip install -q --python $(BIN)/python,$(BIN)/python -m pip install -q --disable-pip-version-check)
export PYTHON
# Hundreds of processes are started in tests: none of them should compile again what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-lowest lint bench docs fuzz fuzz-api load clicks types format-page clean

# Bots think several times as deep once the core is compiled, which is done beside the game.
play: $(INSTALLED)  ## the game in your browser
	@mkdir -p build
	@$(BIN)/python tools/keep_core.py >build/core.log 2>&1 & exec $(BIN)/quartermaster serve $(ARGS)

# Tests with real browsers, clocks and processes are tried again where a busy machine was too slow. They often wait for those, so there are more processes
# than cores. Not so the tests of sources: to be ready to try again takes 40 ms of waiting for each of thousands of tests.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
WORKERS := $(shell echo $$(($(CORES) + 2)))
PYTEST := $(BIN)/python -m pytest -q --dist loadfile --no-loadscope-reorder
AGAIN := --reruns 3 --reruns-delay 2
SOURCE_TESTS := src tests/rules tests/cards tests/packaging tests/test_architecture.py tests/server/test_bot_pool.py

# The rules, cards and what is built of them are tested as sources, all else on the compiled core where there is one: as people run it, and quicker.
test: $(DEV)  ## everything that must be green
	@$(MAKE) --no-print-directory -j2 lint $(COMPILED)/.done
	$(PYTEST) -n $(CORES) $(SOURCE_TESTS) $(ARGS)
	QUARTERMASTER_COMPILE=auto $(PYTEST) -n $(WORKERS) $(AGAIN) $(SOURCE_TESTS:%=--ignore=%) $(ARGS)

test-lowest: $(LOWEST)/.done  ## the server and the commands with the lowest versions declared
	$(LOWEST)/bin/python -m pytest -q -n $(WORKERS) --dist loadfile $(AGAIN) -W ignore::DeprecationWarning $(or $(ARGS),tests/cli tests/server)

lint: $(DEV)  ## types, style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEV) $(COMPILED)/.done  ## speed of the core, interpreted and compiled
	@$(BIN)/quartermaster bench --beside $(COMPILED) $(ARGS)

docs: $(DEV)  ## the documentation site, in build/site
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/site

fuzz: $(DEV)  ## random and hostile play, five minutes
	@$(BIN)/quartermaster fuzz --seconds 300 $(ARGS)

fuzz-api: $(DEV)  ## 10,000 requests of all kinds to a server of its own
	@$(BIN)/python tools/fuzz_api.py $(ARGS)

load: $(DEV) $(COMPILED)/.done  ## 200 live games of six people on a server, one minute
	@cp -R src/quartermaster $(COMPILED)/
	@$(BIN)/python tools/load.py $(ARGS)

clicks: $(DEV)  ## how many clicks the page takes, over 20 games
	@$(BIN)/python tools/clicks.py $(ARGS)

types:  ## of the page's JavaScript; needs npx
	npx --yes --package typescript@5 tsc -p src/quartermaster/page/jsconfig.json

format-page:  ## the page's JavaScript and styles; needs npx
	npx --yes prettier@3.6 --write "src/quartermaster/page/{js,styles}/**/*.{js,css}"

clean:
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info

$(INSTALLED): $(BUILD)
	@tools/install.sh $(VENV) server
	@touch $@

$(DEV): $(BUILD)
	@tools/install.sh $(VENV) dev
	@touch $@ $(INSTALLED)

# A compiled copy beside the source tree, never in it.
$(COMPILED)/.done: $(DEV) $(SOURCES) $(BUILD)
	@echo "Compiling the core, a minute on two cores (not without a C compiler) ..."
	@rm -rf $(COMPILED) build/lib* build/bdist*
	@$(PIP) --no-deps --target $(COMPILED) .
	@$(BIN)/python tools/keep_core.py $(COMPILED)
	@touch $@

# What the package itself needs at its lowest, the tools for tests as they come.
$(LOWEST)/.done: $(DEV) $(BUILD)
	@echo "Installing the lowest versions declared into $(LOWEST) ..."
	@rm -rf $(LOWEST)
	@$(or $(UV),$(BIN)/python -m uv) venv -q --python $(BIN)/python $(LOWEST)
	@$(or $(UV),$(BIN)/python -m uv) pip compile -q --python $(BIN)/python --resolution lowest-direct --extra server pyproject.toml --output-file $(LOWEST)/lowest.txt
	@$(or $(UV),$(BIN)/python -m uv) pip install -q --python $(LOWEST)/bin/python --constraint $(LOWEST)/lowest.txt -e '.[dev]'
	@touch $@
