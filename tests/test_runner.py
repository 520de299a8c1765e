import json
import os
import re
import signal
import sys
import threading
import time
from dataclasses import dataclass, field

import pytest

from pytest_context_bench import EvalResult, evaluate
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.errors import (
    BadRecordError,
    ContextBenchError,
    DuplicateExampleError,
    DuplicateNameError,
    EmptyDatasetError,
    InvalidValueError,
    NeedsJudgeError,
    UnknownNameError,
)
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.metrics import Counts, MeanScore, PassRate

DATA = [{"id": n, "context": f"It is {n}.", "question": "?", "answer": str(n)} for n in range(6)]


@dataclass
class Calls:
    """A system that notes what it is called with, and answers."""

    name: str = "calls"
    answer: object = ""
    seen: list[int] = field(default_factory=list)

    def process(self, example):
        self.seen.append(example["id"])
        return self.answer(example) if callable(self.answer) else {"response": self.answer}


def run(systems, dataset=DATA, *args, **options):
    return evaluate(systems, dataset, *args, **{"progress": False, **options})


@pytest.fixture(params=[None, 1, 4], ids=["default", "one worker", "four workers"])
def workers(request):
    return request.param


def test_rows_come_by_system_and_then_example(workers):
    def slow_first(example):
        time.sleep(0.01 if example["id"] == 0 else 0)
        return {}

    result = run([Calls("b", slow_first), Calls("a")], max_workers=workers)

    assert [(row.system, row.example_id) for row in result.rows] == [
        (name, n) for name in "ba" for n in range(6)
    ]
    assert list(result.summary) == list(result.timing) == ["b", "a"]
    assert (result.summary["b"]["mean_score"], result.summary["a"]["mean_score"]) == (0.5, 0.0)


def test_the_number_of_workers_does_not_show():
    def figures(workers):
        result = run(["identity", "truncate:0.5"], "needle:log-1k", max_examples=8, max_workers=workers)
        for each in result.rows:
            each.latency = 0.0
        return result.rows, [
            {**of_system, **dict.fromkeys(LATENCIES, 0)} for of_system in result.summary.values()
        ]

    assert figures(4) == figures(None)


LATENCIES = ("latency_mean", "latency_median", "latency_p95", "latency_p99")


def test_pairs_run_side_by_side_where_workers_are_asked_for():
    barrier = threading.Barrier(3, timeout=5)

    result = run(Calls(answer=lambda _: (barrier.wait() and {}) or {}), DATA[:3], max_workers=3)
    assert [row.error for row in result.rows] == [None] * 3


@pytest.mark.parametrize("system", ["identity", Calls()], ids=["name", "object"])
def test_one_system_needs_no_list(system):
    assert len(run(system).rows) == 6


def test_systems_and_examples_may_come_from_generators(workers):
    result = run((Calls(name) for name in "ab"), (example for example in DATA), max_workers=workers)

    assert len(result.rows) == 12


def test_endless_data_is_cut():
    endless = ({**DATA[0], "id": n} for n in iter(int, 1) for n in range(10**9))

    assert [row.example_id for row in run(Calls(), endless, max_examples=3).rows] == [0, 1, 2]


def test_a_set_of_systems_runs_by_name():
    systems = {Hashable(name) for name in "cab"}

    assert list(run(systems).summary) == ["a", "b", "c"]


@dataclass(frozen=True)
class Hashable:
    name: str

    def process(self, _):
        return {}


def test_local_files_and_registered_names_are_data(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, DATA)), encoding="utf-8")

    assert {row.dataset for row in run("identity", path).rows} == {"mine"}
    assert len(run("identity", str(path), max_examples=2).rows) == 2
    assert run("identity", "needle", max_examples=1).rows[0].dataset == "needle"


def test_a_failing_example_is_a_row_and_the_rest_goes_on(workers):
    def shaky(example):
        if example["id"] in (1, 3):
            raise RuntimeError("no answer")
        return {"response": str(example["id"])}

    result = run(Calls(answer=shaky), max_workers=workers)

    assert [row.error for row in result.rows] == [
        None,
        "RuntimeError: no answer",
        None,
        "RuntimeError: no answer",
        None,
        None,
    ]
    assert result.summary["calls"]["mean_score"] == 4 / 6
    assert result.summary["calls"]["errors"] == 2


