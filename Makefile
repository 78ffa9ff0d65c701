# Everything a developer runs. PORT, DATA, MINUTES and ARGS may be given: make up PORT=9000

UV_VERSION = 0.13.9
BIN = .venv/bin
STAMP = .venv/.installed
export REDOCLY_TELEMETRY = off
export REDOCLY_SUPPRESS_UPDATE_NOTICE = true
PORT = 8000
MINUTES = 0
DATA = data

.DEFAULT_GOAL := help
.PHONY: help setup up test check bench format lock spec test-node test-faults test-hostile golden

help:  ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(STAMP)  ## create .venv from requirements.lock (redone only when the lock changed)

# uv is 15 times faster; where it cannot be had, or finds no index, pip installs the same hashes.
$(STAMP): requirements.lock pyproject.toml
	@echo "Installing requirements.lock into .venv ..."
	@test -x $(BIN)/python || python3 -m venv .venv
	@{ $(BIN)/pip install --quiet uv==$(UV_VERSION) && VIRTUAL_ENV=.venv $(BIN)/uv pip sync \
	    --quiet --system-certs --require-hashes requirements.lock; } || \
	    $(BIN)/pip install --quiet --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

up: $(STAMP)  ## start everything on this machine at PORT, with its data in DATA
	@$(BIN)/puertorico up --port $(PORT) --data $(DATA) $(ARGS)

# Two for each processor: many tests wait for servers.
TESTERS = $(shell expr 2 '*' `nproc`)
test: $(STAMP)  ## all tests, against real servers started for them
	$(BIN)/pytest -n $(TESTERS) --dist loadfile $(ARGS)

check: $(STAMP)  ## what every commit passes: style, types, import directions, the quick tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -q tests/engine tests/rule_cases tests/golden tests/wire tests/table \
	    tests/architecture

golden: $(STAMP)  ## play the golden games again and write what happens; read the difference
	$(BIN)/python -m tests.golden

bench: $(STAMP)  ## how fast everything is on this machine (six minutes): docs/benchmarks.md
	$(BIN)/python -m bench $(ARGS)

format: $(STAMP)  ## put the code into shape
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header

lock: $(STAMP)  ## resolve pyproject.toml anew into requirements.lock, and what deploy/ needs of it
	$(COMPILE) --extra embedded --extra otel --extra dev pyproject.toml -o requirements.lock
	$(COMPILE) --constraint requirements.lock pyproject.toml -o deploy/requirements.lock

spec: $(STAMP)  ## write openapi.yaml anew from the code
	$(BIN)/python -m services.stack.spec openapi.yaml

node_modules/.installed: package-lock.json
	npm ci --no-audit --no-fund --silent
	touch $@

test-node: $(STAMP) node_modules/.installed  ## what needs Node: the spec's lint, a TypeScript client
	node_modules/.bin/redocly lint openapi.yaml
	node_modules/.bin/openapi-typescript openapi.yaml --default-non-nullable=false --output tests/node/api.d.ts
	node_modules/.bin/tsc --project tests/node
	$(BIN)/pytest -m node tests/node

test-faults: $(STAMP)  ## break servers and processes under load, for MINUTES at least
	FAULT_MINUTES=$(MINUTES) $(BIN)/pytest -m faults -n 2 --dist loadfile tests/faults $(ARGS)

EXAMPLES = 200
test-hostile: $(STAMP)  ## requests made at random, and what nobody may see, EXAMPLES of each (an hour)
	HOSTILE_EXAMPLES=$(EXAMPLES) HOSTILE_RUNS=$(EXAMPLES) PROPERTY_GAMES=$(EXAMPLES)0 $(BIN)/pytest -n auto \
	    --timeout 3600 tests/services/test_contract.py tests/services/test_stateful.py tests/privacy $(ARGS)
