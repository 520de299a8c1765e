"""Evaluators as a run uses them: chosen by fields, allowed to run code, joined by a judge."""

import json

import pytest
from endpoint_server import Endpoint, answer, reply
from runs import assert_usage_error, counted, said

CODE = {
    "id": "f",
    "context": "def double(n):\n",
    "question": "Write the function.",
    "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    "entry_point": "double",
}
CHOICE = {"id": "c", "context": "c", "question": "Which?", "correct_letter": "B", "choices": ["x", "y"]}
ANSWERING = """
class Fixed:
    name = "fixed"
    def process(self, example):
        return {{"response": {response!r}}}
def pytest_context_bench_register(registry):
    registry.register("system", "fixed", Fixed())
"""


@pytest.fixture
def asked(pytester, bench):
    """Run a system that always gives one response on examples."""

    def run(response, examples, *flags):
        pytester.makeconftest(ANSWERING.format(response=response))
        lines = "\n".join(map(json.dumps, examples))
        (pytester.path / "data.jsonl").write_text(lines, encoding="utf-8")
        return bench("--context-bench-dataset=data.jsonl", "--context-bench-report=json:out.json", *flags)

    return run


@pytest.mark.parametrize("flags", [(), ("-n2",)], ids=["plain", "n2"])
def test_code_is_refused_before_any_system_runs(asked, flags):
    assert_usage_error(asked("return n * 2", [CODE], *flags), "--context-bench-allow-code-execution")


def test_code_runs_where_it_is_allowed(asked, saved):
    outcome = asked("    return n * 2", [CODE], "--context-bench-allow-code-execution")

    assert outcome.ret == 0
    assert saved()["rows"][0]["scores"] == {"pass_at_1": 1.0, "score": 1.0}


def test_a_response_without_a_letter_is_told_from_a_wrong_letter(asked, saved):
    outcome = asked("I cannot say.", [CHOICE])

    assert counted(outcome) == {"below threshold": 1}
    (row,) = saved()["rows"]
    assert row["scores"] == {"mc_accuracy": 0.0, "score": 0.0}
    assert row["metadata"] == {"mc_answer": "none found"}
    outcome.stdout.fnmatch_lines(["note: 1 of 1 multiple-choice responses name no letter*"])


def test_the_letter_that_was_read_is_kept(asked, saved):
    asked("Answer: A", [CHOICE])

    assert saved()["rows"][0]["metadata"] == {"mc_answer": "A"}


@pytest.fixture
def endpoint():
    server = Endpoint()
    yield server
    server.close()


def test_a_judge_named_on_the_command_line_rates_every_response(asked, saved, endpoint):
    endpoint.behave(reply(answer("Rating: [[4]]")))

    outcome = asked(
        "Paris",
        [{"id": 1, "context": "c", "question": "q", "answer": "Paris"}],
        f"--context-bench-judge-url={endpoint.url}",
        "--context-bench-judge-model=m",
        "--context-bench-score-field=judge_score",
    )

    assert outcome.ret == 0, outcome.stdout.str()
    assert saved()["rows"][0]["scores"]["judge_score"] == 0.75


JUDGED = """
from pytest_context_bench.datasets.examples import Examples

class Loud:
    name = "loud"
    def process(self, example):
        print("a system was called")
        return {"response": "Paris"}
class Fair:
    name = "fair"
    def score(self, original, processed):
        return {"judge_score": 0.75}
def tales():
    return Examples("tales", [1, 2], lambda index: {"question": "q", "context": "c"}, (), "judge_score")
def pytest_context_bench_register(registry):
    registry.register("system", "loud", Loud())
    registry.register("dataset", "tales", tales)
"""
FAIR = '    registry.register("evaluator", "fair", Fair())\n'
OWN_TEST = """
import pytest

@pytest.mark.context_bench(dataset="tales")
def test_mine(context_bench):
    context_bench.run()
"""


def test_what_a_judge_must_score_is_refused_without_one_before_any_system_runs(pytester, bench, alone_or_not):
    pytester.makeconftest(JUDGED)

    outcome = bench("--context-bench-dataset=tales", "-s", *alone_or_not)

    assert_usage_error(
        outcome, "'tales'", "judge", "--context-bench-judge-url", "--context-bench-judge-model"
    )
    assert "a system was called" not in said(outcome)


def test_a_test_of_ones_own_is_refused_without_a_judge_too(pytester, bench):
    pytester.makeconftest(JUDGED)
    pytester.makepyfile(OWN_TEST)

    outcome = bench("-s")

    assert_usage_error(outcome, "'tales'", "--context-bench-judge-url")
    assert "a system was called" not in said(outcome)


def test_one_data_set_of_several_that_needs_a_judge_is_named(pytester, bench):
    pytester.makeconftest(JUDGED)

    outcome = bench("--context-bench-dataset=needle:1k", "--context-bench-dataset=tales")

    assert_usage_error(outcome, "'tales'")


def test_an_evaluator_that_users_register_may_be_the_judge(pytester, bench, saved, alone_or_not):
    pytester.makeconftest(JUDGED + FAIR)

    outcome = bench("--context-bench-dataset=tales", "--context-bench-report=json:out.json", *alone_or_not)

    assert outcome.ret == 0, said(outcome)
    assert [row["scores"] for row in saved()["rows"]] == [{"judge_score": 0.75, "score": 0.75}] * 2


def test_a_judge_that_options_name_scores_what_needs_one(pytester, bench, saved, endpoint):
    endpoint.behave(reply(answer("Rating: [[3]]")))
    pytester.makeconftest(JUDGED)

    outcome = bench(
        "--context-bench-dataset=tales",
        "--context-bench-report=json:out.json",
        f"--context-bench-judge-url={endpoint.url}",
        "--context-bench-judge-model=m",
    )

    assert counted(outcome) == {"below threshold": 2}
    assert saved()["rows"][0]["scores"] == {"judge_score": 0.5, "score": 0.5}


@pytest.mark.parametrize("option", ["url=http://127.0.0.1:1", "model=m"])
def test_a_judge_needs_its_url_and_its_model(bench, option):
    assert_usage_error(
        bench("--context-bench-dataset=needle", f"--context-bench-judge-{option}"), "both its URL"
    )
