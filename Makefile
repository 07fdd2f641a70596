# `make play` and `make test` work on a fresh machine with Python 3.11+ and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEV := $(VENV)/.dev
COMPILED := build/compiled
SOURCES := $(wildcard $(addprefix src/quartermaster/,*.py rules/*.py cards/*.py bots/*.py bots/mind/*.py))

.PHONY: play test lint bench fuzz load types clean

play: $(INSTALLED)  ## the game in your browser
	@$(BIN)/quartermaster serve

test: lint $(COMPILED)/.done  ## everything that must be green
	$(BIN)/python -m pytest -q -n auto

lint: $(DEV)  ## types, style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(DEV) $(COMPILED)/.done  ## speed of the core, interpreted and compiled
	@$(BIN)/quartermaster bench --beside $(COMPILED)

fuzz: $(DEV)  ## random and hostile play, five minutes
	@$(BIN)/quartermaster fuzz --seconds 300

load: $(DEV)  ## 200 live games of six people on a server, one minute
	@$(BIN)/python tools/load.py

types:  ## of the page's JavaScript; needs npx
	npx --yes --package typescript@5 tsc -p src/quartermaster/web/page/jsconfig.json

clean:
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): $(VENV)/bin/python pyproject.toml setup.py
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[server]'
	@touch $@

$(DEV): $(VENV)/bin/python pyproject.toml setup.py
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(INSTALLED)

# A compiled copy beside the source tree, never in it.
$(COMPILED)/.done: $(DEV) $(SOURCES) pyproject.toml setup.py
	rm -rf $(COMPILED) build/lib* build/bdist*
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --target $(COMPILED) .
	@touch $@
