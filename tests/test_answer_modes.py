import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared_json, shared_lines

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.scoring import drop
from pytest_context_bench.scoring.assignment import best_pairs

CASES = json.loads((Path(__file__).parent / "cases/answer_modes.json").read_text(encoding="utf-8"))
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1 / 3, 2 / 3, 1.0]), min_size=width, max_size=width), max_size=5
    ).filter(bool)
)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['mode']}-{case['why']}" for case in CASES])
def test_case(case):
    scores = AnswerQuality(mode=case["mode"]).score(case["example"], {"response": case["response"]})

    assert {key: scores[key] for key in case["scores"]} == case["scores"]


def test_every_official_hotpotqa_verdict_is_ours():
    differing = []
    for row in shared_lines("oracles/qa_official.jsonl"):
        scores = AnswerQuality(mode="hotpotqa").score(
            {"answer": row["gold"]}, {"response": row["prediction"]}
        )
        if (scores["exact_match"], scores["f1"]) != (row["hotpot_exact"], pytest.approx(row["hotpot_f1"])):
            differing.append((row, scores))

    assert differing == []


@settings(derandomize=True, deadline=None, database=None, max_examples=200)
@given(TABLES)
def test_no_pairing_is_better_than_the_best(table):
    tall = list(zip(*table, strict=True))
    short, long = (table, tall) if len(table) <= len(tall) else (tall, table)
    sums = (
        sum(short[row][column] for row, column in enumerate(columns))
        for columns in itertools.permutations(range(len(long)), len(short))
    )

    pairs = best_pairs(table)
    assert sum(table[row][column] for row, column in pairs) == pytest.approx(max(sums))
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(short)


@pytest.mark.parametrize(
    ("answer", "spans"),
    [
        ({"number": "0", "date": {}, "spans": []}, ["0"]),
        ({"number": 0}, ["0"]),
        ({"number": "", "spans": ["Tom", "Jerry"]}, ["Tom", "Jerry"]),
        ({"number": "", "spans": [], "date": {"day": "", "month": "May", "year": 1992}}, ["May 1992"]),
        ({"number": "", "spans": [], "date": {"day": "", "month": "", "year": ""}}, []),
        ({}, []),
    ],
    ids=json.dumps,
)
def test_a_published_drop_answer_has_its_spans(answer, spans):
    assert drop.to_spans(answer) == spans


def test_published_drop_answers_meet_themselves():
    passages = shared_json("data/drop_sample.json").values()
    golds = [drop.to_spans(pair["answer"]) for passage in passages for pair in passage["qa_pairs"]]

    scores = [
        AnswerQuality("drop").score({"answers": [gold]}, {"response": "; ".join(gold)}) for gold in golds
    ]
    assert {each["exact_match"] for each in scores} == {1.0}


@pytest.mark.parametrize("mode", ["squad", "hotpotqa", "triviaqa", "drop"])
@pytest.mark.parametrize(
    "example", [{}, {"answer": None}, {"answers": []}, {"answers": [[]]}], ids=json.dumps
)
def test_no_gold_gives_no_score_in_any_mode(mode, example):
    assert AnswerQuality(mode).score(example, {"response": "anything"}) == {}


def test_an_unknown_mode_names_the_valid_ones():
    with pytest.raises(UnknownNameError, match="mode of AnswerQuality 'hotpot': did you mean 'hotpotqa'"):
        AnswerQuality(mode="hotpot")
