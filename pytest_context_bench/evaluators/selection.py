"""Which evaluators an example calls for, where its data set does not say."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_context_bench.evaluators.answer_match import AnswerMatch
from pytest_context_bench.evaluators.answer_quality import AnswerQuality
from pytest_context_bench.evaluators.class_match import ClassMatch
from pytest_context_bench.evaluators.code_execution import CodeExecution
from pytest_context_bench.evaluators.code_similarity import CodeSimilarity
from pytest_context_bench.evaluators.ifeval_checker import IFEvalChecker
from pytest_context_bench.evaluators.math_equivalence import MathEquivalence
from pytest_context_bench.evaluators.multiple_choice import MultipleChoiceAccuracy
from pytest_context_bench.evaluators.nli_label_match import NLILabelMatch
from pytest_context_bench.evaluators.number_match import NumberMatch
from pytest_context_bench.evaluators.string_match import StringMatch
from pytest_context_bench.evaluators.summarization_quality import SummarizationQuality
from pytest_context_bench.evaluators.tool_call_match import ToolCallMatch, expected_calls
from pytest_context_bench.fields import golds
from pytest_context_bench.protocols import Evaluator, Example

# The order says which one gives the primary score.
CHOSEN_BY_FIELDS = (
    CodeExecution(),
    IFEvalChecker(),
    ToolCallMatch(),
    MultipleChoiceAccuracy(),
    AnswerQuality(),
)
# These compare with `answer` too, which alone does not tell what it is: a summary, a formula, a verdict.
CHOSEN_BY_NAME = (
    SummarizationQuality(),
    MathEquivalence(),
    NLILabelMatch(),
    AnswerMatch(),
    StringMatch(),
    NumberMatch(),
    ClassMatch(),
    CodeSimilarity(),
)
BUILT_IN: tuple[Evaluator, ...] = (*CHOSEN_BY_FIELDS, *CHOSEN_BY_NAME)


def permitted(evaluator: Evaluator, *, allow: bool) -> Evaluator:
    """Return *evaluator*, which may run code if *allow* says so."""
    return replace(evaluator, allow=True) if allow and isinstance(evaluator, CodeExecution) else evaluator


def evaluators_for(example: Example) -> Sequence[Evaluator]:
    """Return the evaluators whose fields *example* has, the one that gives the primary score first."""
    return [
        evaluator
        for evaluator in CHOSEN_BY_FIELDS
        if any(_holds_gold(example, name) for name in evaluator.fields)
    ]


def _holds_gold(example: Example, field: str) -> bool:
    if field in ToolCallMatch.fields:  # an empty list is a gold there: that nothing is to be called
        return expected_calls(example) is not None
    return bool(golds(example.get(field)))
