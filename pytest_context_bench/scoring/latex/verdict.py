"""Says whether a response gives a gold answer: find, compare by the rules, then ask math-verify."""

from collections.abc import Sequence

from pytest_context_bench.scoring.latex import find
from pytest_context_bench.scoring.latex.answer import Answer
from pytest_context_bench.scoring.latex.compare import equal
from pytest_context_bench.scoring.latex.symbolic import VERIFIER


def is_right(response: str, golds: Sequence[str]) -> bool:
    """Whether *response* gives any of *golds*, each an answer or a whole solution that marks its answer."""
    given = [Answer(text) for text in find.readings(response)]
    expected = [Answer(text) for gold in golds for text in find.marked(gold) or [gold]]
    pairs = [(one, gold) for gold in expected for one in given]
    # The rules cost little: no question is asked while another pair might settle it.
    return any(equal(*pair) for pair in pairs) or any(equal(*pair, VERIFIER.ask) for pair in pairs)
