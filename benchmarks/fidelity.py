"""Prints how often the evaluators agree with official verdicts; exits 1 where that is too seldom.

The verdicts are in the folder that CONTEXT_BENCH_SHARED names, else in `shared` beside this project.
"""

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tabulate import tabulate

from pytest_context_bench import evaluators
from pytest_context_bench.protocols import Evaluator

SHARED = Path(os.environ.get("CONTEXT_BENCH_SHARED") or Path(__file__).parents[2] / "shared")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """An evaluator beside the verdicts of *oracle*; *agree* yields one truth a verdict of a record."""

    evaluator: str
    oracle: str
    agree: Callable[[Evaluator, Record], Iterator[bool]]
    options: Mapping[str, Any] = field(default_factory=dict)
    required: float = 1.0

    @property
    def label(self) -> str:
        """What is checked, as the user would write it."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.evaluator}({options})"

    def counts(self) -> tuple[int, int]:
        """Return how many verdicts are the same, and how many there are."""
        evaluator = getattr(evaluators, self.evaluator)(**self.options)
        verdicts = [same for record in lines(self.oracle) for same in self.agree(evaluator, record)]
        return sum(verdicts), len(verdicts)


def lines(name: str) -> list[Any]:
    """Return the records of a shared JSONL file."""
    with (SHARED / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


@cache
def prompts() -> dict[int, Any]:
    """Return the IFEval examples by key."""
    return {record["key"]: record for record in lines("data/ifeval_input_data.jsonl")}


def answer(script: str) -> Callable[[Evaluator, Record], Iterator[bool]]:
    """Return the check of exact match and F1 together against the verdicts of *script*."""

    def agree(evaluator: Evaluator, record: Record) -> Iterator[bool]:
        scores = evaluator.score({"answer": record["gold"]}, {"response": record["prediction"]})
        yield scores["exact_match"] == record[f"{script}_exact"] and math.isclose(
            scores["f1"], record[f"{script}_f1"], abs_tol=1e-12
        )

    return agree


def solution(evaluator: Evaluator, record: Record) -> Iterator[bool]:
    """Check the verdict on one solution of a problem."""
    scores = evaluator.score({"answer": record["answer"]}, {"response": record["response"]})
    yield scores["math_equiv"] == record["is_correct"]


def instructions(evaluator: Evaluator, record: Record) -> Iterator[bool]:
    """Check the strict and the loose verdict on each instruction by itself.

    Two of them are left out: asked for the frequency of `#` or `!`, the official script of these verdicts
    counted a letter drawn at random instead.
    """
    prompt = prompts()[record["key"]]
    pairs = zip(prompt["instruction_id_list"], prompt["kwargs"], strict=True)
    for (instruction, kwargs), strict, loose in zip(pairs, record["strict"], record["loose"], strict=True):
        if not kwargs.get("letter", "a").isalpha():
            continue
        example = {**prompt, "instruction_id_list": [instruction], "kwargs": [kwargs]}
        scores = evaluator.score(example, {**example, "response": record["response"]})
        yield scores["ifeval_strict"] == strict
        yield scores["ifeval_loose"] == loose


CHECKS = (
    Check("AnswerQuality", "oracles/qa_official.jsonl", answer("squad")),
    Check("AnswerQuality", "oracles/qa_official.jsonl", answer("hotpot"), {"mode": "hotpotqa"}),
    Check("IFEvalChecker", "oracles/ifeval_official.jsonl", instructions),
    # The publisher reads the last line of these solutions; the evaluator reads prose of any form.
    Check("MathEquivalence", "oracles/gsm8k_solutions.jsonl", solution, required=0.995),
)


def main() -> int:
    """Print the table; return the exit status: 1 below what is required, 2 without the verdicts."""
    missing = sorted({check.oracle for check in CHECKS if not (SHARED / check.oracle).exists()})
    if missing:
        print(f"missing: {', '.join(missing)} (set CONTEXT_BENCH_SHARED)", file=sys.stderr)
        return 2
    rows = [(check.label, check.oracle, *verdict(check)) for check in CHECKS]
    print(tabulate(rows, headers=("evaluator", "verdicts", "agree", "required", ""), disable_numparse=True))
    return int(any("FAIL" in row for row in rows))


def verdict(check: Check) -> tuple[str, str, str]:
    """Return how many verdicts agree, the share that must, and the outcome."""
    if not hasattr(evaluators, check.evaluator):
        return "", "", "skipped: no such evaluator"
    same, total = check.counts()
    outcome = "PASS" if total and same >= check.required * total else "FAIL"
    return f"{same} / {total}", f"{check.required:.1%}", outcome


if __name__ == "__main__":
    sys.exit(main())
