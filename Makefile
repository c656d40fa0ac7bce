# Two commands do everything on a fresh machine with Python 3.11+: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test check fix bench docs clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rubricate needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(STAMP) ## a tour with the sample: train, evaluate, explain, predict
	$(BIN)/rubricate demo

test: $(STAMP) ## run the tests (set RUBRICATE_DATA for those on real collections)
	$(BIN)/python -m pytest -n 2 --dist worksteal --durations 15

check: $(STAMP) ## ruff, mypy --strict, import-linter, generated files fresh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/make_characters.py --check
	$(BIN)/python tools/make_docs.py --check

fix: $(STAMP) ## let ruff put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP) ## speed and memory against scikit-learn, in one run; writes benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks.run

docs: $(STAMP) ## make the generated pages of docs/ anew, and write additions to the public names down
	$(BIN)/python tools/make_docs.py
	$(BIN)/python tools/public_api.py

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
