"""Takes Python objects apart into what tells them from others: text and numbers, entries, code, state."""

import array
import datetime as dt
import decimal
import fractions
import functools
import operator
import pathlib
import random
import re
import threading
import types
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from json import scanner
from logging import Logger, LoggerAdapter
from typing import Any

from pytest_context_bench.cache import code, instances
from pytest_context_bench.cache.packages import release_of_module


@dataclass(frozen=True)
class Parts:
    """What an object is: *tag* says what is its own, *children* by name are the rest."""

    tag: str | bytes
    children: Sequence[tuple[str, Any]] = ()


def parts(value: Any) -> Parts | None:
    """Take *value* apart; None where it holds something that cannot be seen."""
    if type(value) in _TOLD or type(value).__module__ == "typing":
        return Parts(f"{type(value).__qualname__} {value!r}")
    for kind, take in _KINDS.items():
        if isinstance(value, kind):
            return take(value)
    if type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
        return _numpy(value)
    named = instances.importable(value)
    return _keyed(value) or (Parts(named) if named else _object(value))


def _keyed(value: Any) -> Parts | None:
    """Return the `cache_key` of *value*, which stands for all else, if it has one."""
    key = instances.cache_key(value)
    if key is None:
        return None
    return Parts("cache_key", [("", type(value).__qualname__), ("", getattr(value, "name", None)), ("", key)])


def _object(value: Any) -> Parts | None:
    return None if instances.hides_state(type(value)) else _instance(value, "object")


def _instance(value: Any, tag: str, content: Iterable[tuple[str, Any]] = ()) -> Parts:
    return Parts(tag, [("", type(value)), *instances.state(value), *content])


def _sized(base: type, value: Any, content: Sequence[tuple[str, Any]]) -> Parts:
    """Return the parts of a container with *content*, and class and state where it is more than a *base*."""
    tag = f"{base.__name__} {len(value)}"
    return Parts(tag, content) if type(value) is base else _instance(value, tag, content)


def _text(value: str) -> Parts:
    return _simple(str, value, str.encode(value, "utf-8", "surrogatepass"))


def _simple(base: type, value: Any, content: bytes) -> Parts:
    if type(value) is base:
        return Parts(f"{base.__name__} ".encode() + content)
    return _instance(value, base.__name__, [("", content)])


def _mapping(value: Mapping[Any, Any]) -> Parts:
    content = []
    for key, entry in value.items():
        content += [(key, entry)] if isinstance(key, str) else [("key", key), ("value", entry)]
    kind = dict if isinstance(value, dict) else types.MappingProxyType
    factory = getattr(value, "default_factory", None)
    return _sized(kind, value, content if factory is None else [("default_factory", factory), *content])


def _sequence(base: type) -> Callable[[Any], Parts]:
    return lambda value: _sized(base, value, [("", entry) for entry in value])


def _set(value: Any) -> Parts | None:
    from pytest_context_bench.cache.fingerprint import fingerprint

    entries = [fingerprint(entry) for entry in value]
    if any(entry.unseen for entry in entries):
        return None
    base = set if isinstance(value, set) else frozenset
    return _sized(base, value, [("", digest) for digest in sorted(entry.digest for entry in entries)])


def _numpy(value: Any) -> Parts | None:
    if value.dtype.hasobject:
        return None
    return Parts(b"%r %r " % (str(value.dtype), value.shape) + value.tobytes())


def _class(value: type) -> Parts:
    release = release_of_module(value.__module__)
    if release is not None:
        return Parts(f"class {value.__module__}.{value.__qualname__} {release}")
    return Parts(f"class {value.__qualname__}", instances.members(value))


def _module(value: types.ModuleType | code.ModuleUse) -> Parts:
    module = value.module if isinstance(value, code.ModuleUse) else value
    release = release_of_module(module.__name__)
    if release is not None:
        return Parts(f"module {module.__name__} {release}")
    own = [name for name in vars(module) if not name.startswith("__")]
    names = value.names if isinstance(value, code.ModuleUse) else own
    return Parts("module", code.used(vars(module), names))


def _builtin(value: Any) -> Parts:
    owner = value.__self__
    if owner is not None and not isinstance(owner, types.ModuleType):
        return Parts(f"builtin {value.__name__}", [("", owner)])
    module = value.__module__ or "builtins"
    return Parts(f"builtin {module}.{value.__qualname__} {release_of_module(module)}")


def _reduced(value: Any) -> Parts:
    return Parts("made by", [("", each) for each in value.__reduce__()[:2]])


_TOLD = frozenset(
    {type(None), type(...), type(NotImplemented), bool, complex, range, slice}
    | {decimal.Decimal, fractions.Fraction, uuid.UUID}
    | {dt.date, dt.time, dt.datetime, dt.timedelta, dt.timezone}
    | {pathlib.PosixPath, pathlib.WindowsPath, pathlib.PurePosixPath, pathlib.PureWindowsPath}
    | {types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType}
    | {types.GetSetDescriptorType, types.MemberDescriptorType, types.GenericAlias, types.UnionType}
)
# What only serves the work: it shapes no result that something beside it does not tell.
_TOOLS = (
    *(type(threading.Lock()), type(threading.RLock()), threading.local, ContextVar),
    *(Logger, LoggerAdapter, random.SystemRandom, getattr(scanner, "c_make_scanner", None) or ()),
)
# The first kind that fits: subclasses stand before their bases.
_KINDS: Mapping[Any, Callable[[Any], Parts | None]] = {
    _TOOLS: lambda value: Parts(f"tool {type(value).__qualname__}"),
    Enum: lambda value: Parts("enum", [("", type(value).__qualname__), (value.name, value.value)]),
    str: _text,
    int: lambda value: _simple(int, value, b"%x" % int(value)),
    float: lambda value: _simple(float, value, float(value).hex().encode()),
    bytes: lambda value: _simple(bytes, value, value),
    bytearray: lambda value: _simple(bytearray, value, bytes(value)),
    (dict, types.MappingProxyType): _mapping,
    list: _sequence(list),
    tuple: _sequence(tuple),
    deque: _sequence(deque),
    (set, frozenset): _set,
    array.array: lambda value: Parts(value.typecode.encode() + value.tobytes()),
    re.Pattern: lambda value: Parts("pattern", [("", value.pattern), ("flags", value.flags)]),
    type: _class,
    (types.ModuleType, code.ModuleUse): _module,
    types.CodeType: lambda value: Parts(f"code {code.instructions(value)}"),
    types.FunctionType: lambda value: _keyed(value) or Parts(*code.function(value)),
    types.MethodType: lambda value: Parts("method", [("", value.__func__), ("", value.__self__)]),
    (types.BuiltinFunctionType, types.MethodWrapperType): _builtin,
    (staticmethod, classmethod): lambda value: Parts(type(value).__name__, [("", value.__func__)]),
    property: lambda value: Parts("property", [("", each) for each in (value.fget, value.fset)]),
    functools.cached_property: lambda value: Parts("property", [("", value.func)]),
    functools.partial: lambda value: _instance(
        value, "partial", [("", value.func), ("", value.args), *value.keywords.items()]
    ),
    type(functools.cache(len)): lambda value: Parts("cached", [("", value.__wrapped__)]),
    (operator.itemgetter, operator.attrgetter, operator.methodcaller): _reduced,
    random.Random: lambda value: _instance(value, "random", [("", value.getstate())]),
}
