"""Verifiable instructions (IFEval)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.ifeval.verdicts import judge


@dataclass(frozen=True)
class IFEvalChecker:
    """Whether the response follows all instructions (`ifeval_strict`), and what share (`ifeval_inst_strict`).

    The `loose` scores count an instruction that any of eight variants of the response follows.
    Without instructions there are no scores. Sentences, capitals and languages need the extra `ifeval`.
    """

    name: str = "ifeval_checker"
    fields: ClassVar[Sequence[str]] = ("instruction_id_list",)

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* by `instruction_id_list` and `kwargs` of *original*."""
        instructions = _entries("instruction_id_list", original.get("instruction_id_list"))
        if not instructions:
            return {}
        verdicts = judge(response(processed), instructions, _kwargs(original, len(instructions)))
        return {
            "ifeval_strict": float(all(verdicts.strict)),
            "ifeval_loose": float(all(verdicts.loose)),
            "ifeval_inst_strict": fmean(verdicts.strict),
            "ifeval_inst_loose": fmean(verdicts.loose),
        }


def _kwargs(example: Example, expected: int) -> list[Mapping[str, Any]]:
    given = _entries("kwargs", example.get("kwargs"))
    if len(given) != expected:
        raise InvalidValueError("length of kwargs", len(given), f"{expected}, one for each instruction")
    return [_arguments(entry) for entry in given]


def _arguments(entry: Any) -> Mapping[str, Any]:
    if entry is None:
        return {}
    if not isinstance(entry, Mapping):
        raise InvalidValueError("kwargs", entry, "a mapping of names to values")
    return entry


def _entries(field: str, value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise InvalidValueError(field, value, "a list")
    return list(value)
