"""Multiple choice: options as the system sees them, and an order that gives nothing away."""

import hashlib
import string
from collections.abc import Sequence
from typing import Any

from pytest_context_bench.datasets.record import Record

LETTERS = string.ascii_uppercase


def choice(record: Record, question: str, choices: Sequence[str], right: int) -> dict[str, Any]:
    """Return the fields of a multiple-choice example; *right* is the place of the right one of *choices*.

    The question shows the options. Raises BadRecordError where that is no question of 2 to 26 options.
    """
    if not 2 <= len(choices) <= len(LETTERS):  # noqa: PLR2004 - said in the message
        raise record.problem(f"{len(choices)} options, expected 2 to {len(LETTERS)}")
    if not 0 <= right < len(choices):
        raise record.problem(f"the right option is number {right} of {len(choices)}, counted from 0")
    return {
        "question": f"{question}\n\n{options(choices)}",
        "choices": list(choices),
        "correct_letter": LETTERS[right],
    }


def shuffled_choice(record: Record, question: str, right: str, wrong: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a multiple-choice example whose source tells the *right* option from the others.

    The order is drawn from the texts alone: the same in every process and for every limit.
    """
    order = sorted(range(1 + len(wrong)), key=lambda place: _draw(question, place))
    given = [right, *wrong]
    return choice(record, question, [given[place] for place in order], order.index(0))


def place_named(record: Record, column: str, names: Sequence[str]) -> int:
    """Return the place among *names* of the one in *column*. Raises BadRecordError for any other."""
    found = record.text(column)
    if found not in names:
        raise record.problem(f"column {column!r} is {found!r}, expected one of {', '.join(names)}")
    return names.index(found)


def options(choices: Sequence[str]) -> str:
    """Return *choices* as lines that begin with their letters."""
    return "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, choices, strict=False))


def _draw(question: str, place: int) -> bytes:
    return hashlib.blake2b(f"{place}/{question}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