def test_a_system_that_leaves_makes_an_error_row(workers):
    result = run(Calls(answer=lambda _: sys.exit(3)), DATA[:2], max_workers=workers)

    assert [row.error for row in result.rows] == ["SystemExit: 3"] * 2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([Calls("x"), Calls("x")],), DuplicateNameError),
        ((["identity", "identity"],), DuplicateNameError),
        (([Calls("http://a:1@h"), Calls("http://a:2@h")],), DuplicateNameError),
        (([],), InvalidValueError),
        ((["identiy"],), UnknownNameError),
        (([5],), InvalidValueError),
        (([Calls(""), Calls()],), InvalidValueError),
        ((Calls(), "nedle"), UnknownNameError),
        ((Calls(), "none.jsonl"), BadRecordError),
        ((Calls(), []), EmptyDatasetError),
        ((Calls(), [3]), BadRecordError),
        ((Calls(), 5), InvalidValueError),
        ((Calls(), [{"id": 1}, {"id": "1"}]), DuplicateExampleError),
        ((Calls(), [{"context": "same"}, {"context": "same"}]), DuplicateExampleError),
        ((Calls(), [{"id": 1.5}]), InvalidValueError),
        ((Calls(), DATA, ["answer_qualty"]), UnknownNameError),
        ((Calls(), DATA, [AnswerQuality]), InvalidValueError),
        ((Calls(), DATA, [5]), InvalidValueError),
        ((Calls(), DATA, 5), InvalidValueError),
        ((Calls(), DATA, None, ["mean_scor"]), UnknownNameError),
        ((Calls(), DATA, None, [MeanScore]), InvalidValueError),
        ((Calls(), DATA, None, None, 0), InvalidValueError),
        ((Calls(), DATA, None, None, -1), InvalidValueError),
        ((Calls(), DATA, None, None, 2.0), InvalidValueError),
        ((Calls(), DATA, None, None, True), InvalidValueError),
    ],
    ids=lambda value: re.sub(" at 0x.*", "", str(value))[:60],
)
def test_mistakes_are_refused_before_anything_runs(arguments, error, capsys):
    system = Calls("first")
    systems = [system, *arguments[0]] if isinstance(arguments[0], list) and arguments[0] else arguments[0]
    called = systems[0] if isinstance(systems, list) and systems else systems

    with pytest.raises(error) as raised:
        evaluate(systems, *(arguments[1:] or (DATA,)))
    assert isinstance(raised.value, ContextBenchError)
    assert "\n" not in str(raised.value)
    assert getattr(called, "seen", []) == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True])
def test_a_number_of_workers_that_is_none_is_refused(workers):
    with pytest.raises(InvalidValueError, match="max_workers"):
        run(Calls(), max_workers=workers)


def test_both_places_of_a_duplicate_are_named():
    with pytest.raises(DuplicateExampleError, match="at example 2 and at example 3"):
        run(Calls(), [*DATA[:3], {"id": "2"}])


@pytest.mark.parametrize(
    "evaluators", [AnswerQuality(), "answer_quality", ["answer_quality"], (AnswerQuality(),)]
)
def test_evaluators_are_one_or_several_objects_or_names(evaluators):
    assert "f1" in run("identity", DATA, evaluators).rows[0].scores


@pytest.mark.parametrize("evaluators", [None, [], ()], ids=repr)
def test_what_a_judge_must_score_is_refused_without_evaluators(evaluators):
    calls = Calls()
    tales = Examples("tales", [0, 1], DATA.__getitem__, (), "judge_score")

    with pytest.raises(NeedsJudgeError, match=r"'tales' is scored by a judge.*LLMJudge"):
        run(calls, tales, evaluators)

    assert calls.seen == []
    assert run(calls, tales, AnswerQuality()).rows[0].scores["f1"] == 0


def test_metrics_are_one_or_several_objects_or_names():
    assert run("identity", metrics=["mean_score", Counts()]).summary["identity"].keys() == {
        "mean_score",
        "n",
        "errors",
        "error_rate",
    }
    assert run("identity", metrics=MeanScore("f1")).summary["identity"].keys() == {"mean_score"}


@pytest.mark.parametrize(
    ("fields", "tokens"),
    [(None, 4), ("question", 1), (["question"], 1), (("question", "answer"), 2), (["*"], 6), ("*", 6)],
)
def test_text_fields_are_one_or_several(fields, tokens):
    row = run("identity", [{**DATA[1], "id": 1, "context": "It is 1"}], text_fields=fields).rows[0]

    assert row.input_tokens == row.output_tokens == tokens


def test_the_counter_can_be_an_object_or_another_encoding():
    @dataclass
    class Letters:
        name: str = "letters"

        def count(self, text):
            return len(text)

    result = run("identity", DATA[:1], counter=Letters())
    assert (result.rows[0].input_tokens, result.config["tokenizer"]) == (8, "letters")
    assert run("identity", DATA[:1], counter="gpt-4o").config["tokenizer"] == "o200k_base"
    with pytest.raises(UnknownNameError, match="unknown tokenizer 'o200'"):
        run("identity", DATA[:1], counter="o200")


