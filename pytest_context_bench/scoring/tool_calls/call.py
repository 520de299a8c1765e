"""A function call, as a model made it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """The function and what it is given, by parameter; None where that cannot be read."""

    name: str
    arguments: Mapping[str, Any] | None


def api_name(name: str) -> str:
    """Return *name* as the APIs of models take it, which forbid dots."""
    return name.replace(".", "_")
