"""Outputs and scores as the text that the cache holds: strict JSON that gives back what went in."""

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from pytest_context_bench.cache.fingerprint import fingerprint
from pytest_context_bench.plain import dumps, non_finite, restore
from pytest_context_bench.redact import MASK, masker, names_secret


class NotKeptError(Exception):
    """A value that the cache does not take; its text says why."""


def to_text(value: Mapping[str, Any]) -> str:
    """Write *value* as text. Raises NotKeptError for what JSON would alter, or what looks like a secret."""
    try:
        _check(value, "", masker())
        content = {"value": dict(value)}
        return dumps({**content, "non_finite": dict(non_finite(content))})
    except (ValueError, TypeError, RecursionError) as error:  # an endless list, an integer without bounds
        raise NotKeptError(f"it is not JSON ({error})") from error


def from_text(text: str) -> dict[str, Any]:
    """Return what `to_text` wrote. Raises ValueError for any other text."""
    try:
        content = json.loads(text)
        for pointer, name in content["non_finite"].items():
            restore(content, pointer, name)
        return dict(content["value"])
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError("not written by the cache") from error


def digest(*values: Any) -> str:
    """Return a key made of *values*, which may be anything that can be seen. Raises NotKeptError."""
    try:
        content = json.dumps(values)
    except (TypeError, ValueError, RecursionError):
        found = fingerprint(values)
        if found.unseen is not None:
            raise NotKeptError(f"{found.unseen.where} of the example is a {found.unseen.what}") from None
        content = found.digest
    return blake2b(content.encode(), digest_size=20).hexdigest()


def _check(value: Any, where: str, masked: Callable[[str], str]) -> None:
    if isinstance(value, str):
        if masked(value) != value:
            raise NotKeptError(f"{where} holds what looks like a secret")
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            _check_key(key, entry, where, masked)
            _check(entry, f"{where}.{key}" if where else key, masked)
    elif isinstance(value, list):
        for entry in value:
            _check(entry, where, masked)
    elif not (value is None or isinstance(value, int | float)):
        raise NotKeptError(f"{where} is a {type(value).__name__}")


def _check_key(key: Any, entry: Any, where: str, masked: Callable[[str], str]) -> None:
    if not isinstance(key, str):
        raise NotKeptError(f"{where} has the key {key!r:.40}, which is not text")
    if masked(key) != key or (names_secret(key) and isinstance(entry, str) and entry not in {"", MASK}):
        raise NotKeptError(f"{where} holds what looks like a secret")
