"""The boundary: everything that crosses to xdist, a cache or a report is plain, strict JSON."""

import dataclasses
import json
import math
import os
from collections.abc import Iterator, Mapping
from enum import Enum
from numbers import Number
from typing import Any

from pytest_context_bench.errors import NotJsonError
from pytest_context_bench.redact import redact

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def to_plain(value: Any, where: str = "value") -> Any:
    """Convert *value* to JSON types: numpy, Decimal, Enum, Path and dataclasses are; secrets are masked.

    Raises NotJsonError, naming the place, for anything else.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Enum):
        return to_plain(value.value, where)
    if isinstance(value, str):
        return redact(printable(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Number) or hasattr(value, "__float__"):
        return _number(value, where)
    return _container(value, where)


def printable(text: str) -> str:
    """Return *text* as valid Unicode: lone surrogates become their escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return str(text)


def dumps(value: Any, *, indent: int | None = None) -> str:
    """Write plain *value* as strict JSON; numbers that are not finite become null."""
    return json.dumps(_finite(value), indent=indent, allow_nan=False)


def non_finite(value: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Yield (JSON pointer, `NaN`, `Infinity` or `-Infinity`) for each number that `dumps` writes as null."""
    if isinstance(value, float) and not math.isfinite(value):
        yield pointer, next(name for name, known in NON_FINITE.items() if _same(known, value))
    elif isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from non_finite(entry, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


def restore(value: Any, pointer: str, name: str) -> None:
    """Put the number *name* back at *pointer* of *value*: the way back from `non_finite`."""
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in path:
        value = value[int(part) if isinstance(value, list) else part]
    value[int(last) if isinstance(value, list) else last] = NON_FINITE[name]


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def _number(value: Any, where: str) -> Any:
    item = getattr(value, "tolist", None)  # numpy scalars and arrays of any rank
    if item is not None:
        return to_plain(item(), where) if type(item()) is not type(value) else float(value)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise NotJsonError(where, value) from error


def _container(value: Any, where: str) -> Any:
    if isinstance(value, os.PathLike):
        return to_plain(os.fspath(value), where)
    if isinstance(value, Mapping):
        return {to_plain(str(key)): to_plain(entry, f"{where}[{key!r}]") for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(entry, f"{where}[{index}]") for index, entry in enumerate(value)]
    if isinstance(value, set | frozenset):
        return sorted((to_plain(entry, where) for entry in value), key=repr)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: to_plain(getattr(value, field.name), f"{where}.{field.name}") for field in fields}
    raise NotJsonError(where, value)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return value
