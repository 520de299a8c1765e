"""Reads the values that users write for options, and says what was expected instead."""

import math
import os
from pathlib import Path
from typing import Any

from pytest_context_bench.errors import InvalidValueError, UnknownNameError


def share(where: str, value: Any) -> float:
    """Read a number between 0 and 1."""
    number = _number(value)
    if not 0 <= number <= 1:
        raise InvalidValueError(where, value, "a number between 0 and 1")
    return number


def switch(where: str, value: Any) -> bool:
    """Read a yes or no."""
    if not isinstance(value, bool):
        raise InvalidValueError(where, value, "True or False")
    return value


def positive(where: str, value: Any) -> int:
    """Read a whole number of 1 or more."""
    number = whole(where, value)
    if number < 1:
        raise InvalidValueError(where, value, "a whole number of 1 or more")
    return number


def whole(where: str, value: Any) -> int:
    """Read a whole number."""
    try:
        return int(str(value))  # of a float or a boolean no text of a whole number comes
    except ValueError as error:
        raise InvalidValueError(where, value, "a whole number") from error


def amount(where: str, value: Any) -> float:
    """Read a number above 0."""
    number = _number(value)
    if not (number > 0 and math.isfinite(number)):
        raise InvalidValueError(where, value, "a number above 0")
    return number


def call_rate(where: str, value: Any) -> str:
    """Read a number of calls in a unit of time; return it as it was written."""
    from pytest_context_bench.calls import Rate

    Rate.parse(value, where=where)
    return str(value)


def token_price(where: str, value: Any) -> str:
    """Read the price of tokens; return it as it was written."""
    from pytest_context_bench.calls import Price

    Price.parse(value, where=where)
    return str(value)


def cache_mode(where: str, value: Any) -> str:
    """Read how the cache is used."""
    from pytest_context_bench.cache.cache import MODES

    if value not in MODES:
        raise UnknownNameError(where, str(value), MODES)
    return str(value)


def placement(where: str, value: Any) -> str:
    """Read in which message the context goes."""
    from pytest_context_bench.systems.messages import PLACEMENTS

    if value not in PLACEMENTS:
        raise UnknownNameError(where, str(value), PLACEMENTS)
    return str(value)


def gate_mode(where: str, value: Any) -> str:
    """Read how gates judge differences from the baseline."""
    from pytest_context_bench.regression import MODES

    if value not in MODES:
        raise UnknownNameError(where, str(value), MODES)
    return str(value)


def baseline_from(base: Path, name: str) -> str:
    """Return the *name* of a baseline; a relative path is found from the folder *base*."""
    from pytest_context_bench.baselines import is_path

    return str(base / name) if is_path(name) else name


def ids_from(base: Path, named: str) -> str:
    """Return an id as it is, and the path of a file of them found from the folder *base*."""
    return f"@{base / named[1:]}" if named.startswith("@") else named


def shard(where: str, value: Any) -> tuple[int, int]:
    """Read `K/N`, a part of the examples."""
    part, _, parts = str(value).partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise InvalidValueError(where, value, "K/N, the K-th of N parts, as 2/8")
    return int(part), int(parts)


def folder_from(base: Path, path: str) -> str:
    """Return *path*, found from the folder *base* if it is relative."""
    return str(base / path)


def text(where: str, value: Any) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidValueError(where, value, "text")
    return value.strip()


def name_or_path(where: str, value: Any) -> str:
    """Read a name, or a path given as text or as a Path."""
    return text(where, os.fspath(value) if isinstance(value, os.PathLike) else value)


def listed(value: Any) -> list[Any]:
    """Return one value or several as a list; a set has no order of its own, so it is sorted."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return list(value) if isinstance(value, list | tuple) else [value]


def words(where: str, value: Any) -> tuple[str, ...]:
    """Read names, separated by commas or given as a list."""
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple | set | frozenset):
        raise InvalidValueError(where, value, "names, separated by commas or in a list")
    names = listed(names)
    return tuple(text(where, name) for name in names)


def error_budget(where: str, value: Any) -> str:
    """Read a number of errors, or a share of the rows with a percent sign; return a gate that bounds it."""
    written = value.strip() if isinstance(value, str) else value
    percent = isinstance(written, str) and written.endswith("%")
    number = _number(written.removesuffix("%") if percent else written)
    if percent and 0 <= number <= 100:  # noqa: PLR2004 - per cent
        return f"error_rate<={number}%"
    if not percent and number >= 0 and number.is_integer():
        return f"errors<={int(number)}"
    raise InvalidValueError(where, value, "a number of errors such as 3, or a share of the rows such as 5%")


def dataset_from(folder: Path, dataset: str) -> str:
    """Return *dataset*, found from *folder* if it is a relative path; what a user named is left as it is."""
    from pytest_context_bench.catalog import names_file

    return str(folder / dataset) if names_file(dataset) and folder != Path.cwd() else dataset


def report_from(folder: Path, report: tuple[str, str]) -> tuple[str, str]:
    """Return *report*, written from *folder* if its path is relative."""
    return report[0], str(folder / report[1])


def report(where: str, value: Any) -> tuple[str, str]:
    """Read `FORMAT:PATH`."""
    from pytest_context_bench.reports.formats import FORMATS

    kind, _, path = str(value).partition(":")
    if kind not in FORMATS or not path:
        raise InvalidValueError(where, value, f"FORMAT:PATH, FORMAT being {' or '.join(FORMATS)}")
    return kind, path


def _number(value: Any) -> float:
    """Return *value* as a number; NaN, which is within no bounds, where it is none."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
