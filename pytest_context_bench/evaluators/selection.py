"""Which evaluators an example calls for."""

from collections.abc import Sequence

from pytest_context_bench.evaluators.answer_quality import AnswerQuality
from pytest_context_bench.fields import answers
from pytest_context_bench.protocols import Evaluator, Example

BUILT_IN: tuple[Evaluator, ...] = (AnswerQuality(),)


def evaluators_for(example: Example) -> Sequence[Evaluator]:
    """Return the evaluators whose fields *example* has, the one that gives the primary score first."""
    return BUILT_IN if answers(example) else ()
