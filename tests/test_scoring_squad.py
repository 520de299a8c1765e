import json

import pytest
from shared import shared_lines

from pytest_context_bench.evaluators import AnswerQuality


def test_every_official_squad_verdict_is_ours():
    differing = []
    for row in shared_lines("oracles/qa_official.jsonl"):
        scores = AnswerQuality().score({"answer": row["gold"]}, {"response": row["prediction"]})
        official = {"exact_match": row["squad_exact"], "f1": row["squad_f1"]}
        if {key: scores[key] for key in official} != pytest.approx(official, abs=1e-12):
            differing.append((row, scores))

    assert differing == []


@pytest.mark.parametrize(
    ("gold", "response", "contained"),
    [
        ("Paris", "It is Paris.", 1),
        ("23", "16723", 0),
        ("東京", "答えは東京です", 1),
        ("A", "the answer is A", 1),
        ("A", "An Apple", 0),
        (")", "f(x)", 0),
        ("", "", 1),
        ("", "something", 0),
    ],
)
def test_contains_respects_token_boundaries(gold, response, contained):
    scores = AnswerQuality().score({"answer": gold}, {"response": response})

    assert scores["contains"] == contained


@pytest.mark.parametrize(
    "example",
    [
        {"answer": 18},
        {"answer": "18"},
        {"answer": ["18", "eighteen"]},
        {"answers": ["18"]},
        {"answers": {"text": ["18"], "answer_start": [3]}},
    ],
    ids=json.dumps,
)
def test_a_gold_of_any_json_type_is_met(example):
    assert AnswerQuality().score(example, {"response": "18"})["exact_match"] == 1.0


@pytest.mark.parametrize(
    "example", [{}, {"answer": None}, {"answer": []}, {"answers": {"text": []}}], ids=json.dumps
)
def test_no_gold_gives_no_score(example):
    assert AnswerQuality().score(example, {"response": "anything"}) == {}
