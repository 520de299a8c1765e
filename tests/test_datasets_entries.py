"""Every data set of the table, through the hub's own libraries, from records laid out as its source has them.

One case file a data set, `cases/datasets/NAME.json`:

- `files`: what the hub holds, by path: records as the source has them, written in the format of the suffix
  (parquet, jsonl, json, csv, tsv; zip as `{path: records}`; `{"lines": records}` for JSON lines under another
  suffix), or a text that is the file. Paths and columns
  are the source's, with those that no example needs.
- `loads`: by what a user names (`NAME`, `NAME:config@split`), all examples that must come of it, exactly;
  `dataset` need not be said.
- `evaluators`: the names of the entry's evaluators, none if it needs a judge; `primary`: its primary score.
- `measures`: by config, both for those configs that differ from the default.
- `gold_shown`: why a gold answer, a reference or a test stands in the context or question, if one does.
"""

import json
from pathlib import Path

import pytest

from pytest_context_bench.catalog import open_dataset
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.fields import answers, references

CASES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "cases" / "datasets").glob("*.json"))
}
LOADS = [(name, spec) for name, case in CASES.items() for spec in case["loads"]]


@pytest.mark.parametrize(("name", "spec"), LOADS, ids=[spec for _, spec in LOADS])
def test_records_become_the_examples_expected(name, spec, hub):
    case = CASES[name]
    hub.add(BUILT_IN[name].source.repo, case["files"])

    examples = list(open_dataset(spec))

    assert examples == [{"dataset": spec, **expected} for expected in case["loads"][spec]]


@pytest.mark.parametrize("name", CASES)
def test_the_entry_says_what_scores_it(name):
    entry, case = BUILT_IN[name], CASES[name]

    assert [evaluator.name for evaluator in entry.evaluators] == case["evaluators"]
    assert entry.primary == case["primary"]
    assert {
        config: {"evaluators": [one.name for one in measure.evaluators], "primary": measure.primary}
        for config, measure in entry.measures.items()
    } == case.get("measures", {})


@pytest.mark.parametrize("name", CASES)
def test_a_gold_is_shown_only_where_the_case_says_why(name):
    case = CASES[name]

    shown = [gold for examples in case["loads"].values() for one in examples for gold in shown_golds(one)]

    assert bool(shown) == bool(case.get("gold_shown")), shown


@pytest.mark.parametrize("name", CASES)
def test_an_entry_says_whether_its_examples_have_a_context(name):
    examples = [example for load in CASES[name]["loads"].values() for example in load]

    assert BUILT_IN[name].context == any(one["context"] not in {"", one["question"]} for one in examples)


def test_every_entry_of_the_hub_has_a_case():
    assert {name for name, entry in BUILT_IN.items() if entry.category != "embedded"} == set(CASES)


def shown_golds(example):
    """Return the golds, references and tests that the context, question or turns of *example* hold."""
    turns = [turn["content"] for turn in example.get("turns", [])]
    prompt = "\n".join([example["context"], example["question"], *turns])
    tests = [example.get("test"), *example.get("test_list", []), *references(example)]
    return [gold for gold in [*answers(example), *filter(None, tests)] if gold in prompt]
