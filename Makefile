# `make demo` shows the main job, `make test` proves the project; both need only Python 3.11 and the package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench clean

demo:
	$(PYTHON) -m venv --clear $(VENV)-demo
	$(VENV)-demo/bin/python -m pip install --quiet .
	cd "$$(mktemp -d)" && "$(CURDIR)/$(VENV)-demo/bin/pytest" --context-bench-dataset needle

test: $(VENV)/installed lint
	rm -f .coverage .coverage.*
	$(BIN)/coverage run $(BIN)/pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet . --group dev
	touch $@

# The tests run against the built wheel, as users install it.
$(VENV)/installed: $(VENV)/ready $(shell find pytest_context_bench -type f -not -name '*.pyc')
	rm -rf $(VENV)/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir $(VENV)/wheel .
	$(BIN)/python -m pip install --quiet --no-deps --force-reinstall $(VENV)/wheel/*.whl
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-demo build dist .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache
