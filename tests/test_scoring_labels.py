import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import shared_lines

from pytest_context_bench.evaluators import NLILabelMatch
from pytest_context_bench.scoring import labels

CASES = json.loads((Path(__file__).parent / "cases/labels.json").read_text(encoding="utf-8"))
VERDICTS = {"SUPPORTS": "supported", "REFUTES": "refuted", "NOT ENOUGH INFO": "not verifiable"}


def golds_met(reply):
    return [gold for gold in VERDICTS if labels.meets(reply, gold)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_case(case):
    scores = NLILabelMatch().score(case["example"], {"response": case["response"]})

    assert scores == case["scores"]


def test_a_reply_meets_the_labels_of_one_verdict_only():
    several = [case["response"] for case in CASES if len(golds_met(case["response"])) > 1]

    assert several == []


@pytest.mark.parametrize(
    "template",
    [
        "{label}. {claim}",
        "Claim: {claim}\n\nLabel: {label}",
        "{claim}\n{label}",
        "I read this: {claim} Therefore, the claim is {verdict}.",
    ],
)
def test_the_words_of_real_claims_are_not_taken_for_verdicts(template):
    wrong = [
        (reply, met)
        for row in shared_lines("data/fever_paper_dev.jsonl")[::400]
        for label, verdict in VERDICTS.items()
        for reply in [template.format(label=label, verdict=verdict, claim=row["claim"])]
        if (met := golds_met(reply)) != [label]
    ]

    assert wrong == []


def test_a_real_claim_alone_is_no_verdict():
    claims = [row["claim"] for row in shared_lines("data/fever_paper_dev.jsonl")[::150]]

    assert [claim for claim in claims if golds_met(claim)] == []


@pytest.mark.parametrize(
    "answer",
    [None, [], "", "Paris", "not entailment", "maybe", 0, ["Paris", None], {"text": ["Paris"]}],
    ids=json.dumps,
)
def test_a_gold_that_is_no_label_gives_no_score(answer):
    assert NLILabelMatch().score({"answer": answer}, {"response": "SUPPORTS"}) == {}


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (["REFUTES", "SUPPORTS"], 1.0),
        (["Paris", "supported"], 1.0),
        (["REFUTES", "NEI"], 0.0),
        (True, 1.0),
        (False, 0.0),
        ("Not_Enough-Info", 0.0),
    ],
    ids=json.dumps,
)
def test_the_best_of_several_golds_counts(answer, score):
    assert NLILabelMatch().score({"answer": answer}, {"response": "SUPPORTS"}) == {"nli_accuracy": score}


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(), max_size=60))
def test_any_unicode_is_read(response):
    reply = f"{response} the claim is {response} supported"

    assert isinstance(labels.meets(reply, "SUPPORTS"), bool)


@pytest.mark.parametrize("unit", ["is refuted ", "not a b c enough ", "?!", "claim that ", "label: "])
def test_a_huge_reply_is_read_in_bounded_time(unit):
    reply = "Label: REFUTES\n" + (unit * 40_000)[:40_000]
    start = time.process_time()

    assert labels.meets(reply, "REFUTES")
    assert time.process_time() - start < 10


def test_a_huge_argument_is_weighed_in_bounded_time():
    start = time.process_time()

    assert not labels.meets("is not supported or " * 2_000, "SUPPORTS")
    assert time.process_time() - start < 10
