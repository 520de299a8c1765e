"""The data sets that only a judge can score, whole: from the hub to what the judge is told."""

import json
from pathlib import Path

import pytest
from endpoint_server import Endpoint, answer, reply
from runs import said

from pytest_context_bench import evaluate
from pytest_context_bench.datasets.table import BUILT_IN
from pytest_context_bench.errors import NeedsJudgeError
from pytest_context_bench.evaluators import LLMJudge

JUDGED = ["alpaca-eval", "mt-bench"]


class Parrot:
    """A system that notes what it is given, and says it again."""

    name = "parrot"

    def __init__(self):
        self.given = []

    def process(self, example):
        self.given.append(example["question"])
        return {"response": f"You said: {example['question']}"}

    def process_conversation(self, turns):
        self.given.append(turns)
        return [f"You said: {turn['content']}" for turn in turns]


@pytest.fixture
def endpoint():
    server = Endpoint()
    server.behave(reply(answer("[[4]]")))
    yield server
    server.close()


@pytest.fixture
def published(hub):
    """Lay the records of the case of a data set out on the hub; return the examples of its default split."""

    def add(name):
        case = json.loads(
            (Path(__file__).parent / "cases" / "datasets" / f"{name}.json").read_text(encoding="utf-8")
        )
        hub.add(BUILT_IN[name].source.repo, case["files"])
        return case["loads"][name]

    return add


def test_a_run_without_a_judge_is_a_usage_error(published, command):
    published("mt-bench")

    outcome = command("--context-bench-dataset=mt-bench", "--context-bench-gate=mean_score>=0")

    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines(["ERROR: data set 'mt-bench'*judge*--context-bench-judge-url*"])
    assert "passed" not in said(outcome)


@pytest.mark.parametrize("name", JUDGED)
def test_evaluate_without_a_judge_calls_no_system(name, published):
    published(name)
    parrot = Parrot()

    with pytest.raises(NeedsJudgeError, match=name):
        evaluate(parrot, name, progress=False)

    assert parrot.given == []


def test_a_judge_of_mt_bench_is_told_every_turn_reply_and_reference(published, endpoint):
    examples = published("mt-bench")
    parrot = Parrot()

    result = evaluate(parrot, "mt-bench", [LLMJudge(endpoint.url, "m")], progress=False)

    assert [row.scores for row in result.rows] == [{"judge_score": 0.75, "score": 0.75}] * len(examples)
    assert parrot.given == [example["turns"] for example in examples]
    for example, (_, _, body) in zip(examples, endpoint.requests, strict=True):
        shown = body["messages"][0]["content"]
        talk = "\n\n".join(
            f"[user]\n{turn['content']}\n\n[assistant]\nYou said: {turn['content']}"
            for turn in example["turns"]
        )
        assert f"<conversation>\n{talk}\n</conversation>" in shown
        assert [text in shown for text in example.get("reference", []) if text] == [
            True for text in example.get("reference", []) if text
        ]


def test_the_turns_of_a_conversation_are_counted_once(published, endpoint):
    published("mt-bench")

    result = evaluate(
        "identity", "mt-bench", [LLMJudge(endpoint.url, "m")], text_fields=["turns"], progress=False
    )

    counted = evaluate("identity", "mt-bench", [LLMJudge(endpoint.url, "m")], progress=False)
    assert [row.input_tokens for row in counted.rows] == [row.input_tokens for row in result.rows]
    assert all(row.input_tokens > 0 for row in counted.rows)


def test_a_judge_of_alpaca_eval_is_told_the_output_of_the_baseline(published, endpoint):
    examples = published("alpaca-eval")
    parrot = Parrot()

    result = evaluate(parrot, "alpaca-eval", [LLMJudge(endpoint.url, "m")], progress=False)

    assert [row.error for row in result.rows] == [None] * len(examples)
    assert parrot.given == [example["question"] for example in examples]
    for example, (_, _, body) in zip(examples, endpoint.requests, strict=True):
        shown = body["messages"][0]["content"]
        assert f"[assistant]\nYou said: {example['question']}\n" in shown
        assert (f"<reference>\n{example['reference']}\n" in shown) == bool(example["reference"])
