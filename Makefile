# Everything that is done with this repository, for people and for CI. Needs Python 3.11+, make and a package index.
# uv installs, where it is there, and pip otherwise.
SHELL := bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
TOOLS := $(VENV)/.tools
DIST := dist
UV := $(shell command -v uv 2> /dev/null)

ifdef UV
# Another Python than uv would choose: PYTHON=...
make_venv = $(UV) venv --quiet $(if $(filter file,$(origin PYTHON)),,--python $(PYTHON)) $(VENV)
install_packages = $(UV) pip install --python $(BIN)/python
install_lock = $(install_packages) --require-hashes --no-deps --requirement $(1)
else
make_venv = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Thusfar needs Python 3.11 or newer; PYTHON=... names one.")' && \
	$(PYTHON) -m venv $(VENV)
install_packages = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# pip is silent or says three lines a package: one line for ten packages is shown instead.
install_lock = set -o pipefail; of=$$(grep -c '^[a-z].*==' $(1)); \
	$(BIN)/python -m pip install --disable-pip-version-check --no-compile --progress-bar off --require-hashes --no-deps --requirement $(1) | { \
		got=0; while read -r word _; do case $$word in \
			Collecting | Processing) got=$$((got + 1)); if [ $$((got % 10)) = 0 ]; then echo "  $$got of $$of downloaded"; fi ;; \
			Installing) echo "  unpacking them, which takes the longest" ;; \
		esac; done; }
endif
lock = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url
group = $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["$(1)"], sep="\n")'

.DEFAULT_GOAL := help
.PHONY: help install tools run web test browser check format format-check lint types imports collect fixtures screenshot docs tables size catalogue dist lock clean

help: ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-14s %s\n", $$1, $$2}'

install: $(COMPILED) ## make .venv for a service; afterwards .venv/bin/thusfar is there
tools: $(TOOLS) ## add what the tests and checks need to .venv

$(INSTALLED): requirements.lock pyproject.toml
	@test -x $(BIN)/python || { $(make_venv); }
	@echo "Installing the packages of requirements.lock into $(VENV), this once, with $(if $(UV),uv,pip):"
	@$(call install_lock,requirements.lock)
	@$(install_packages) --quiet --no-deps --no-build-isolation --editable .
	@touch $(INSTALLED)

# Compiled beforehand for those who may not write here (a service), or start many processes at once (the tests). Examples
# in some packages are no Python.
compile = echo "Compiling them, so that every start is quick"; \
	$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true; $(BIN)/python -m compileall -q adapters bot core

$(COMPILED): $(INSTALLED)
	@$(compile)
	@touch $(COMPILED)

$(TOOLS): requirements-dev.lock $(INSTALLED)
	@echo "Installing the tools of requirements-dev.lock into $(VENV), this once:"
	@$(call install_lock,requirements-dev.lock)
	@$(compile)
	@touch $(TOOLS) $(COMPILED)

run: $(INSTALLED) ## talk with the sample novel in the terminal, without any key
	@echo "Opening the sample novel: thusfar chat."
	@$(BIN)/thusfar chat

web: $(INSTALLED) ## talk with the sample novel in the browser, without any key
	@echo "Opening the sample novel: thusfar web."
	@$(BIN)/thusfar web

# Whatever the environment says, compiled tests are kept: each of the processes would compile all of them anew.
test: tools ## run all tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses auto --dist loadfile

collect: tools # compile the tests for the run to come; what is wrong with them it says itself
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qqq > /dev/null || true

browser: tools ## what the tests in a real browser need beside a Chromium of the system
	$(install_packages) $$($(call group,browser))

check: format-check lint types imports test ## what CI runs

format: tools ## put the code in form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

format-check: tools
	$(BIN)/ruff format --check .

lint: tools
	$(BIN)/ruff check .

types: tools
	$(BIN)/mypy

imports: tools
	$(BIN)/lint-imports

catalogue: tools ## list all sentences that members read in core/catalogue/members.pot
	$(BIN)/pybabel --quiet extract --mapping-file core/catalogue/babel.cfg --keywords "sentence say say_count:1,2" \
		--no-default-keywords --no-location --add-comments "Note:" --sort-by-file --omit-header \
		--width 110 --output core/catalogue/members.pot core adapters

fixtures: install ## make the prebuilt database of the sample anew, after a change of schema, chunks or embedding
	folder=$$(mktemp -d) && THUSFAR_EMBEDDINGS=wordllama $(BIN)/thusfar books prebuild sample --to $$folder/home && \
		install -m 644 $$folder/home/thusfar.db fixtures/sample/prebuilt.db; made=$$?; rm -rf $$folder; exit $$made

screenshot: browser ## take the picture of the page anew that the README begins with (needs a Chromium)
	$(BIN)/python -m tests.adapters.web.screenshot docs/in-the-browser.png

docs: install ## build the documents as a site in site/
	$(install_packages) $$($(call group,docs))
	$(BIN)/mkdocs build --quiet --strict

tables: tools ## write the tables of commands and settings in docs/
	$(BIN)/python -m benchmarks.docs_tables

size: install ## print how big the code is, in syntax-tree nodes
	@$(BIN)/python -m benchmarks.house_size core adapters bot
	@$(BIN)/python -m benchmarks.house_size tests | tail -1

dist: tools ## build a release in dist/: wheel, source, and what it is made of (CycloneDX)
	rm -rf $(DIST)
	$(BIN)/python -m hatchling build --directory $(DIST)
	$(BIN)/uv venv --quiet --python $(BIN)/python $(DIST)/installed
	$(BIN)/uv pip install --quiet --python $(DIST)/installed --no-deps --require-hashes --requirement requirements.lock
	$(BIN)/uv pip install --quiet --python $(DIST)/installed --no-deps $(DIST)/*.whl
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible $(DIST)/installed/bin/python \
		--output-file $(DIST)/thusfar-$$($(BIN)/python -m hatchling version).cdx.json
	rm -r $(DIST)/installed

lock: tools ## write both locks again: versions and hashes, no addresses
	$(lock) pyproject.toml --group build --output-file requirements.lock
	$(lock) --group dev --constraints requirements.lock --output-file requirements-dev.lock

clean: ## remove the environment and what tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .complexipy_cache .hypothesis
