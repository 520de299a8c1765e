"""What makes up a function: its instructions, and the values that they reach."""

import dis
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_context_bench.cache.packages import release_of_file

_PREFIX = "EXTENDED_ARG"


@dataclass(frozen=True)
class ModuleUse:
    """A module of the user's, and the names by which a function reaches into it."""

    module: types.ModuleType = field(compare=False)
    names: frozenset[str]
    name: str


def function(fn: types.FunctionType) -> tuple[str, list[tuple[str, Any]]]:
    """Return a tag and the parts of *fn*: the instructions that are loaded, and what these reach.

    Not the source: the file may have been edited since, and two lambdas may share a line.
    """
    release = release_of_file(fn.__code__.co_filename)
    reached = [*_closure(fn), *_defaults(fn)]
    if release is not None:
        return f"function {fn.__module__}.{fn.__qualname__} {release}", reached
    uses = _uses(fn.__code__)
    return "function", [
        ("", fn.__code__),
        *reached,
        *used(fn.__globals__, uses.names, uses.attributes),
        *_imported(uses.imports, fn.__globals__.get("__package__") or ""),
    ]


@lru_cache(maxsize=10_000)
def instructions(code: types.CodeType) -> str:
    """Digest what *code* does, whatever its file and lines."""
    from pytest_context_bench.cache.fingerprint import fingerprint

    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return fingerprint((code.co_code, code.co_consts, names, arguments, code.co_exceptiontable)).digest


def used(
    namespace: Mapping[str, Any], names: Iterable[str], attributes: frozenset[str] | None = None
) -> list[tuple[str, Any]]:
    """Return the *names* that *namespace* has; of modules, what *attributes* (else *names*) reach."""
    within = frozenset(names if attributes is None else attributes)
    return [
        (name, ModuleUse(value, within, value.__name__) if isinstance(value, types.ModuleType) else value)
        for name in sorted(names)
        if (value := namespace.get(name, namespace)) is not namespace
    ]


@dataclass(frozen=True)
class _Uses:
    """The globals and attributes that code reads, and the modules that it imports: (level, name, names)."""

    names: frozenset[str]
    attributes: frozenset[str]
    imports: frozenset[tuple[int, str, tuple[str, ...]]]


@lru_cache(maxsize=10_000)
def _uses(code: types.CodeType) -> _Uses:
    names, attributes, imports = set(), set(), set()
    steps = [step for each in _nested(code) for step in dis.get_instructions(each) if step.opname != _PREFIX]
    for at, step in enumerate(steps):
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            names.add(step.argval)
        elif step.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            attributes.add(step.argval)
        elif step.opname == "IMPORT_NAME":
            imports.add((steps[at - 2].argval, step.argval, tuple(steps[at - 1].argval or ())))
    return _Uses(frozenset(names), frozenset(attributes), frozenset(imports))


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


def _closure(fn: types.FunctionType) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not filled yet
            continue


def _defaults(fn: types.FunctionType) -> Iterator[tuple[str, Any]]:
    positional = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    defaults = fn.__defaults__ or ()
    yield from zip(positional[len(positional) - len(defaults) :], defaults, strict=True)
    yield from (fn.__kwdefaults__ or {}).items()
    yield from ((name, entry) for name, entry in vars(fn).items() if name != "__wrapped__")


def _imported(imports: Iterable[tuple[int, str, tuple[str, ...]]], package: str) -> Iterator[tuple[str, str]]:
    """Yield the modules that code imports when it runs, each with its release or a digest of its file."""
    for level, name, names in sorted(imports):
        above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
        module = ".".join([*above, *([name] if name else [])])
        for each in [module, *(f"{module}.{one}" for one in names)]:
            yield each, _file_digest(each)


def _file_digest(module: str) -> str:
    """Return what stands for *module*, which may not be loaded yet: loading could take long."""
    origin = _origin(module)
    if origin is None:
        return ""
    return release_of_file(origin) or blake2b(Path(origin).read_bytes()).hexdigest()


def _origin(module: str) -> str | None:
    """Return the file of *module*, found without loading it or the packages above it."""
    top, *below = module.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return None
    for depth in range(len(below)):
        if spec is None or spec.submodule_search_locations is None:
            return None
        name = ".".join([top, *below[: depth + 1]])
        spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
    return spec.origin if spec is not None and spec.has_location else None
