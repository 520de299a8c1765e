"""What the endpoint of a system counted: the tokens that an LLM was really sent, and sent back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.metrics.selection import answered, with_count
from pytest_context_bench.plain import to_float
from pytest_context_bench.protocols import Scores
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean

PROMPT, COMPLETION = "prompt_tokens", "completion_tokens"


@dataclass(frozen=True)
class Usage:
    """Mean tokens of the prompt and of the completion, over the rows whose metadata tell them."""

    name: str = "usage"
    keys: ClassVar[Sequence[str]] = ("mean_prompt_tokens", "mean_completion_tokens")

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `mean_prompt_tokens` and `mean_completion_tokens`, as far as they are known."""
        scores: Scores = {}
        told = 0
        for name in (PROMPT, COMPLETION):
            values = [
                value for row in answered(rows) if (value := to_float(row.metadata.get(name))) is not None
            ]
            if values:
                scores[f"mean_{name}"] = mean(values)
                told = max(told, len(values))
        return with_count(self.name, scores, told, rows) if scores else {}


@dataclass(frozen=True)
class PromptReduction:
    """Share of the prompt's tokens that a system saves beside the system *baseline* on the same examples.

    It is the compression that happens inside a proxy, where the context that the system was given does not
    show it. Pairs count where both systems tell their usage without an error.
    """

    baseline: str = ""
    name: str = "prompt_reduction"
    keys: ClassVar[Sequence[str]] = ("prompt_reduction",)

    def compute(self, rows: Sequence[EvalRow]) -> Scores:  # noqa: ARG002 - a Metric's signature
        """Return nothing: it takes two systems."""
        return {}

    def compare(self, rows: Mapping[str, Sequence[EvalRow]]) -> Mapping[str, Scores]:
        """Return `prompt_reduction` of each system but the baseline: 1 - its tokens / the baseline's."""
        base = prompts_of(rows.get(self.baseline, ()))
        found = {}
        for system, own in rows.items():
            paired = [(tokens, base[at]) for at, tokens in prompts_of(own).items() if at in base]
            before = sum(tokens for _, tokens in paired)
            if system != self.baseline and before:
                scores = {self.name: 1 - sum(tokens for tokens, _ in paired) / before}
                found[system] = with_count(self.name, scores, len(paired), own)
        return found


def prompts_of(rows: Sequence[EvalRow]) -> dict[tuple[str, str, int], float]:
    """Return the prompt tokens of *rows*, by data set, example and repeat."""
    told = ((row, to_float(row.metadata[PROMPT])) for row in answered(rows) if PROMPT in row.metadata)
    return {
        (row.dataset, str(row.example_id), row.repeat): tokens for row, tokens in told if tokens is not None
    }
