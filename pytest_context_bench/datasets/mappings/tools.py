"""Documents of functions as the tools that APIs of models take."""

from collections.abc import Mapping
from typing import Any

from pytest_context_bench.scoring.tool_calls.call import api_name
from pytest_context_bench.scoring.tool_calls.schemas import kinds_of

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("string", "str", "char", "any", ""), "string"),  # BFCL too has any as a text
    **dict.fromkeys(("integer", "int"), "integer"),
    **dict.fromkeys(("number", "float"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    **dict.fromkeys(("array", "list", "tuple", "set"), "array"),
    **dict.fromkeys(("object", "dict"), "object"),
}
_LANGUAGES = {"java": "Java", "javascript": "JavaScript"}


def tool(function: Mapping[str, Any], language: str = "") -> dict[str, Any]:
    """Return the document of a *function* as a tool; of *language*, values are given as code of it."""
    schema: Mapping[str, Any] = function.get("parameters") or {}
    properties = schema.get("properties", schema)
    required = schema["required"] if "required" in schema else _without_default(properties)
    parameters = {
        "type": "object",
        "properties": {name: _value(one, language) for name, one in properties.items()},
        "required": list(required),
    }
    document = {
        "name": api_name(function["name"]),
        "description": function.get("description", ""),
        "parameters": parameters,
    }
    return {"type": "function", "function": document}


def _without_default(properties: Mapping[str, Any]) -> list[str]:
    return [
        name
        for name, schema in properties.items()
        if "default" not in schema and "optional" not in str(schema.get("type")).lower()
    ]


def _value(schema: Mapping[str, Any], language: str) -> dict[str, Any]:
    if not language:
        return _json_schema(schema)
    kind, items_kind = schema.get("type", "any"), (schema.get("items") or {}).get("type", "")
    of_items = f" of {items_kind}" if items_kind else ""
    form = f"Code of {_LANGUAGES[language]}: a value of type {kind}{of_items}."
    return {"type": "string", "description": f"{schema.get('description', '')} {form}".strip()}


def _json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the *schema* of a value with the types of JSON Schema; one that is none is left out."""
    kind, items_kind = kinds_of(schema.get("type"))
    known = _KINDS.get(kind.lower())
    converted = {key: value for key, value in schema.items() if key not in {"type", "optional"}}
    if known:
        converted["type"] = known
    if known == "array":
        items = schema.get("items") or ({"type": items_kind} if items_kind else {})
        converted["items"] = _json_schema(items) if items else {}
    if isinstance(schema.get("properties"), Mapping):
        converted["properties"] = {name: _json_schema(one) for name, one in schema["properties"].items()}
    return converted
