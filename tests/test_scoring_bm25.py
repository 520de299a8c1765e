from math import log

import pytest

from pytest_context_bench.scoring import bm25


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The CATS' cat, straße!", ["the", "cat", "cat", "strasse"]),
        ("gas boss classes bus", ["gas", "boss", "classe", "bus"]),
        ("x_1 don't", ["x", "1", "don", "t"]),
        ("Job-37 at 10.0.0.1.", ["job", "37", "at", "10", "0", "0", "1", "job-37", "10.0.0.1"]),
        ("東京は都", ["東", "京", "は", "都"]),
        ("", []),
    ],
    ids=str,
)
def test_words(text, words):
    assert bm25.words(text) == words


def test_a_score_is_the_textbook_formula():
    index = bm25.index([["a", "b"], ["a", "a", "c"]])
    length = 1.2 * (1 - 0.75 + 0.75 * 3 / 2.5)
    expected = log(1 + 1.5 / 1.5) * 2.2 * 1 / (1 + length) + 0.5 * log(1 + 0.5 / 2.5) * 2.2 * 2 / (2 + length)

    scores = index.scores({"c": 1.0, "a": 0.5, "absent": 9.0})
    assert scores[1] == pytest.approx(expected)


def test_a_rare_word_counts_more_than_a_frequent_one():
    index = bm25.index([["rare", "often"], ["often", "x"], ["often", "y"]])

    assert index.scores({"rare": 1.0})[0] > 3 * index.scores({"often": 1.0})[0]


@pytest.mark.parametrize("passages", [[], [[]], [[], []]], ids=str)
def test_nothing_scores_nothing(passages):
    assert bm25.index(passages).scores({"a": 1.0}) == [0.0] * len(passages)
