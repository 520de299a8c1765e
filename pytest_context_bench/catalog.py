"""From what users name to what runs: data sets, systems and evaluators."""

import importlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.examples import Examples, in_memory, limit
from pytest_context_bench.datasets.loading import open_registered, refuse
from pytest_context_bench.datasets.local import SUFFIXES, is_path, open_local
from pytest_context_bench.datasets.spec import Spec
from pytest_context_bench.errors import (
    ExecutionNotAllowedError,
    InvalidValueError,
    NeedsJudgeError,
    UnknownNameError,
    check_distinct,
    nearest,
)
from pytest_context_bench.evaluators import permitted
from pytest_context_bench.plain import to_plain
from pytest_context_bench.protocols import Evaluator, Example, Metric, System
from pytest_context_bench.registry import check_shape, registry
from pytest_context_bench.systems.adapt import as_system
from pytest_context_bench.systems.table import BUILT_IN, built_in

REFERENCE = "NAME=module:attribute, as in mine=my_package.systems:Compressor"
NOT_FOUND = ": install it, set `pythonpath` in the ini file, or run pytest in its folder"


def open_dataset(
    dataset: Any,
    n: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    offline: bool = False,
) -> Examples:
    """Open a data set: a name, `NAME:config@split`, a path, or examples; *options* go to a registered loader.

    With *seed*, *n* of all examples are sampled instead of the first *n*. *offline*, a data set of the table
    does not use the network; neither does it with an option of that name.
    """
    wanted, given = limit(n), dict(options or {})
    first = wanted if seed is None else None
    if isinstance(dataset, str) and not names_file(dataset):
        examples = _named(dataset, wanted, seed, given, offline=offline)
    elif isinstance(dataset, str | os.PathLike):
        refuse(os.fspath(dataset), given)
        examples = open_local(os.fspath(dataset), first)
    elif isinstance(dataset, Examples):
        examples = dataset
    elif isinstance(dataset, Iterable):
        examples = in_memory("", dataset, first)
    else:
        raise InvalidValueError("data set", dataset, "a name, a path or an iterable of example dicts")
    return examples.take(wanted, seed)


def names_file(dataset: str) -> bool:
    """Whether *dataset* is the path of a file, and not a registered name."""
    return is_path(dataset) and dataset not in registry.added("dataset")


def open_system(system: Any) -> System:
    """Return a system: an object that is one already, a name, `NAME:config`, or `NAME=module:attribute`."""
    if not isinstance(system, str):
        return as_system(system)
    if system in registry.added("system"):
        return as_system(registry.get("system", system), system)
    name, assigned, reference = map(str.strip, system.partition("="))
    if assigned:
        return as_system(_imported(name, reference), name)
    if system.partition(":")[0] in BUILT_IN:
        return built_in(system)
    raise UnknownNameError("system", system, registry.list("system"))


def open_systems(systems: Any) -> list[System]:
    """Return the systems, one or several. Raises DuplicateNameError for two under one name."""
    opened = _in_order(systems, [open_system(system) for system in _several(systems)])
    if not opened:
        raise InvalidValueError("systems", systems, "one system or more")
    check_names(opened)
    return opened


def check_baseline_system(named: str, systems: Sequence[System]) -> None:
    """Check that the system *named*, if one is, is among *systems*. Raises UnknownNameError."""
    names = [system.name for system in systems]
    if named and named not in names:
        raise UnknownNameError("baseline system", named, names)


def check_names(systems: Sequence[System]) -> None:
    """Check that no two *systems* have one name. Raises DuplicateNameError."""
    # Masked, as rows name them: two that a password alone tells apart would be one there.
    check_distinct("system", to_plain([system.name for system in systems]))


def find_all(kind: str, named: Any) -> list[Any]:
    """Return evaluators or metrics, one or several, given as objects or as names of *kind*."""
    found = [registry.get(kind, one) if isinstance(one, str) else one for one in _several(named)]
    for one in found:
        check_shape(kind, one)
    return _in_order(named, found)


def scoring_evaluators(examples: Examples, example: Example, *, allow: bool) -> list[Evaluator]:
    """Return what scores *example*: its data set's evaluators, then those that users registered.

    They run the code of responses only where *allow* says so.
    """
    registered = find_all("evaluator", registry.added("evaluator"))
    return [permitted(one, allow=allow) for one in (*examples.evaluators_for(example), *registered)]


def check_scored(datasets: Iterable[Examples], *, allow: bool) -> None:
    """Check that this run can score *datasets*, running code where *allow* says so.

    Raises ExecutionNotAllowedError, and NeedsJudgeError for what only a judge can score.
    """
    judged = bool(registry.added("evaluator"))
    for examples in datasets:
        if examples.runs_code() and not allow:
            raise ExecutionNotAllowedError
        if examples.needs_judge() and not judged:
            raise NeedsJudgeError(examples.name)


def _in_order(given: Any, found: list[Any]) -> list[Any]:
    """Return *found*, of a set by name: its own order differs from process to process."""
    return sorted(found, key=lambda one: one.name) if isinstance(given, set | frozenset) else found


def _named(spec: str, n: int | None, seed: int | None, options: dict[str, Any], *, offline: bool) -> Examples:
    name = spec if spec in registry.added("dataset") else Spec.parse(spec).name
    if name not in registry.list("dataset") and _looks_like_path(spec):
        raise InvalidValueError(
            "data set", spec, f"a known name, nor a path that ends in {', '.join(SUFFIXES)}"
        )
    found = registry.get("dataset", name)
    if not isinstance(found, Dataset):
        return open_registered(spec, name, found, n if seed is None else None, options)
    off = options.pop("offline", False)
    refuse(name, options)
    return found.open(spec, n, sampled=seed is not None, offline=offline or bool(off))


def _looks_like_path(spec: str) -> bool:
    try:
        return os.sep in spec or Path(spec).is_file()
    except OSError:  # a name too long for a file
        return False


def _imported(name: str, reference: str) -> Any:
    module, colon, attribute = reference.partition(":")
    if not (name and module and colon and attribute):
        raise InvalidValueError("system", f"{name}={reference}", REFERENCE)
    try:
        found: Any = _module(module)
        for part in attribute.split("."):
            found = _attribute(found, part)
    except (Exception, SystemExit) as error:  # a user's module can fail in any way
        hint = NOT_FOUND if isinstance(error, ModuleNotFoundError) else ""
        problem = f"importable ({type(error).__name__}: {error}){hint}"
        raise InvalidValueError("system", f"{name}={reference}", problem) from error
    return found


def _module(name: str) -> ModuleType:
    """Import a module, of the current folder too, where `pytest` does not look of itself."""
    folder = str(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or name.partition(".")[0] != error.name or folder in sys.path:
            raise
    sys.path.append(folder)
    return importlib.import_module(name)


def _attribute(owner: Any, name: str) -> Any:
    """Return the attribute *name* of *owner*. Raises AttributeError, naming the nearest one."""
    missing = object()
    found = getattr(owner, name, missing)
    if found is missing:
        own = getattr(owner, "__dict__", {}).items()
        valid = [key for key, value in own if key[0] != "_" and not isinstance(value, ModuleType)]
        raise AttributeError(f"no {name!r} there: {nearest(name, valid)}")
    return found


def _several(given: Any) -> Iterable[Any]:
    """Return *given* as several: one object is one, even where it can be iterated over."""
    if isinstance(given, list | tuple):  # told first: isinstance() with a Protocol takes long
        return given
    one = isinstance(given, str | System | Evaluator | Metric) or not isinstance(given, Iterable)
    return [given] if one else given
