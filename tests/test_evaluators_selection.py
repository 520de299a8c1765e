import pytest

from pytest_context_bench.evaluators import BUILT_IN, evaluators_for
from pytest_context_bench.protocols import Evaluator


@pytest.mark.parametrize(
    ("example", "names"),
    [
        ({"context": "c"}, []),
        ({"answer": "a"}, ["answer_quality"]),
        ({"answers": ["a"]}, ["answer_quality"]),
        ({"answer": None}, []),
        ({"test": "def check(f): ...", "entry_point": "f"}, ["code_execution"]),
        ({"test_list": ["assert f() == 1"], "answer": "a"}, ["code_execution", "answer_quality"]),
        ({"correct_letter": "B", "choices": ["a", "b"]}, ["multiple_choice_accuracy"]),
        ({"correct_letter": "B", "answer": "b"}, ["multiple_choice_accuracy", "answer_quality"]),
        ({"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}, ["ifeval_checker"]),
    ],
    ids=str,
)
def test_the_fields_of_an_example_choose_its_evaluators(example, names):
    assert [evaluator.name for evaluator in evaluators_for(example)] == names


@pytest.mark.parametrize("evaluator", BUILT_IN, ids=lambda evaluator: evaluator.name)
def test_an_evaluator_gives_no_score_without_its_fields(evaluator):
    assert isinstance(evaluator, Evaluator)
    assert evaluator.score({"context": "c", "question": "q"}, {"response": "anything"}) == {}
