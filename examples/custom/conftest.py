"""Registers a system, an evaluator and a metric for every benchmark test of this folder."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_context_bench import EvalRow


@dataclass(frozen=True)
class Squeeze:
    """Drops the lines that share no word with the question."""

    name: str = "squeeze"

    def process(self, example: Mapping[str, Any]) -> dict[str, Any]:
        asked = set(re.findall(r"\w{4,}", example["question"].lower()))
        lines = example["context"].splitlines()
        kept = [line for line in lines if asked & set(re.findall(r"\w{4,}", line.lower()))]
        return {"context": "\n".join(kept)}


@dataclass(frozen=True)
class Kept:
    """The share of the context's lines that the answer still stands in."""

    name: str = "kept"

    def score(self, original: Mapping[str, Any], processed: Mapping[str, Any]) -> dict[str, float]:
        before, after = (len(example["context"].splitlines()) for example in (original, processed))
        return {"lines_kept": after / before} if before else {}


@dataclass(frozen=True)
class Smallest:
    """The shortest output of a system, in tokens."""

    name: str = "smallest"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        sizes = [row.output_tokens for row in rows if row.error is None]
        return {"smallest_output": min(sizes)} if sizes else {}


def pytest_context_bench_register(registry):
    registry.register("system", "squeeze", Squeeze())
    registry.register("evaluator", "kept", Kept())
    registry.register("metric", "smallest", Smallest())
