"""The calls that are right, as a data set gives them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.scoring.tool_calls.call import Call, api_name
from pytest_context_bench.scoring.tool_calls.schemas import NO_DEFAULT, Function
from pytest_context_bench.scoring.tool_calls.structures import to_call
from pytest_context_bench.scoring.tool_calls.values import LEFT_OUT

_FORM = 'a call: {name: {parameter: [allowed values]}} or {"name": …, "arguments": {…}}'


@dataclass(frozen=True)
class Expected:
    """A call that is right: for each parameter the values that it may have."""

    name: str
    allowed: Mapping[str, list[Any]]


def read_expected(calls: Any, functions: Mapping[str, Function]) -> list[Expected]:
    """Return the calls that are all to be made. Raises InvalidValueError.

    Each is as BFCL has it, with all values that are allowed, or as a model makes it, with one of each.
    """
    if not isinstance(calls, list | tuple):
        raise InvalidValueError("expected_calls", calls, "a list of calls")
    return [_expected(entry, functions) for entry in calls]


def function_named(name: str, functions: Mapping[str, Function]) -> Function | None:
    """Return the function of that name, be it written as APIs take it."""
    if name in functions:
        return functions[name]
    return next((one for one in functions.values() if api_name(one.name) == api_name(name)), None)


def _expected(entry: Any, functions: Mapping[str, Function]) -> Expected:
    if isinstance(entry, Mapping) and (call := to_call(entry)):
        if call.arguments is None:
            raise InvalidValueError("expected_calls", entry, _FORM)
        return _from_call(call, functions)
    values = next(iter(entry.values())) if isinstance(entry, Mapping) and len(entry) == 1 else None
    if not isinstance(values, Mapping):
        raise InvalidValueError("expected_calls", entry, _FORM)
    return Expected(next(iter(entry)), {name: _choices(one) for name, one in values.items()})


def _choices(allowed: Any) -> list[Any]:
    """Return the values allowed; none at all stands for the empty list, which BFCL has in two places."""
    return list(allowed) or [[]] if isinstance(allowed, list | tuple) else [allowed]


def _from_call(call: Call, functions: Mapping[str, Function]) -> Expected:
    """Allow what *call* says; a parameter may be left out, or added, where that changes nothing."""
    given = call.arguments or {}
    function = function_named(call.name, functions)
    parameters = function.parameters if function else {}
    defaults = {name: one.default for name, one in parameters.items() if one.default is not NO_DEFAULT}
    allowed = {name: [_exactly(value)] for name, value in given.items()}
    for name, default in defaults.items():
        if name not in given or given[name] == default:
            allowed[name] = [_exactly(default), LEFT_OUT]
    return Expected(call.name, allowed)


def _exactly(value: Any) -> Any:
    """Return *value* as what allows it alone: within a dict each value is a list of those allowed."""
    if isinstance(value, Mapping):
        return {key: [_exactly(one)] for key, one in value.items()}
    return (
        [_exactly(one) if isinstance(one, Mapping) else one for one in value]
        if isinstance(value, list)
        else value
    )
