"""Calls in parsed JSON, in the forms of the usual APIs and chat templates."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from pytest_context_bench.scoring.tool_calls.call import Call, api_name

_NAMES = ("name", "function", "tool_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_WRAPPERS = ("tool_calls", "function_call")


def reported_calls(value: Any) -> list[Call]:
    """Return the calls in *value*, which an API reports as such: what cannot be read is one all the same."""
    entries = value if isinstance(value, list | tuple) else [value]
    return [to_call(entry) or _by_name(entry, None) or Call("", None) for entry in entries]


def calls_in(value: Any, names: Collection[str]) -> list[Call]:
    """Return the calls that *value*, part of a text, is: one, several, or what they are wrapped in; or none.

    *names* are those of the functions, which tell `{name: arguments}` from other objects.
    """
    if isinstance(value, list | tuple):
        return [call for entry in value for call in calls_in(entry, names)]
    if not isinstance(value, Mapping):
        return []
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), list | Mapping):
            return calls_in(value[wrapper], names)
    call = to_call(value) or _by_name(value, names)
    return [call] if call and (call.arguments is not None or api_name(call.name) in names) else []


def to_call(entry: Any) -> Call | None:
    """Return the call that *entry* is by its keys, None if it is none, as the document of a function is."""
    if not isinstance(entry, Mapping):
        return None
    inner = entry.get("function")
    if isinstance(inner, Mapping):
        return to_call({"arguments": {}, **inner})
    name = next((entry[key] for key in _NAMES if isinstance(entry.get(key), str)), None)
    given = next((entry[key] for key in _ARGUMENTS if key in entry), entry)
    if name is None or given is entry or _is_schema(given):
        return None
    return Call(name, _arguments(given))


def _by_name(entry: Any, names: Collection[str] | None) -> Call | None:
    if not isinstance(entry, Mapping) or len(entry) != 1:
        return None
    name, given = next(iter(entry.items()))
    known = names is None or api_name(str(name)) in names
    return Call(str(name), given) if known and isinstance(given, Mapping) else None


def _arguments(given: Any) -> Mapping[str, Any] | None:
    """Return *given*, mostly JSON within JSON, as arguments; nothing stands for none."""
    for _ in range(2):  # some servers encode twice
        if isinstance(given, str) and given.strip():
            try:
                given = json.loads(given)
            except (ValueError, RecursionError):
                return None
    if given is None or given == "":
        return {}
    return given if isinstance(given, Mapping) else None


def _is_schema(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("properties"), Mapping) and "type" in value
