"""Short answers against gold answers."""

from dataclasses import dataclass

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring import squad


@dataclass(frozen=True)
class AnswerQuality:
    """SQuAD 2.0 `f1` and `exact_match`, token `recall`, and whether the response `contains` the answer.

    Each figure is the best over the gold answers; without a gold there are no scores.
    """

    name: str = "answer_quality"

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, each in [0, 1]."""
        expected = [squad.Answer(gold) for gold in answers(original)]
        if not expected:
            return {}
        given = squad.Answer(response(processed))
        return {
            "f1": max(squad.f1(given, gold) for gold in expected),
            "exact_match": max(squad.exact_match(given, gold) for gold in expected),
            "recall": max(squad.recall(given, gold) for gold in expected),
            "contains": max(squad.contains(given, gold) for gold in expected),
        }
