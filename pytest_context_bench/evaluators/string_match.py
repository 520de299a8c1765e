"""Strings that a response must hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from pytest_context_bench.fields import answer_spans, response
from pytest_context_bench.protocols import Example, Scores


@dataclass(frozen=True)
class StringMatch:
    """Whether the answer stands anywhere in the response, as RULER, BABILong and NoLiMa count it.

    Of several answers any one will do; of an answer of several spans, as in `answers: [["7", "12"]]`, it is
    the share of the spans.
    """

    ignore_case: bool = True
    name: str = "string_match"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `string_match`, in [0, 1]; nothing without an answer."""
        text = self._folded(response(processed))
        shares = [fmean(self._folded(span) in text for span in spans) for spans in answer_spans(original)]
        return {"string_match": max(shares)} if shares else {}

    def _folded(self, text: str) -> str:
        return text.lower() if self.ignore_case else text
