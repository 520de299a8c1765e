"""Whether a call may give a parameter a value, by the values that BFCL allows it.

The rules are those of the official checker (`ast_checker.py` of `bfcl_eval`), its corners included.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_context_bench.scoring.tool_calls.schemas import Parameter

LEFT_OUT = ""  # among the allowed values it says that the parameter may be left out
_IGNORED = re.compile(r"[ ,./\-_*^]")


def is_allowed(value: Any, allowed: Sequence[Any], parameter: Parameter) -> bool:
    """Whether *value* is one of the *allowed* ones, of the type that *parameter* has or they have."""
    gold = _first_type(allowed)
    expected = parameter.value_type or _first_type([one for one in allowed if one is not None]) or type(value)
    value = _converted(value, expected, parameter)
    is_typed = type(value) is expected
    if not is_typed and type(value) is not gold:
        return False
    if is_typed and not _has_items(value, allowed, parameter.items_type):
        return False
    if is_typed and gold in {None, expected}:
        return _is_one_of(value, allowed, parameter.items_type)
    return value in allowed  # a gold of another type is that of a variable or expression: no spelling of it


def _first_type(allowed: Sequence[Any]) -> type | None:
    return next((type(one) for one in allowed if one != LEFT_OUT), None)


def _converted(value: Any, expected: type | None, parameter: Parameter) -> Any:
    if expected is float and type(value) is int:
        return _float(value)
    return list(value) if type(value) is tuple and parameter.kind in {"", "tuple", "Tuple"} else value


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _has_items(value: Any, allowed: Sequence[Any], items: type | None) -> bool:
    """Whether the items of *value*, if it is a list, have the type of *items* or of those allowed.

    Where anything else than a list is allowed, that a parameter may be left out included, any items do.
    """
    if items is None or not isinstance(value, list):
        return True
    return any(
        not isinstance(one, list) or all(type(item) in {items, _first_type(one)} for item in value)
        for one in allowed
    )


def _is_one_of(value: Any, allowed: Sequence[Any], items: type | None) -> bool:
    if isinstance(value, dict):
        return any(_fits(value, one) for one in allowed if isinstance(one, Mapping))
    if isinstance(value, list):
        lists = [one for one in allowed if isinstance(one, list) or one == LEFT_OUT]  # which is as empty
        of_dicts = items is dict or any(isinstance(item, Mapping) for one in lists for item in one)
        if of_dicts:
            return any(_all_fit(value, one) for one in lists)
        return [*map(_standard, value)] in [[*map(_standard, one)] for one in lists]
    if isinstance(value, str):
        return _standard(value) in [_standard(one) for one in allowed if isinstance(one, str)]
    return value in allowed


def _all_fit(value: list[Any], allowed: list[Any]) -> bool:
    return len(value) == len(allowed) and all(map(_fits, value, allowed))


def _fits(value: Any, allowed: Any) -> bool:
    """Whether a dict has the values that *allowed* gives each of its keys: a list of them, or one."""
    if not isinstance(value, Mapping) or not isinstance(allowed, Mapping):
        return False
    choices = {key: one if isinstance(one, list) else [one] for key, one in allowed.items()}
    return all(key in choices and _is_in(one, choices[key]) for key, one in value.items()) and all(
        key in value or LEFT_OUT in one for key, one in choices.items()
    )


def _is_in(value: Any, allowed: list[Any]) -> bool:
    return _standard(value) in map(_standard, allowed) or any(_fits(value, one) for one in allowed)


def _standard(value: Any) -> Any:
    """Return a text without what is but a way to write it."""
    return _IGNORED.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value
