"""The boundary: everything that crosses to xdist, a cache or a report is plain, strict JSON."""

import dataclasses
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from numbers import Number
from typing import Any

from pytest_context_bench.errors import NotJsonError
from pytest_context_bench.redact import MASK, masker, names_secret

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_DEEPEST = 100  # far below where reading and writing JSON ends, on a stack that pytest already fills
_LONGEST_ERROR = 5_000  # characters: a server may answer with a whole page
_LARGEST = 10**4000  # Python neither writes nor reads integers of more digits than 4300


def to_plain(value: Any, where: str = "value", mask: Callable[[str], str] | None = None) -> Any:
    """Convert *value* to JSON types: numpy, Decimal, Enum, Path and dataclasses are; secrets are masked.

    Raises NotJsonError, naming the place, for anything else.
    """
    return _Conversion(mask or masker()).converted(value, where)


def to_float(value: Any) -> float | None:
    """Return a number as a float: numpy scalars, Decimal, Fraction and Enum are; None for anything else."""
    number = value.value if isinstance(value, Enum) else value
    if isinstance(number, str | bytes | bytearray):  # float() would read them
        return None
    try:
        return float(number)
    except (TypeError, ValueError, OverflowError):
        return None


def same(one: float, other: float) -> bool:
    """Whether two numbers are one, as NaN and NaN are here."""
    return one == other or (math.isnan(one) and math.isnan(other))


def printable(text: str) -> str:
    """Return *text* as valid Unicode: of surrogates, pairs become their character, others their escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return paired.encode("utf-8", "backslashreplace").decode()
    return str(text)


def worded(error: BaseException) -> str:
    """Word an exception in one printable text, without secrets; of a very long one, return the start."""
    kind = type(error).__name__
    try:
        text = f"{kind}: {error}".strip().removesuffix(":")
    except Exception:  # noqa: BLE001 - an exception that cannot be told must not hide that there was one
        text = kind
    # Masked before it is cut: half a secret is one that no mask knows.
    masked = str(to_plain(text[: 4 * _LONGEST_ERROR]))
    return masked if len(masked) <= _LONGEST_ERROR else f"{masked[:_LONGEST_ERROR]}…"


def dumps(value: Any, *, indent: int | None = None) -> str:
    """Write plain *value* as strict JSON; numbers that are not finite become null."""
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), indent=indent, allow_nan=False)


def finite(value: Any, stand_in: Callable[[float], Any] = lambda _: None) -> Any:
    """Return plain *value* with a *stand_in*, null by default, for each number that is not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else stand_in(value)
    if isinstance(value, dict):
        return {key: finite(entry, stand_in) for key, entry in value.items()}
    if isinstance(value, list):
        return [finite(entry, stand_in) for entry in value]
    return value


def non_finite(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (JSON pointer, `NaN`, `Infinity` or `-Infinity`) for each number that `dumps` writes as null."""
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(entry, dict | list):
            for pointer, name in non_finite(entry):
                yield f"/{_escaped(key)}{pointer}", name
        elif isinstance(entry, float) and not math.isfinite(entry):
            yield f"/{_escaped(key)}", name_of(entry)


def name_of(number: float) -> str:
    """Return the name of a *number* that is not finite: `NaN`, `Infinity` or `-Infinity`."""
    return next(name for name, known in NON_FINITE.items() if same(known, number))


def restore(value: Any, pointer: str, name: str) -> None:
    """Put the number *name* back at *pointer* of *value*: the way back from `non_finite`."""
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in path:
        value = value[int(part) if isinstance(value, list) else part]
    value[int(last) if isinstance(value, list) else last] = NON_FINITE[name]


@dataclass(frozen=True)
class _Conversion:
    """One conversion to plain JSON, with what masks its texts."""

    mask: Callable[[str], str]

    def converted(self, value: Any, where: str, depth: int = 0) -> Any:
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is not str and isinstance(value, Enum):
            return self.converted(value.value, where, depth)
        if isinstance(value, str):
            return printable(self.mask(value))
        if isinstance(value, int) and abs(value) < _LARGEST:
            return int(value)
        if depth > _DEEPEST:
            raise NotJsonError(f"{where[:80]}…, {_DEEPEST} levels down,", value)
        if isinstance(value, Number) or hasattr(value, "__float__"):
            return self.number(value, where, depth)
        return self.container(value, where, depth + 1)

    def number(self, value: Any, where: str, depth: int) -> Any:
        item = value.tolist() if hasattr(value, "tolist") else value  # numpy scalars and arrays of any rank
        if type(item) is not type(value):
            return self.converted(item, where, depth + 1)
        number = to_float(value)
        if number is None:
            raise NotJsonError(where, value)
        return number

    def container(self, value: Any, where: str, depth: int) -> Any:
        if isinstance(value, os.PathLike):
            return self.converted(os.fspath(value), where, depth)
        if isinstance(value, Mapping):
            return dict(self.entry(key, entry, where, depth) for key, entry in value.items())
        if isinstance(value, list | tuple):
            return [self.converted(each, f"{where}[{index}]", depth) for index, each in enumerate(value)]
        if isinstance(value, set | frozenset):
            return sorted((self.converted(each, where, depth) for each in value), key=repr)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value)]
            return {name: self.converted(getattr(value, name), f"{where}.{name}", depth) for name in names}
        raise NotJsonError(where, value)

    def entry(self, key: Any, value: Any, where: str, depth: int) -> tuple[str, Any]:
        name = printable(self.mask(str(key.value if isinstance(key, Enum) else key)))
        if value and isinstance(value, str) and names_secret(name):
            return name, MASK
        return name, self.converted(value, f"{where}[{name!r}]", depth)


def _escaped(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
