"""All configs of a data set as one: in order, numbered on, and no more of them than are needed."""

import pytest

from pytest_context_bench.datasets.entry import Dataset
from pytest_context_bench.datasets.hub import Hub
from pytest_context_bench.datasets.hub_errors import SourceError
from pytest_context_bench.datasets.mapping import Map, template
from pytest_context_bench.datasets.spec import Spec
from pytest_context_bench.datasets.together import Together
from pytest_context_bench.errors import BadRecordError, UnknownNameError
from pytest_context_bench.evaluators import AnswerQuality

CONFIGS = ("fog", "door", "lamp")
EVERY = [f"{config} {row}" for config in CONFIGS for row in range(4)]
READ = Map(lambda record: {"question": record.text("q"), "answer": "x", "task": record.config})


def quiz(hub, repo, mapping=READ, configs=CONFIGS, **source):
    files = {
        f"{config}/test.jsonl": [{"q": f"{config} {row}", "n": f"{config}-{row}"} for row in range(4)]
        for config in configs
    }
    hub.add(repo, files)
    one = Hub(repo, "{config}/{split}.jsonl", split="test", configs=CONFIGS, **source)
    return Dataset(
        "quiz", Together(one), mapping, (AnswerQuality(),), "f1", category="qa", size=12, licence="MIT"
    )


def fetched(hub):
    found = {request.split()[1] for request in hub.requests if "/resolve/" in request}
    return {path.partition("/main/")[2] for path in found}


def test_all_configs_are_one_after_the_other_and_numbered_on(hub):
    data = quiz(hub, "some/all")

    for spec in ("quiz", "quiz:all", "quiz@test"):
        examples = list(data.open(spec))
        assert [one["question"] for one in examples] == EVERY
        assert [one["id"] for one in examples] == list(range(12))
        assert [one["task"] for one in examples] == [config for config in CONFIGS for _ in range(4)]


def test_one_config_is_read_alone(hub):
    examples = list(quiz(hub, "some/one").open("quiz:door"))

    assert [(one["id"], one["question"]) for one in examples] == [(row, f"door {row}") for row in range(4)]
    assert fetched(hub) == {"door/test.jsonl"}


@pytest.mark.parametrize("n", [1, 4, 5, 8, 11, 12, 99])
def test_the_first_n_are_those_of_all_and_no_further_config_is_asked_for(n, hub):
    data = quiz(hub, f"some/first-{n}")

    assert [one["question"] for one in data.open("quiz", n)] == EVERY[:n]
    assert fetched(hub) == {f"{config}/test.jsonl" for config in CONFIGS[: -(-n // 4)]}


def test_a_sample_is_drawn_from_all_and_nested(hub):
    data = quiz(hub, "some/sample")

    few, more = (list(data.open("quiz", n, sampled=True).take(n, 3).ids) for n in (3, 7))

    assert (len(few), len(more)) == (3, 7)
    assert set(few) < set(more)
    assert {row // 4 for row in more} == {0, 1, 2}


def test_ids_of_the_source_are_read_from_every_config(hub):
    data = quiz(hub, "some/ids", template(id="{n}", question="{q}", answer="x"))

    assert data.open("quiz").ids == [f"{config}-{row}" for config in CONFIGS for row in range(4)]


def test_what_is_cached_is_read_offline_and_what_is_not_is_named(hub):
    data = quiz(hub, "some/kept", revision="7" * 40)
    first = list(data.open("quiz", 6))
    hub.requests.clear()

    assert list(data.open("quiz", 6, offline=True)) == first
    with pytest.raises(SourceError, match=r"\(some/kept, config lamp, split test\): not in the cache"):
        data.open("quiz", offline=True)
    with pytest.raises(SourceError, match="not in the cache"):
        data.open("quiz", 1, sampled=True, offline=True)
    assert not hub.requests


def test_a_config_that_is_missing_at_the_source_is_named(hub):
    data = quiz(hub, "some/parts", configs=("fog", "lamp"))

    with pytest.raises(SourceError, match=r"config door, split test\): no file matches 'door/test.jsonl'"):
        data.open("quiz")


def test_a_bad_row_is_named_by_its_own_config_and_row(hub):
    data = quiz(hub, "some/bad", template(question="{other}", answer="x"))

    with pytest.raises(BadRecordError, match=r"data set 'quiz:door', split test, row 1: no column 'other'"):
        data.open("quiz")[5]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("quiz:lmap", "unknown config of quiz 'lmap': did you mean 'lamp'?"),
        ("quiz:zz", "unknown config of quiz 'zz': expected one of all, door, fog, lamp"),
        ("quiz@dev", "unknown split of quiz 'dev': expected one of test"),
        ("quiz:all@dev", "unknown split of quiz 'dev': expected one of test"),
    ],
)
def test_a_wrong_config_or_split_is_told_without_the_network(spec, said, hub):
    with pytest.raises(UnknownNameError) as refused:
        quiz(hub, "some/names").open(spec)

    assert str(refused.value) == said
    assert not hub.requests


@pytest.mark.parametrize("row", [-1, 12])
def test_a_row_beyond_the_last_is_an_error(row, hub):
    records = quiz(hub, "some/rows").source.open(Spec.parse("quiz"), None)

    with pytest.raises(IndexError):
        records[row]
