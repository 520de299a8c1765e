"""What functions take, read from their documents as APIs, BFCL or APIGen have them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_context_bench.errors import InvalidValueError

LANGUAGES = ("java", "javascript")
NO_DEFAULT: Any = object()
_DOCUMENT = 'a document of a function: {"name": …, "parameters": {…}}'
_PARAMETERS = ("parameters", "input_schema", "inputSchema")
_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("string", "str", "char", "any"), str),
    **dict.fromkeys(("integer", "int", "long", "short", "byte", "bigint"), int),
    **dict.fromkeys(("number", "float", "double"), float),
    **dict.fromkeys(("boolean", "bool"), bool),
    **dict.fromkeys(("array", "list", "tuple", "set", "arraylist", "queue", "stack"), list),
    **dict.fromkeys(("dict", "object", "hashmap", "hashtable", "map"), dict),
}
_TYPE = re.compile(
    r"\s*(?:typing\.)?(?:optional\[)?(?:typing\.)?(\w+)(?:\[(?:typing\.)?(\w+))?", re.IGNORECASE
)


@dataclass(frozen=True)
class Parameter:
    """A parameter: the names that its document has for its type, and for that of a list's items.

    *language* is one of LANGUAGES if calls give code of it as a text in place of the value.
    """

    kind: str = ""
    items_kind: str = ""
    default: Any = NO_DEFAULT
    language: str = ""

    @property
    def value_type(self) -> type | None:
        """The type of its values as Python has it, if it is known."""
        return _TYPES.get(self.kind.lower())

    @property
    def items_type(self) -> type | None:
        """The type of the items of its values, if they are lists and it is known."""
        if self.value_type is not list or (self.language and self.items_kind == "any"):
            return None
        return _TYPES.get(self.items_kind.lower())


@dataclass(frozen=True)
class Function:
    """A function: its parameters by name, and those that every call must give."""

    name: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    required: tuple[str, ...] = ()


def read_functions(documents: Any, language: str = "") -> dict[str, Function]:
    """Return the functions by name, those of *language*; of two of one name the first.

    Raises InvalidValueError.
    """
    if documents is None:
        return {}
    if not isinstance(documents, list | tuple):
        raise InvalidValueError("tools", documents, "a list of documents of functions")
    functions: dict[str, Function] = {}
    for document in documents:
        function = _function(document, language)
        functions.setdefault(function.name, function)
    return functions


def _function(document: Any, language: str) -> Function:
    inner = document.get("function", document) if isinstance(document, Mapping) else None
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        raise InvalidValueError("tools", document, _DOCUMENT)
    schema: Any = next((inner[key] for key in _PARAMETERS if inner.get(key) is not None), {})
    properties = schema.get("properties", schema) if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        raise InvalidValueError(f"tools, parameters of {inner['name']!r}", schema, "a schema")
    parameters = {
        name: _parameter(one, language) for name, one in properties.items() if isinstance(one, Mapping)
    }
    required = schema.get("required") if "properties" in schema else ()
    return Function(inner["name"], parameters, tuple(required or ()))


def _parameter(schema: Mapping[str, Any], language: str) -> Parameter:
    kind, items_kind = kinds_of(schema.get("type"))
    items = schema.get("items")
    if isinstance(items, Mapping):
        items_kind, _ = kinds_of(items.get("type"))
    return Parameter(kind, items_kind, schema.get("default", NO_DEFAULT), language)


def kinds_of(words: Any) -> tuple[str, str]:
    """Return the type that *words* name, and that of its items: `List[int]`, `str, optional`."""
    if isinstance(words, list | tuple):  # as ["string", "null"]
        words = next((word for word in words if word != "null"), None)
    if not isinstance(words, str):
        return "", ""
    found = _TYPE.match(words)
    return (found[1], found[2] or "") if found else ("", "")
