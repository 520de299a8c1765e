"""What a run makes of its pairs: the rules of outputs, tokens, answers, scores and ids, seen in the rows."""

import json
import re

import pytest
from runs import REPORT, assert_usage_error, counted, said

DATA = "--context-bench-dataset=data.jsonl"
IDENTITY = "--context-bench-system=identity"
# A system whose output is what its example holds under "output".
ECHO = """
class Echo:
    name = "echo"
    def process(self, example):
        assert example["id"] is not None
        example["answer"] = example["context"] = "changed in place"
        return example["output"]
    def process_conversation(self, turns):
        return [f"reply to {turn['content']}" for turn in turns if turn["role"] == "user"]
def pytest_context_bench_register(registry):
    registry.register("system", "echo", Echo())
"""


@pytest.fixture
def row_of(pytester, bench, saved):
    """Run one example on a system that returns *output* for it; return its row."""

    def run(output, *flags, **example):
        pytester.makeconftest(ECHO)
        record = {"id": 1, "context": "gold one two", "answer": "gold", "output": output} | example
        pytester.path.joinpath("data.jsonl").write_text(json.dumps(record) + "\n")
        bench(DATA, REPORT, *flags)
        (row,) = saved()["rows"]
        return row

    return run


def test_an_output_is_laid_over_its_example(row_of):
    row = row_of({"context": "gold"})

    assert row["scores"] == {"f1": 1, "exact_match": 1, "recall": 1, "contains": 1, "score": 1}
    assert (row["input_tokens"], row["output_tokens"]) == (3, 1)
    assert row["error"] is None


@pytest.mark.parametrize(
    ("output", "f1"),
    [
        ({"response": "gold"}, 1),
        ({"response": ""}, 0),
        ({"response": None}, 0),
        ({}, 0.5),
        ({"context": ""}, 0),
    ],
)
def test_the_context_is_scored_only_where_there_is_no_response(row_of, output, f1):
    assert row_of(output)["scores"]["f1"] == f1


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (None, "must return a dict, not NoneType"),
        ([], "must return a dict, not list"),
        ("gold", "must return a dict, not str"),
        ({"response": 5}, "the response must be text, not int"),
        ({"response": ["gold"]}, "the response must be text, not list"),
    ],
)
def test_what_is_no_output_is_an_error_of_the_pair(row_of, output, words):
    row = row_of(output)

    assert words in row["error"]
    assert row["scores"] == {}


def test_that_contexts_were_scored_is_said_once_a_system(bench, examples):
    examples(4)

    outcome = bench(DATA, IDENTITY, "--context-bench-system=truncate:999")

    notes = [line for line in outcome.outlines if "scored on the context" in line]
    assert notes == ["note: no response from identity, truncate:999: scored on the context they return"]


@pytest.mark.parametrize(
    ("flags", "example", "tokens"),
    [
        ([], {}, 3),
        ([], {"question": "a b c", "extra": "a b c", "dataset": "a b c"}, 3),
        ([], {"turns": [{"role": "user", "content": "a b"}]}, 5),
        ([], {"context": "<|endoftext|>"}, 7),
        ([], {"context": None}, 0),
        ([], {"context": ["a b", "c"]}, 3),
        (["--context-bench-text-fields=question"], {"question": "a b"}, 2),
        (["--context-bench-text-fields=question, context"], {"question": "a b"}, 5),
        (["--context-bench-text-fields=missing"], {}, 0),
        (["--context-bench-tokenizer=o200k_base"], {"context": "<|endoftext|>"}, 7),
        (["--context-bench-tokenizer=gpt-4o"], {}, 3),
    ],
)
def test_tokens_are_those_of_the_context_or_of_the_fields_named(row_of, flags, example, tokens):
    assert row_of({"response": "gold " * 400}, *flags, **example)["input_tokens"] == tokens


def test_a_halved_context_is_half_whatever_else_there_is(row_of, saved):
    row_of({"context": "a " * 500, "response": "b " * 400}, context="a " * 1000, question="c " * 300)

    assert saved()["summary"]["echo"]["compression_ratio"] == pytest.approx(0.5, abs=0.001)


def test_the_tokenizer_is_named_where_tokens_are(bench, examples, saved):
    examples(1)

    outcome = bench(DATA, IDENTITY, REPORT, "--context-bench-tokenizer=o200k_base")

    assert saved()["config"]["tokenizer"] == "o200k_base"
    assert "share of o200k_base tokens" in said(outcome)


@pytest.mark.parametrize(
    ("answer", "f1"),
    [
        ("gold", 1),
        (["silver", "gold"], 1),
        (18, 0),
        (None, None),
        ([], None),
        ({"text": ["gold"]}, 1),
        (True, 0),
    ],
)
def test_the_best_of_several_answers_counts_and_none_is_no_score(row_of, answer, f1):
    row = row_of({"response": "gold"}, answer=answer)

    assert row["scores"].get("f1") == f1
    assert row["error"] is None


