"""Which evaluators an example calls for, where its data set does not say."""

from collections.abc import Sequence

from pytest_context_bench.evaluators.answer_quality import AnswerQuality
from pytest_context_bench.evaluators.code_execution import CodeExecution
from pytest_context_bench.evaluators.ifeval_checker import IFEvalChecker
from pytest_context_bench.evaluators.math_equivalence import MathEquivalence
from pytest_context_bench.evaluators.summarization_quality import SummarizationQuality
from pytest_context_bench.fields import golds
from pytest_context_bench.protocols import Evaluator, Example

# The order says which one gives the primary score.
CHOSEN_BY_FIELDS = (CodeExecution(), IFEvalChecker(), AnswerQuality())
# These compare with `answer` too, which alone does not tell a summary or a formula from a fact: by name only.
CHOSEN_BY_NAME = (SummarizationQuality(), MathEquivalence())
BUILT_IN: tuple[Evaluator, ...] = (*CHOSEN_BY_FIELDS, *CHOSEN_BY_NAME)


def evaluators_for(example: Example) -> Sequence[Evaluator]:
    """Return the evaluators whose fields *example* has, the one that gives the primary score first."""
    return [
        evaluator
        for evaluator in CHOSEN_BY_FIELDS
        if any(golds(example.get(name)) for name in evaluator.fields)
    ]