def test_the_settings_that_a_reader_needs_are_kept():
    result = run(
        ["identity"], "needle:log", [AnswerQuality()], [PassRate(0.5, "f1")], max_examples=2, max_workers=2
    )

    assert result.config == {
        "systems": ["identity"],
        "dataset": "needle:log",
        "datasets": ["needle:log"],
        "num_examples": 2,
        "evaluators": ["answer_quality"],
        "metrics": ["pass_rate"],
        "score_field": "f1",
        "threshold": 0.5,
        "text_fields": [],
        "tokenizer": "cl100k_base",
        "max_workers": 2,
        "repeats": 1,
        "partial": False,
    }
    assert EvalResult.from_json(result.to_json()) == result


def test_notes_say_what_figures_do_not():
    result = run("identity", [*DATA[:2], {"id": 9, "context": "x"}], metrics=[MeanScore("fl")])

    assert result.notes == [
        "no response from identity: scored on the context they return",
        "3 of 3 rows have no 'fl': the scores are contains, exact_match, f1, recall, score",
    ]


def test_progress_is_on_stderr_and_without_secrets(capsys):
    evaluate([Calls("http://me:pw@host\n")], DATA, progress=True)

    out, err = capsys.readouterr()
    assert out == ""
    assert "6/6" in err
    assert "http://***@host\\n" in err


def test_no_progress_is_no_output(capsys):
    run("identity")

    assert capsys.readouterr() == ("", "")


def test_no_secret_of_a_name_or_an_error_is_in_the_result():
    secret = "http://me:hunter22@host"
    data = [{**DATA[0], "id": secret, "dataset": secret}]

    def fail(_):
        raise ConnectionError(f"{secret} refused; Authorization: Basic aHVudGVyMjI=")

    result = run([Calls(secret, fail), Calls("other", lambda _: {"metadata": {secret: secret}})], data)
    text = result.to_json() + repr(result.rows) + repr(result.summary) + repr(result.timing)
    assert "hunter22" not in text
    assert "aHVudGVyMjI=" not in text
    assert result.summary.keys() == result.timing.keys()


def test_what_a_system_does_to_an_example_is_not_the_next_ones_loss():
    def spoil(example):
        example["answer"] = "spoilt"
        example["turns"].append("spoilt")
        return {}

    data = [{**DATA[1], "turns": ["hello"]}]
    result = run([Calls("a", spoil), "identity"], data)

    assert result.summary["identity"]["mean_score"] == 0.4
    assert data == [{**DATA[1], "turns": ["hello"]}]


def interrupting(at, begun):
    """Return an answer that notes who began, and at one example interrupts as Ctrl-C does."""

    def answer(example):
        begun.append(example["id"])
        if example["id"] == at:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.02)
        begun.append(f"{example['id']} done")
        return {}

    return answer


def test_an_interrupt_lets_what_is_about_to_end_do_so_and_begins_no_more():
    begun = []
    data = [{**DATA[0], "id": n} for n in range(200)]

    with pytest.raises(KeyboardInterrupt):
        run(Calls(answer=interrupting(10, begun)), data, max_workers=4)
    threads = {thread.name for thread in threading.enumerate()}
    ids = [each for each in begun if isinstance(each, int)]
    assert 11 <= len(ids) < 24
    assert {f"{each} done" for each in ids} <= set(begun)
    assert not [name for name in threads if re.fullmatch(r"context-bench-\d+", name)]


def test_an_interrupt_does_not_wait_for_calls_that_hang():
    def answer(example):
        if example["id"] == 0:
            os.kill(os.getpid(), signal.SIGINT)
        hung.wait(30)
        return {}

    hung = threading.Event()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run(Calls(answer=answer), max_workers=4)

    assert time.monotonic() - started < 5
    hung.set()


def test_an_interrupt_of_one_worker_begins_no_more():
    begun = []

    with pytest.raises(KeyboardInterrupt):
        run(Calls(answer=interrupting(3, begun)))
    assert begun == [0, "0 done", 1, "1 done", 2, "2 done", 3]


def test_data_that_vanishes_while_the_run_lasts_costs_its_own_rows(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, DATA)), encoding="utf-8")

    result = run(Calls(answer=lambda example: path.unlink() if example["id"] == 2 else {}), path)

    assert [row.example_id for row in result.rows] == list(range(6))
    assert [row.error is None for row in result.rows] == [True, True, False, False, False, False]
    assert {row.error.partition(":")[0] for row in result.rows[3:]} == {"BadRecordError"}
    assert {row.dataset for row in result.rows} == {"mine"}


def test_a_metric_that_fails_does_not_lose_the_run():
    @dataclass(frozen=True)
    class Broken:
        name: str = "broken"

        def compute(self, rows):
            raise ZeroDivisionError(len(rows))

    result = run("identity", metrics=[Broken(), MeanScore()])

    assert result.summary["identity"]["mean_score"] == 0.5
    assert result.notes[0] == "metric 'broken' failed on system 'identity': ZeroDivisionError: 6"
