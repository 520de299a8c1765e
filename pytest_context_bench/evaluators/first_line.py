"""Responses that may go on beyond their answer."""

from dataclasses import dataclass

from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Evaluator, Example, Scores


@dataclass(frozen=True)
class FirstLine:
    """What *evaluator* makes of the first line of the response, as LongBench does where examples are shown.

    A context that is scored for want of a response is scored whole.
    """

    evaluator: Evaluator

    @property
    def name(self) -> str:
        """The name of the evaluator within."""
        return self.evaluator.name

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the first line that is not empty."""
        text = response(processed)
        if text != processed.get("context"):
            text = text.lstrip("\n").partition("\n")[0]
        return self.evaluator.score(original, {**processed, "response": text})
