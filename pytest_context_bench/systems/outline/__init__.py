"""Takes a text apart along its structure, for systems that keep some of its parts."""

from collections.abc import Callable

from pytest_context_bench.systems.outline.code import code
from pytest_context_bench.systems.outline.json_members import json_members
from pytest_context_bench.systems.outline.prose import prose
from pytest_context_bench.systems.outline.records import records
from pytest_context_bench.systems.outline.unit import Unit, closure, join

__all__ = ["Unit", "closure", "join", "outline"]

_KINDS: tuple[Callable[[str, int], list[Unit]], ...] = (json_members, records, code, prose)


def outline(text: str, largest: int) -> list[Unit]:
    """Return the units of *text*, by the first of the kinds of text that it is.

    Blocks of code and JSON of more than *largest* characters are taken apart; sentences and lines never.
    """
    return next((units for kind in _KINDS if (units := kind(text, largest))), [])
