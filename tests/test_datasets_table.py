from pathlib import Path

import pytest

from pytest_context_bench.catalog import open_dataset
from pytest_context_bench.datasets.table import BUILT_IN, ENTRIES
from pytest_context_bench.errors import ContextBenchError, UnknownNameError
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.protocols import Evaluator

CONFIGS = ["needle", "needle:1k", "needle:multi-key-1k", "needle:json-1k", "needle:log-1k", "needle:table-1k"]
NAMES = [
    "hotpotqa",
    "natural-questions",
    "musique",
    "narrativeqa",
    "triviaqa",
    "frames",
    "quality",
    "qasper",
    "mmlu",
    "mmlu-pro",
    "arc-challenge",
    "truthfulqa",
    "gpqa",
    "hellaswag",
    "winogrande",
    "gsm8k",
    "drop",
    "math",
    "mgsm",
    "bbh",
    "humaneval",
    "mbpp",
    "multi-news",
    "dialogsum",
    "qmsum",
    "summscreenfd",
    "meetingbank",
    "govreport",
    "contract-nli",
    "scifact",
    "ifeval",
    "alpaca-eval",
    "mt-bench",
    "longbench",
    "longbench-v2",
    "infinitebench",
    "nolima",
    "bfcl",
    "apigen",
    "swebench",
    "swebench-verified",
    "swebench-lite",
    "squad",
    "squad-v2",
    "2wikimultihopqa",
    "ruler",
    "babilong",
    "longmemeval",
    "locomo",
    "needle",
]
CASES = Path(__file__).parent / "cases" / "datasets"


def test_the_data_sets_that_people_of_the_field_use_are_known():
    assert set(NAMES) == BUILT_IN.keys()


def test_each_that_is_not_made_on_the_spot_has_a_case_file():
    assert {path.stem for path in CASES.glob("*.json")} == BUILT_IN.keys() - {"needle"}


def test_every_entry_has_a_name_of_its_own():
    assert len(BUILT_IN) == len(ENTRIES)
    assert all(BUILT_IN[entry.name] is entry and ":" not in entry.name for entry in ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_has_a_primary_score_and_evaluators_unless_a_judge_gives_it(entry):
    assert bool(entry.evaluators) == (entry.primary != "judge_score")
    assert all(isinstance(evaluator, Evaluator) for evaluator in entry.evaluators)
    assert entry.primary


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_what_is_measured_otherwise_is_a_config_and_is_measured_by_something(entry):
    assert entry.measures.keys() <= set(getattr(entry.source, "configs", ()))
    for measure in entry.measures.values():
        assert measure.primary
        assert measure.evaluators
        assert all(isinstance(evaluator, Evaluator) for evaluator in measure.evaluators)


@pytest.mark.parametrize("spec", CONFIGS)
def test_the_embedded_data_set_opens_under_the_name_it_was_asked_for(spec):
    examples = BUILT_IN["needle"].open(spec, 2)
    first = examples[0]

    assert examples.name == first["dataset"] == spec
    assert list(examples.ids) == [0, 1]
    assert first["id"] == 0
    assert first["answer"] in first["context"]
    assert examples.evaluators_for(first) == (AnswerQuality(),)
    scores = examples.evaluators_for(first)[0].score(first, {"response": first["answer"]})
    assert scores[examples.primary] == 1.0


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("jsn", "unknown needle config 'jsn': did you mean 'json'"),
        ("json-3k", "unknown needle config 'json-3k': did you mean 'json-32k'"),
        ("JSON", "unknown needle config 'JSON': expected one of "),
        ("", "unknown needle config '': expected one of "),
        (" json", "unknown needle config ' json': did you mean 'json'"),
        ("json:log", "unknown needle config 'json:log': did you mean "),
    ],
)
def test_an_unknown_config_names_the_nearest(config, said):
    with pytest.raises(UnknownNameError) as caught:
        BUILT_IN["needle"].open(f"needle:{config}")

    assert str(caught.value)[: len(said)] == said


@pytest.mark.parametrize(("n", "count"), [(None, 50), (1, 1), (50, 50), (51, 51), (10_000, 10_000)], ids=str)
def test_there_are_fifty_unless_another_number_is_asked_for(n, count):
    examples = open_dataset("needle", n)

    assert list(examples.ids) == list(range(count))


@pytest.mark.parametrize("n", [1, 10, 50, 51, 120])
def test_a_sample_has_the_size_that_is_asked_for_and_is_nested(n):
    samples = [open_dataset("needle", size, seed=3) for size in (n, n + 1, 2 * n)]

    assert [len(sample) for sample in samples] == [n, n + 1, 2 * n]
    assert set(samples[0].ids) <= set(samples[1].ids) <= set(samples[2].ids)
    assert list(samples[0].ids) == sorted(samples[0].ids)


def test_an_example_is_the_same_whatever_the_limit():
    few, many, sample = (open_dataset("needle:log-1k", *limits) for limits in ((3,), (9,), (45, 7)))

    assert list(few) == list(many)[:3]
    assert sample[4] == open_dataset("needle:log-1k")[sample.ids[4]]


def test_ids_are_known_before_any_example_is_made(monkeypatch):
    made = []
    monkeypatch.setattr(
        "pytest_context_bench.datasets.needle.generation.generate",
        lambda task, size, index: made.append((task, size, index)) or {"context": "c"},
    )

    examples = open_dataset("needle:log-1k", 3)

    assert (list(examples.ids), made) == ([0, 1, 2], [])
    assert examples[2] == {"context": "c", "id": 2, "dataset": "needle:log-1k"}
    assert made == [("log", 1000, 2)]


def test_a_place_beyond_the_last_is_an_error():
    with pytest.raises(IndexError):
        open_dataset("needle", 3)[3]


@pytest.mark.parametrize("seed", [None, 1])
def test_no_examples_cannot_be_asked_for(seed):
    with pytest.raises(ContextBenchError, match="number of examples: 0 is not a whole number of 1 or more"):
        open_dataset("needle", 0, seed)
