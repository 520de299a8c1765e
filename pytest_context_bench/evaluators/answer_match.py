"""Final answers against gold answers, to the word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores


@dataclass(frozen=True)
class AnswerMatch:
    """Whether the answer that the response ends up with is a gold answer: `answer_match`.

    As BIG-Bench Hard counts: the whole answer or nothing, after whatever reasoning. Golds may be yes or no,
    true or false, valid or invalid, numbers, brackets, and words in their order; the best of them counts.
    """

    name: str = "answer_match"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, 0 or 1."""
        from pytest_context_bench.scoring.final_answer import is_given  # compiles many patterns

        golds, given = answers(original), response(processed)
        return {"answer_match": float(any(is_given(given, gold) for gold in golds))} if golds else {}
