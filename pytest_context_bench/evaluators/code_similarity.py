"""A line of code against the line that is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.longbench import code_line, edit_similarity


@dataclass(frozen=True)
class CodeSimilarity:
    """How alike the first line of code in the response and the answer are, as LongBench counts it.

    A line with a fence or a comment is passed over.
    """

    name: str = "code_similarity"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `edit_similarity`, in [0, 1]; nothing without an answer."""
        wanted, line = answers(original), code_line(response(processed))
        return {"edit_similarity": max(edit_similarity(line, gold) for gold in wanted)} if wanted else {}
