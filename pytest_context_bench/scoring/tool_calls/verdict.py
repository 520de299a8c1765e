"""Whether the calls that a model made are those that are right."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_context_bench.scoring.tool_calls import java, javascript
from pytest_context_bench.scoring.tool_calls.call import Call, api_name
from pytest_context_bench.scoring.tool_calls.expected import Expected, function_named
from pytest_context_bench.scoring.tool_calls.schemas import Function, Parameter
from pytest_context_bench.scoring.tool_calls.values import LEFT_OUT, is_allowed

_READERS: Mapping[str, Callable[[str, str, str], Any]] = {"java": java.read, "javascript": javascript.read}


def is_right(calls: Sequence[Call], expected: Sequence[Expected], functions: Mapping[str, Function]) -> bool:
    """Whether each of the *expected* calls is made, in any order, and no other."""
    if len(calls) != len(expected):
        return False
    fitting = [
        [place for place, call in enumerate(calls) if _is_as(call, one, functions)] for one in expected
    ]
    owners: dict[int, int] = {}
    return all(_place(number, fitting, owners, set()) for number in range(len(expected)))


def _place(number: int, fitting: Sequence[Sequence[int]], owners: dict[int, int], tried: set[int]) -> bool:
    """Give the expected call of that *number* a call of its own, moving others where they fit elsewhere."""
    for place in fitting[number]:
        if place not in tried:
            tried.add(place)
            if place not in owners or _place(owners[place], fitting, owners, tried):
                owners[place] = number
                return True
    return False


def _is_as(call: Call, expected: Expected, functions: Mapping[str, Function]) -> bool:
    if call.arguments is None or not _is_named(call.name, expected.name, functions):
        return False
    function = function_named(expected.name, functions)
    known = function.parameters if function else dict.fromkeys(expected.allowed, Parameter())
    required = function.required if function else ()
    return (
        all(name in call.arguments for name in required)
        and all(_may_be(name, value, expected, known) for name, value in call.arguments.items())
        and all(name in call.arguments or LEFT_OUT in one for name, one in expected.allowed.items())
    )


def _is_named(name: str, wanted: str, functions: Mapping[str, Function]) -> bool:
    """Whether *name* is the one wanted, be it written as APIs take it."""
    if name in functions and wanted in functions:
        return name == wanted
    return api_name(name) == api_name(wanted)


def _may_be(name: str, value: Any, expected: Expected, known: Mapping[str, Parameter]) -> bool:
    if name not in known or name not in expected.allowed:
        return False
    parameter = known[name]
    if parameter.language:
        if not isinstance(value, str):
            return False
        value = _READERS[parameter.language](value, parameter.kind.lower(), parameter.items_kind)
    return is_allowed(value, expected.allowed[name], parameter)
