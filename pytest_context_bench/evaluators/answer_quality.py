"""Short answers against gold answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.fields import answer_spans, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring import chinese, drop, hotpot, squad, triviaqa


@dataclass(frozen=True)
class AnswerQuality:
    """Token `f1` and `exact_match`, token `recall`, and whether the response `contains` the answer.

    *mode* names the official script that is followed: `squad` (2.0), `hotpotqa`, `triviaqa` or `drop`; to
    `chinese`, as in InfiniteBench, each character is a token. Each figure is the best over the gold answers;
    without a gold there are no scores. A list within the list of answers, as in
    `answers: [["Tom", "Jerry"], "both"]`, is one answer of several spans to `drop`, alternatives to others.
    """

    mode: str = "squad"
    name: str = "answer_quality"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def __post_init__(self) -> None:
        if self.mode not in _MODES:
            raise UnknownNameError("mode of AnswerQuality", self.mode, _MODES)

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, each in [0, 1]."""
        golds = answer_spans(original)
        if not golds:
            return {}
        scores = _MODES[self.mode](response(processed), golds)
        return {key: max(each[key] for each in scores) for key in scores[0]}


def _squad(text: str, golds: list[list[str]]) -> list[Scores]:
    given = squad.Answer(text)
    return [squad.scores(given, gold) for gold in _alternatives(golds)]


def _hotpotqa(text: str, golds: list[list[str]]) -> list[Scores]:
    given = squad.Answer(text)
    return [hotpot.scores(given, gold) for gold in _alternatives(golds)]


def _triviaqa(text: str, golds: list[list[str]]) -> list[Scores]:
    given = triviaqa.read(text)
    return [squad.scores(given, triviaqa.read(span)) for spans in golds for span in spans]


def _chinese(text: str, golds: list[list[str]]) -> list[Scores]:
    given = chinese.read(text)
    return [squad.scores(given, chinese.read(span)) for spans in golds for span in spans]


def _drop(text: str, golds: list[list[str]]) -> list[Scores]:
    given = drop.read(text)
    return [drop.scores(given, [drop.read(span) for span in spans]) for spans in golds]


def _alternatives(golds: list[list[str]]) -> list[squad.Answer]:
    return [squad.Answer(span) for spans in golds for span in spans]


_MODES: Mapping[str, Callable[[str, list[list[str]]], list[Scores]]] = {
    "squad": _squad,
    "hotpotqa": _hotpotqa,
    "triviaqa": _triviaqa,
    "drop": _drop,
    "chinese": _chinese,
}
