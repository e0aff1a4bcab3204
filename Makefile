# Everything that is done with this repository, for people and for CI. Needs Python 3.11+, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install run web test browser check format format-check lint types imports collect fixtures screenshot docs tables size catalogue lock clean

help: ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-14s %s\n", $$1, $$2}'

install: $(INSTALLED) ## make .venv from the lock; afterwards .venv/bin/thusfar is there

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Thusfar needs Python 3.11 or newer; PYTHON=... names one.")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.lock
	$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true  # pip would, with one core alone; examples of some packages are no Python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q adapters bot core
	@touch $(INSTALLED)

run: install ## talk with the sample novel in the terminal, without any key
	@$(BIN)/thusfar chat

web: install ## talk with the sample novel in the browser, without any key
	@$(BIN)/thusfar web

# Whatever the environment says, compiled tests are kept: each of the processes would compile all of them anew.
test: install ## run all tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses auto --dist loadfile

collect: install # compile the tests for the run to come; what is wrong with them it says itself
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qqq > /dev/null || true

browser: install ## what the tests in a real browser need beside a Chromium of the system
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["browser"], sep="\n")' | \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement /dev/stdin

check: format-check lint types imports test ## what CI runs

format: install ## put the code in form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

format-check: install
	$(BIN)/ruff format --check .

lint: install
	$(BIN)/ruff check .

types: install
	$(BIN)/mypy

imports: install
	$(BIN)/lint-imports

catalogue: install ## list all sentences that members read in core/catalogue/members.pot
	$(BIN)/pybabel --quiet extract --mapping-file core/catalogue/babel.cfg --keywords "sentence say say_count:1,2" \
		--no-default-keywords --no-location --add-comments "Note:" --sort-by-file --omit-header \
		--width 110 --output core/catalogue/members.pot core adapters

fixtures: install ## make the prebuilt database of the sample anew, after a change of schema, chunks or embedding
	folder=$$(mktemp -d) && THUSFAR_EMBEDDINGS=wordllama $(BIN)/thusfar books prebuild sample --to $$folder/home && \
		install -m 644 $$folder/home/thusfar.db fixtures/sample/prebuilt.db; made=$$?; rm -rf $$folder; exit $$made

screenshot: browser ## take the picture of the page anew that the README begins with (needs a Chromium)
	$(BIN)/python -m tests.adapters.web.screenshot docs/in-the-browser.png

docs: install ## build the documents as a site in site/
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' | \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement /dev/stdin
	$(BIN)/mkdocs build --quiet --strict

tables: install ## write the tables of commands and settings in docs/ anew
	$(BIN)/python -m benchmarks.docs_tables

size: install ## print how big the code is, in syntax-tree nodes
	@$(BIN)/python -m benchmarks.house_size core adapters bot
	@$(BIN)/python -m benchmarks.house_size tests | tail -1

lock: ## write requirements.lock anew: versions and hashes, no addresses (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --output-file requirements.lock

clean: ## remove the environment and what tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .complexipy_cache .hypothesis
