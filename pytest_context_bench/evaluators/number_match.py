"""Numbers that a response must give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.fields import answer_spans, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring import numbers


@dataclass(frozen=True)
class NumberMatch:
    """Whether the response gives the number that is the answer; of several answers any one will do.

    *rule* says where: `share` of all numbers there are (LongBench); the `first digits`, the `first number` by
    value, the `last word`, or the `prefix` of a list, `answers: [["1", "4"]]`, that is right (InfiniteBench).
    """

    rule: str = "first number"
    name: str = "number_match"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def __post_init__(self) -> None:
        if self.rule not in _RULES:
            raise UnknownNameError("rule of NumberMatch", self.rule, _RULES)

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `number_match`, in [0, 1]; nothing without an answer."""
        golds, text = answer_spans(original), response(processed)
        return {"number_match": max(_RULES[self.rule](text, gold) for gold in golds)} if golds else {}


def _each(rule: Callable[[str, str], float]) -> Callable[[str, Sequence[str]], float]:
    return lambda text, golds: max(rule(text, gold) for gold in golds)


_RULES: Mapping[str, Callable[[str, Sequence[str]], float]] = {
    "share": _each(numbers.share),
    "first digits": _each(numbers.first_digits),
    "first number": _each(numbers.first_number),
    "last word": _each(numbers.last_number),
    "prefix": numbers.prefix,
}
