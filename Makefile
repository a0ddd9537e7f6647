# Two commands: `make run` opens the app on the demo project, `make test` checks everything.
# Each sets up what it needs in .venv with the tested versions of constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Where the environment forbids it, every process of the suite would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test demo bench package docs clean help

help:
	@echo "make run      set up and open the demo project (without a display: run the demo headless)"
	@echo "make test     set up and run linters, type check, import contracts and all tests"
	@echo "make bench    set up and measure a full-size synthetic project (its first time takes half an hour)"
	@echo "make docs     set up and write the reference of commands and the documents' pictures anew"
	@echo "make package  set up and build wheel and source distribution in dist/"
	@echo "make demo     set up and run the whole job headless, results in exports/demo/"

run: $(STAMP)
	$(BIN)/btc-gui open --demo

demo: $(STAMP)
	$(BIN)/btc-gui demo

bench: $(STAMP)
	$(BIN)/python -m tests.bench

test: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	@# What Python compiles is compiled once, while mypy has the other core, and not by each process of the suite.
	$(BIN)/python -m pytest -q --collect-only >/dev/null 2>&1 & $(BIN)/mypy; ended=$$?; wait; exit $$ended
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -n 4 --dist loadgroup

docs: $(STAMP)
	BTC_WRITE_DOCS=1 $(BIN)/python -m pytest -q tests/docs/test_commands.py
	$(BIN)/python -m tests.docs.pictures

package: $(STAMP)
	$(BIN)/python -m hatchling build -d dist

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("btc_gui needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 " ) if sys.version_info < (3, 11) else None'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "Python lacks its venv module. Install it with: sudo apt-get install python3-venv"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
