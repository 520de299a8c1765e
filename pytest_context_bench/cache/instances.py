"""What makes up classes and their instances."""

import dataclasses
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from enum import EnumType
from functools import cached_property
from inspect import getattr_static
from typing import Any

from pytest_context_bench.cache.packages import release_of_module
from pytest_context_bench.errors import InvalidValueError

_POINTER = 8 if sys.maxsize > 2**32 else 4
_FUNCTIONS = (types.FunctionType, staticmethod, classmethod, property, cached_property)
_FIELDS = (types.MemberDescriptorType, types.GetSetDescriptorType)
# Methods that dataclasses and named tuples write, and the file that those are in.
_COMPARISONS = {"__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"}
_GENERATED = {"__init__", "__new__", "__repr__", "__setattr__", "__delattr__", "__replace__", *_COMPARISONS}
_GENERATED_FILE = "<string>"


def state(value: Any) -> list[tuple[str, Any]]:
    """Return the attributes of *value* by name, without cached properties.

    A field that equality leaves out counts only if it is plain data: else it is a tool, not a setting. One
    whose metadata hold `cache_key: False` never counts: it does not change what comes out.
    """
    kind = type(value)
    found = {name: getattr(value, name) for name in _slots(kind) if hasattr(value, name)}
    found.update(getattr(value, "__dict__", {}))
    left_out = {field.name for field in _fields(kind) if not field.compare}
    ignored = {field.name for field in _fields(kind) if field.metadata.get("cache_key") is False}
    return [
        (name, entry)
        for name, entry in sorted(found.items(), key=lambda entry: str(entry[0]))
        if name not in ignored
        and not isinstance(getattr(kind, str(name), None), cached_property)
        and (name not in left_out or (entry is not None and is_plain(entry)))
    ]


def members(kind: type) -> list[tuple[str, Any]]:
    """Return the bases of a class and its own methods and attributes by name."""
    return [
        *(("", base) for base in kind.__bases__ if base is not object),
        *(kind.__members__.items() if isinstance(kind, EnumType) else ()),
        *(entry for entry in sorted(vars(kind).items()) if _is_own(kind, *entry)),
    ]


def is_plain(value: Any) -> bool:
    """Whether *value* is made of text, numbers, bytes, lists, tuples, sets and dicts alone."""
    if isinstance(value, dict):
        return all(is_plain(key) and is_plain(entry) for key, entry in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_plain, value))
    return value is None or isinstance(value, str | bytes | int | float)


def cache_key(value: Any) -> Any:
    """Return the `cache_key` that *value* or its class has, None if there is none.

    Raises InvalidValueError for one that is not plain data.
    """
    if getattr_static(value, "cache_key", None) is None:  # no `__getattr__` is asked: it may do anything
        return None
    key = value.cache_key
    if not is_plain(key):
        name = getattr(value, "name", type(value).__qualname__)
        raise InvalidValueError(f"cache_key of {name!r}", key, "text or other plain data")
    return key


def importable(value: Any) -> str | None:
    """Return the name and release of what an installed module offers under the name that it has."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    release = release_of_module(module)
    if release is None or getattr(sys.modules.get(module), name, None) is not value:
        return None
    return f"{module}.{name} {release}"


def hides_state(kind: type) -> bool:
    """Whether instances are larger than their attributes need: then they hold something written in C."""
    expected = object.__basicsize__ + _POINTER * len(list(_slots(kind)))
    managed = kind.__dictoffset__ < 0
    expected += _POINTER * (kind.__dictoffset__ != 0 and not managed)
    expected += _POINTER * (kind.__weakrefoffset__ > 0)
    return kind.__basicsize__ > expected or kind.__itemsize__ != 0


def _slots(kind: type) -> Iterator[str]:
    for owner in kind.__mro__:
        declared = vars(owner).get("__slots__", ())
        for name in (declared,) if isinstance(declared, str) else declared:
            if name not in {"__dict__", "__weakref__"}:
                private = name.startswith("__") and not name.endswith("__")
                yield f"_{owner.__name__.lstrip('_')}{name}" if private else name


def _fields(kind: type) -> Sequence["dataclasses.Field[Any]"]:
    return dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()


def _is_own(kind: type, name: str, member: Any) -> bool:
    if isinstance(member, types.FunctionType):
        writes = dataclasses.is_dataclass(kind) or issubclass(kind, tuple)
        return not (writes and name in _GENERATED and member.__code__.co_filename == _GENERATED_FILE)
    if isinstance(member, _FUNCTIONS):
        return True
    if name.startswith("_") and name.endswith("_"):  # set by Python and by the standard library
        return False
    return name != "_abc_impl" and name not in _names(kind) and not isinstance(member, _FIELDS)


def _names(kind: type) -> Iterable[str]:
    """Return the names under which an Enum or a named tuple keeps its own."""
    return kind.__members__ if isinstance(kind, EnumType) else getattr(kind, "_fields", ())
