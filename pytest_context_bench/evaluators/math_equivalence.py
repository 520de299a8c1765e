"""Mathematical answers against gold answers."""

from dataclasses import dataclass

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.latex import find
from pytest_context_bench.scoring.latex.answer import Answer
from pytest_context_bench.scoring.latex.compare import equal
from pytest_context_bench.scoring.latex.symbolic import VERIFIER


@dataclass(frozen=True)
class MathEquivalence:
    r"""Whether the answer found in the response is mathematically a gold answer: `math_equiv`.

    A gold may be a whole solution that ends in `#### 18` or holds a `\boxed` answer.
    """

    name: str = "math_equivalence"

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, 0 or 1."""
        expected = answers(original)
        if not expected:
            return {}
        given = [Answer(text) for text in find.readings(response(processed))]
        golds = [Answer(text) for gold in expected for text in find.marked(gold) or [gold]]
        pairs = [(one, gold) for gold in golds for one in given]
        # The rules cost nothing: no question is asked while another pair might settle it.
        same = any(equal(*pair) for pair in pairs) or any(equal(*pair, VERIFIER.ask) for pair in pairs)
        return {"math_equiv": float(same)}
