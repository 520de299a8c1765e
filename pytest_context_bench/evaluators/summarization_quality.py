"""Summaries against reference summaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.rouge import rouge_l, tokenize


@dataclass(frozen=True)
class SummarizationQuality:
    """ROUGE-L of the response against the answer that summarizes: `rouge_l_f1`, `_precision` and `_recall`.

    Of several answers the one with the best F1 gives all three, the first where they tie, as in
    `rouge-score`; without an answer there are no scores.
    """

    name: str = "summarization_quality"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, each in [0, 1]."""
        references = answers(original)
        if not references:
            return {}
        words = tokenize(response(processed))
        best = max((rouge_l(words, tokenize(text)) for text in references), key=lambda figures: figures.f1)
        return {"rouge_l_f1": best.f1, "rouge_l_precision": best.precision, "rouge_l_recall": best.recall}
