import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_context_bench.evaluators import AnswerQuality, SummarizationQuality
from pytest_context_bench.protocols import Evaluator

SECONDS = 10  # of the processor: generous, as a run under a tracer is slow; quadratic time takes minutes
SEEDED = settings(derandomize=True, deadline=None, database=None, max_examples=30)
WORDS = st.sampled_from(
    ["a", "The", "cat", "2", "2.0", "1,000", "yes", "no", "and", ",", "東", "京", "é", "{"]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join) | st.text(st.characters(), max_size=20)
HUGE = {
    "one token": "x" * 200_000,
    "short words": "ab, cd " * 28_000,
    "different words": " ".join(map(str, range(35_000))),
    "nested braces": "{" * 100_000 + "}" * 100_000,
    "nested commands": r"\boxed{" * 28_000,
    "combining marks": "e" + "\u0301\u0327" * 100_000,
    "Chinese": "天地" * 100_000,
    "surrogates and controls": "\ud83d\x00\u2028 " * 50_000,
}


@dataclass(frozen=True)
class Subject:
    """An evaluator, and how texts make an example and an output that it scores."""

    evaluator: Evaluator
    example: Callable[[list[str]], dict[str, Any]] = lambda golds: {"answers": golds}
    is_gold: Callable[[str], bool] = lambda _: True  # whether a response that repeats this gold scores 1
    order_matters: frozenset[str] = frozenset()  # scores that follow the order of equally good golds

    def score(self, golds: list[str], response: str) -> dict[str, float]:
        example = self.example(golds)
        return self.evaluator.score(example, {**example, "response": response})


SUBJECTS = {
    "squad": Subject(AnswerQuality()),
    "hotpotqa": Subject(AnswerQuality("hotpotqa")),
    "triviaqa": Subject(AnswerQuality("triviaqa")),
    "drop": Subject(AnswerQuality("drop")),
    "drop-spans": Subject(AnswerQuality("drop"), example=lambda spans: {"answers": [spans]}),
    "summarization": Subject(
        SummarizationQuality(),
        is_gold=lambda text: any(map(str.isalnum, text)),
        order_matters=frozenset({"rouge_l_precision", "rouge_l_recall"}),
    ),
}


@pytest.fixture(params=SUBJECTS.values(), ids=SUBJECTS, scope="module")
def subject(request):
    return request.param


@SEEDED
@given(golds=st.lists(TEXTS, min_size=1, max_size=3), response=TEXTS)
def test_every_score_is_between_0_and_1(subject, golds, response):
    scores = subject.score(golds, response)

    assert scores
    assert [value for value in scores.values() if not 0 <= value <= 1] == []


@SEEDED
@given(gold=TEXTS)
def test_a_response_that_repeats_the_gold_scores_1(subject, gold):
    if subject.is_gold(gold):
        assert set(subject.score([gold], gold).values()) == {1.0}


@SEEDED
@given(st.data())
def test_the_order_of_golds_does_not_matter(subject, data):
    golds = data.draw(st.lists(TEXTS, min_size=2, max_size=4))
    shuffled, response = data.draw(st.permutations(golds)), data.draw(TEXTS)

    one, other = subject.score(golds, response), subject.score(shuffled, response)
    assert {key for key in one if one[key] != other[key]} <= subject.order_matters


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_no_text_takes_out_of_bounds_time(subject, text):
    for golds, response in ([["cat", text[:2_000]], text], [[text], text[:2_000]]):
        start = time.process_time()
        subject.score(golds, response)

        assert time.process_time() - start < SECONDS
