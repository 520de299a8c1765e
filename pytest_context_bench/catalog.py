"""From what users name to what runs: data sets, systems and evaluators."""

import importlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pytest_context_bench.datasets.examples import Examples, in_memory
from pytest_context_bench.datasets.local import is_path, open_local
from pytest_context_bench.datasets.table import Dataset
from pytest_context_bench.errors import DuplicateNameError, InvalidValueError
from pytest_context_bench.protocols import Evaluator, Metric, System
from pytest_context_bench.registry import registry
from pytest_context_bench.systems.adapt import as_system
from pytest_context_bench.systems.table import BUILT_IN, built_in

REFERENCE = "NAME=module:attribute, as in mine=my_package.systems:Compressor"


def open_dataset(dataset: Any, n: int | None = None, seed: int | None = None, **options: Any) -> Examples:
    """Open a data set: a name, `NAME:config`, a path, or examples; *options* go to a registered loader.

    With *seed*, *n* of all examples are sampled instead of the first *n*.
    """
    limit = n if seed is None else None
    examples = _open(dataset, limit, options)
    return examples.take(n, seed)


def open_system(system: Any) -> System:
    """Return a system: an object that is one already, a name, `NAME:config`, or `NAME=module:attribute`."""
    if not isinstance(system, str):
        return as_system(system)
    name, assigned, reference = system.partition("=")
    if assigned:
        return as_system(_imported(name, reference), name)
    if system not in registry.added("system") and system.partition(":")[0] in BUILT_IN:
        return built_in(system)
    return as_system(registry.get("system", system), system)


def open_systems(systems: Any) -> list[System]:
    """Return the systems, one or several. Raises DuplicateNameError for two under one name."""
    several = systems if isinstance(systems, Iterable) and not isinstance(systems, str) else [systems]
    opened = [open_system(system) for system in several]
    if isinstance(systems, set | frozenset):
        opened.sort(key=lambda system: system.name)  # a set's own order differs from process to process
    _check_distinct("system", [system.name for system in opened])
    return opened


def find_all(kind: str, named: Iterable[Any]) -> list[Any]:
    """Return evaluators or metrics given as objects or as names of *kind*."""
    protocol = {"evaluator": Evaluator, "metric": Metric}[kind]
    method = {"evaluator": "score(original, processed)", "metric": "compute(rows)"}[kind]
    found = [registry.get(kind, one) if isinstance(one, str) else one for one in named]
    for one in found:
        if isinstance(one, type) or not isinstance(one, protocol):
            raise InvalidValueError(kind, one, f"an object with .name and .{method}")
    return found


def _open(dataset: Any, n: int | None, options: dict[str, Any]) -> Examples:
    if isinstance(dataset, Examples):
        return dataset
    if isinstance(dataset, Path) or (isinstance(dataset, str) and _names_file(dataset)):
        return open_local(dataset, n)
    if isinstance(dataset, str):
        return _open_named(dataset, n, options)
    if isinstance(dataset, Iterable):
        return in_memory("", dataset, n)
    raise InvalidValueError("data set", dataset, "a name, a path or an iterable of example dicts")


def _names_file(dataset: str) -> bool:
    return dataset not in registry.added("dataset") and is_path(dataset)


def _open_named(spec: str, n: int | None, options: dict[str, Any]) -> Examples:
    head = spec.partition(":")[0]
    found = registry.get("dataset", spec if spec in registry.list("dataset") else head)
    if isinstance(found, Dataset):
        return found.open(spec, n, **options)
    examples = found(**_accepted(found, n), **options) if callable(found) else found
    if isinstance(examples, str | Path):
        return open_local(examples, n)
    return in_memory(spec, examples, n)


def _accepted(loader: Callable[..., Any], n: int | None) -> dict[str, int]:
    """Return `n` where the loader takes it; any other loader's examples are cut afterwards."""
    if n is None:
        return {}
    parameters = inspect.signature(loader).parameters.values()
    takes_n = any(
        parameter.name == "n" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters
    )
    return {"n": n} if takes_n else {}


def _imported(name: str, reference: str) -> Any:
    module, colon, attribute = reference.partition(":")
    if not (name and module and colon and attribute):
        raise InvalidValueError("system", f"{name}={reference}", REFERENCE)
    try:
        found = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # a user's module can fail in any way
        problem = f"importable ({type(error).__name__}: {error})"
        raise InvalidValueError("system", f"{name}={reference}", problem) from error
    return found


def _check_distinct(kind: str, names: Sequence[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise DuplicateNameError(kind, name)
