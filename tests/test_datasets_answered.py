"""Questions whose answers stand in a file of their own."""

import pytest

from pytest_context_bench.datasets.answered import Answered
from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_load import LINES
from pytest_context_bench.datasets.mapping import template
from pytest_context_bench.errors import BadRecordError, UnknownNameError
from pytest_context_bench.evaluators import AnswerQuality

CONFIGS = ("easy", "open")


def quiz(hub, repo, questions, answers, config="easy"):
    """Return a data set of *questions*, ids in their order, with *answers* by id."""
    hub.add(
        repo,
        {
            f"{config}.jsonl": [{"id": one, "q": f"question {one}"} for one in questions],
            f"gold/{config}.jsonl": [{"id": one, "a": text} for one, text in answers.items()],
        },
    )
    parts = {"split": "test", "config": "easy", "configs": CONFIGS, "form": LINES}
    source = Answered(
        Hub(repo, "{config}.jsonl", **parts), Hub(repo, "gold/{config}.jsonl", **parts), ("open",)
    )
    fields = {"question": "{q}"} if config == "open" else {"question": "{q}", "answer": "{a}"}
    mapping = template(id="{id}", **fields)
    return Dataset("quiz", source, mapping, (AnswerQuality(),), "f1", category="qa", size=3, licence="MIT")


def answers(examples):
    return {one["id"]: one["answer"] for one in examples}


def test_answers_are_found_by_id_in_whatever_order(hub):
    data = quiz(hub, "answered/order", ["a", "b", "c"], {"c": "3", "a": "1", "b": "2"})

    assert answers(data.open("quiz")) == {"a": "1", "b": "2", "c": "3"}
    assert answers(data.open("quiz", 2)) == {"a": "1", "b": "2"}
    assert len(data.open("quiz", 2, sampled=True)) == 3


@pytest.mark.parametrize("n", [None, 2])
def test_an_answer_of_another_id_in_the_same_place_is_the_one(hub, n):
    data = quiz(hub, f"answered/place-{n}", ["a", "b", "c"], {"a": "1", "b-0": "2", "c": "3"})

    assert answers(data.open("quiz", n))["b"] == "2"


@pytest.mark.parametrize("golds", [{"b": "2"}, {"b": "2", "z": "3"}], ids=str)
def test_the_answer_of_another_question_is_none(hub, golds):
    data = quiz(hub, f"answered/none-{len(golds)}", ["a", "b"], golds)

    for n in (None, 1):
        with pytest.raises(BadRecordError, match=r"row 0: no answer has its id, 'a'"):
            data.open("quiz", n)[0]


def test_a_question_beyond_the_last_answer_has_none(hub):
    data = quiz(hub, "answered/short", ["a", "b"], {"a": "1"})

    with pytest.raises(BadRecordError, match=r"row 1: no answer has its id, 'b'"):
        data.open("quiz")[1]


def test_a_config_without_answers_asks_for_no_file_of_them(hub):
    data = quiz(hub, "answered/open", ["a"], {}, config="open")

    assert [one["question"] for one in data.open("quiz:open")] == ["question a"]
    assert not [request for request in hub.requests if "/gold/" in request]


def test_a_wrong_config_is_refused_before_any_use_of_the_network(hub):
    data = quiz(hub, "answered/wrong", ["a"], {"a": "1"})

    with pytest.raises(UnknownNameError, match="easy"):
        data.open("quiz:eazy")
    assert hub.requests == []


def test_what_is_cached_is_joined_offline(hub):
    data = quiz(hub, "answered/offline", ["a"], {"a": "1"})
    online = list(data.open("quiz"))
    hub.requests.clear()

    assert list(data.open("quiz", offline=True)) == online
    assert hub.requests == []
