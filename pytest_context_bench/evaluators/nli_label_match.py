"""Verdicts on claims against gold labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores


@dataclass(frozen=True)
class NLILabelMatch:
    """Whether the response states the gold label, in the words of any set of labels that mean the same.

    Knows entailment, contradiction and neutral as ContractNLI, SciFact, FEVER and MNLI name them, yes/no
    and true/false; the best over the golds. A gold that is no label gives no score.
    """

    name: str = "nli_label_match"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `nli_accuracy`, 0 or 1; nothing where no `answer` is a known label."""
        from pytest_context_bench.scoring import labels  # compiles many patterns

        golds = [gold for gold in answers(original) if labels.is_label(gold)]
        if not golds:
            return {}
        given = response(processed)
        return {"nli_accuracy": float(any(labels.meets(given, gold) for gold in golds))}
