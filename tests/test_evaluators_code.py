from concurrent.futures import ThreadPoolExecutor

import pytest
from shared import shared_lines

from pytest_context_bench.errors import ExecutionNotAllowedError, InvalidValueError
from pytest_context_bench.evaluators import CodeExecution, code_execution
from pytest_context_bench.protocols import Evaluator
from pytest_context_bench.sandbox import Limits

CODE = CodeExecution(allow=True, limits=Limits(seconds=5, cpu_seconds=2))
CHECK = "def check(candidate):\n    assert candidate(1) == 2\n"
HEADER = "def f(x):\n    '''Add one.'''\n"
RIGHT = "def f(x):\n    return x + 1\n"
RIGHT_BODY = "    return x + 1\n"


def score(example, response, evaluator=CODE):
    return evaluator.score(example, {**example, "response": response})


def test_every_canonical_solution_of_humaneval_and_mbpp_passes_four_at_a_time():
    examples = [
        {"id": record["task_id"], "answer": record["canonical_solution"], **record}
        for record in shared_lines("data/humaneval.jsonl") + shared_lines("data/mbpp_sanitized.jsonl")
    ]

    def passes(example):
        return score(example, example["answer"], CodeExecution(allow=True)) == {"pass_at_1": 1.0}

    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(passes, examples))

    assert len(verdicts) == 164 + 427
    assert [example["id"] for example, passed in zip(examples, verdicts, strict=True) if not passed] == []


def test_it_is_an_evaluator_that_is_off_by_default():
    assert isinstance(CodeExecution(), Evaluator)
    assert (CodeExecution().name, CodeExecution().allow) == ("code_execution", False)


@pytest.mark.parametrize("response", [RIGHT, "", "no code"])
def test_nothing_runs_before_the_user_allows_it(response, monkeypatch):
    monkeypatch.setattr(code_execution, "run", lambda *_: pytest.fail("ran"))

    with pytest.raises(ExecutionNotAllowedError) as refusal:
        score({"test": CHECK, "entry_point": "f"}, response, CodeExecution())

    assert "--context-bench-allow-code-execution" in str(refusal.value)
    assert "CodeExecution(allow=True)" in str(refusal.value)


@pytest.mark.parametrize("allow", [True, False])
@pytest.mark.parametrize(
    "example",
    [
        {},
        {"test": None},
        {"test": " \n", "entry_point": "f"},
        {"test_list": []},
        {"test_list": [""]},
        {"answer": "4"},
    ],
)
def test_an_example_without_tests_gets_no_score(example, allow):
    assert score(example, RIGHT, CodeExecution(allow=allow)) == {}


HUMANEVAL = {"context": HEADER, "test": CHECK, "entry_point": "f"}
MBPP = {"context": "Write a function f that adds one.", "test_list": ["assert f(1) == 2", "assert f(2) == 3"]}


@pytest.mark.parametrize(
    ("example", "response"),
    [
        (HUMANEVAL, RIGHT_BODY),
        (HUMANEVAL, f"Here you are:\n```python\n{RIGHT}```"),
        (HUMANEVAL | {"prompt": HEADER, "context": "retrieved text"}, RIGHT_BODY),
        (HUMANEVAL | {"context": f"Complete this:\n```python\n{HEADER}```\n"}, RIGHT_BODY),
        (HUMANEVAL | {"context": None}, RIGHT),
        (MBPP, RIGHT),
        (MBPP | {"test_list": tuple(MBPP["test_list"])}, RIGHT),
        (MBPP | {"test_list": MBPP["test_list"][0]}, RIGHT),
        (MBPP | {"test_list": ["assert math.isclose(f(1), 2)"], "test_imports": ["import math"]}, RIGHT),
        (MBPP | {"test_list": ["assert math.isclose(f(1), 2)"]}, RIGHT),
        (MBPP | {"test_imports": ["import math"]}, "def f(x):\n    return math.floor(x) + 1"),
        (MBPP | {"test_setup_code": "class A:\n    one = 1"}, "def f(x, a=A()):\n    return x + a.one"),
        (MBPP | {"test": CHECK, "entry_point": "f"}, RIGHT),
        (
            {"test": "def check(f):\n    assert sum(1, 2) == 3", "entry_point": "sum"},
            "def sum(a, b):\n    return a + b",
        ),
        (
            {"test": "def check(candidate):\n    assert check(2) == candidate(2)", "entry_point": "f"},
            "def f(x):\n    return check(x)\n\ndef check(x):\n    return x",
        ),
        ({"test": CHECK, "entry_point": "A().f"}, "class A:\n    def f(self, x):\n        return x + 1"),
    ],
)
def test_a_right_answer_passes_in_each_form_of_example(example, response):
    assert score(example, response) == {"pass_at_1": 1.0}


@pytest.mark.parametrize(
    ("example", "response"),
    [
        (HUMANEVAL, "    return x\n"),
        (HUMANEVAL, None),
        (HUMANEVAL, " \n"),
        (HUMANEVAL, "I would rather not."),
        (HUMANEVAL, HEADER),
        (HUMANEVAL, "def g(x):\n    return x + 1\n"),
        (MBPP, "def f(x):\n    return 2"),
        (MBPP, RIGHT_BODY),
        (MBPP | {"test": CHECK, "entry_point": "f"}, "def f(x):\n    return 2"),
        (MBPP | {"test": "assert f(5) == 5"}, RIGHT),
        (HUMANEVAL, "    import os; os._exit(0)"),
        (HUMANEVAL | {"test": "def check(candidate):\n    raise SystemExit(0)"}, RIGHT_BODY),
    ],
)
def test_a_wrong_answer_fails(example, response):
    assert score(example, response) == {"pass_at_1": 0.0}


def test_the_header_is_the_examples_own_whatever_a_system_made_of_the_context():
    processed = {**HUMANEVAL, "context": "compressed", "test": "pass", "response": RIGHT_BODY}

    assert CODE.score(HUMANEVAL, processed) == {"pass_at_1": 1.0}


@pytest.mark.parametrize(
    ("example", "told"),
    [
        (
            MBPP | {"test_imports": ["import no_such_module"]},
            "test_imports.*No module named 'no_such_module'",
        ),
        (MBPP | {"test_setup_code": "1 / 0"}, "test_setup_code.*ZeroDivisionError"),
        (MBPP | {"test_list": ["assert f(1) =="]}, "test_list.*not Python"),
        (MBPP | {"test_list": [7]}, "test_list: 7 is not text"),
        (HUMANEVAL | {"test": ["assert f(1) == 2"]}, "test: .* is not text"),
        (HUMANEVAL | {"entry_point": None}, "entry_point"),
        (HUMANEVAL | {"entry_point": 7}, "entry_point: 7 is not text"),
    ],
)
def test_what_is_wrong_with_the_tests_is_an_error_not_a_failed_answer(example, told):
    with pytest.raises(InvalidValueError, match=told):
        score(example, RIGHT)


def test_a_response_that_is_not_text_is_an_error():
    with pytest.raises(InvalidValueError, match="response"):
        score(HUMANEVAL, ["def f(x): return x + 1"])
