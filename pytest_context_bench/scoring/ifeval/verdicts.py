"""Which of its instructions a response follows, strictly and loosely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.scoring.ifeval.checks import Check
from pytest_context_bench.scoring.ifeval.instructions import check_of


@dataclass(frozen=True)
class Verdicts:
    """Whether each instruction is followed: by the response itself, and by any of its variants."""

    strict: list[bool]
    loose: list[bool]


def judge(response: str, instructions: Sequence[Any], kwargs: Sequence[Mapping[str, Any]]) -> Verdicts:
    """Judge *response* by each of *instructions*, with its entry of *kwargs*."""
    checks = [check_of(name, given) for name, given in zip(instructions, kwargs, strict=True)]
    strict = [_followed(check, response) for check in checks]
    others = variants(response)[1:]
    loose = [
        followed or any(_followed(check, text) for text in others)
        for check, followed in zip(checks, strict, strict=True)
    ]
    return Verdicts(strict, loose)


def variants(response: str) -> list[str]:
    """Return *response* and what is left without its first line, its last line, both, and all asterisks."""
    lines = response.split("\n")
    cut = [response, *("\n".join(kept).strip() for kept in (lines[1:], lines[:-1], lines[1:-1]))]
    return list(dict.fromkeys(cut + [text.replace("*", "") for text in cut]))


def _followed(check: Check, text: str) -> bool:
    # officially, a blank text follows nothing: not even the instruction to use no comma
    return bool(text.strip()) and check(text)