def test_metrics_say_how_many_rows_they_used_when_that_is_not_all(bench, examples, saved):
    examples(4, odd={2: {"answer": None}})

    outcome = bench(DATA, IDENTITY, REPORT, "--context-bench-gate=mean_score>=1")

    figures = saved()["summary"]["identity"]
    assert (figures["n"], figures["mean_score_n"], figures["pass_rate_n"]) == (4, 3, 3)
    assert "(n=3)" in said(outcome)
    outcome.stdout.fnmatch_lines(["note: 1 of 4 rows have no 'score': *"])


def test_the_primary_score_is_that_of_each_data_set(bench, examples, saved):
    examples(1)

    bench(DATA, "--context-bench-dataset=needle:1k", "--context-bench-max-examples=1", IDENTITY, REPORT)

    qa, needle = saved()["rows"]
    assert qa["scores"]["score"] == qa["scores"]["f1"]
    assert needle["scores"]["score"] == needle["scores"]["contains"] != needle["scores"]["f1"]


def test_an_evaluator_that_raises_is_an_error_of_the_pair(pytester, bench, examples, saved):
    examples(2)
    pytester.makeconftest(
        """
        class Picky:
            name = "picky"
            def score(self, original, processed):
                if original["id"] == 2: raise KeyError("needs a label")
                return {"picky": "high" if original["id"] == 3 else 1}
        def pytest_context_bench_register(registry):
            registry.register("evaluator", "picky", Picky())
        """
    )

    outcome = bench(DATA, IDENTITY, REPORT)

    assert counted(outcome) == {"passed": 1, "failed": 1}
    assert [row["error"] for row in saved()["rows"]] == [None, "KeyError: 'needs a label'"]


def test_conversations_go_turn_by_turn(row_of):
    turns = [{"role": "user", "content": word} for word in ("one", "two")]

    row = row_of({}, multi_turn=True, turns=turns, answer="reply to two")

    assert row["scores"]["f1"] == 1


def test_examples_without_an_id_get_one_from_their_content(pytester, bench, saved):
    records = [{"context": f"gold{at}", "answer": f"gold{at}"} for at in range(3)]

    def ids(order):
        text = "".join(json.dumps(records[at]) + "\n" for at in order)
        pytester.path.joinpath("data.jsonl").write_text(text)
        bench(DATA, IDENTITY, REPORT).assert_outcomes(passed=len(order))
        return [row["example_id"] for row in saved()["rows"]]

    first = ids([0, 1, 2])

    assert all(re.fullmatch("[0-9a-f]{12}", found) for found in first)
    assert ids([2, 0]) == [first[2], first[0]]


def test_the_same_example_twice_is_refused_by_content_as_by_id(pytester, bench):
    pytester.path.joinpath("data.jsonl").write_text('{"context": "a"}\n{"context": "b"}\n{"context": "a"}\n')

    assert_usage_error(bench(DATA), "data.jsonl:1", "data.jsonl:3")


def test_a_field_named_dataset_groups_the_rows(bench, examples, saved):
    examples(
        4, odd={1: {"dataset": "easy"}, 2: {"dataset": "hard"}, 3: {"dataset": "hard", "context": "other"}}
    )

    outcome = bench(DATA, IDENTITY, REPORT, "--context-bench-gate=n==2@dataset=hard")

    assert outcome.ret == 0
    assert [row["dataset"] for row in saved()["rows"]] == ["easy", "hard", "hard", "data"]
    assert saved()["summary"]["identity"]["dataset:hard"] == 0.5
    outcome.stdout.fnmatch_lines(["identity *", "|- easy *", "|- hard *", "|- data *"])


def test_reports_are_strict_json(row_of, pytester):
    row = row_of({"response": "gold", "metadata": {"cost": float("inf")}})

    def refuse(constant):
        raise AssertionError(constant)

    json.loads(pytester.path.joinpath("out.json").read_text(), parse_constant=refuse)
    assert row["metadata"] == {"cost": None}


def test_the_texts_of_pairs_are_kept_where_that_is_asked_for(bench, examples, saved, alone_or_not):
    run = ["--context-bench-dataset", examples(2), "--context-bench-system=identity", REPORT, *alone_or_not]
    bench(*run, "--context-bench-keep-texts=3")

    assert saved()["rows"][0]["metadata"]["texts"] == {
        "question": "Whi … and 3 characters more",
        "answer": "gol … and 2 characters more",
        "context": "gol … and 2 characters more",
        "processed": "gol … and 2 characters more",
        "response": "gol … and 2 characters more",
    }
    bench(*run)
    assert "texts" not in saved()["rows"][0]["metadata"]
