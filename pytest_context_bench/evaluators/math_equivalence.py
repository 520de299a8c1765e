"""Mathematical answers against gold answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, response
from pytest_context_bench.protocols import Example, Scores


@dataclass(frozen=True)
class MathEquivalence:
    r"""Whether the answer found in the response is mathematically a gold answer: `math_equiv`.

    A gold may be a whole solution that ends in `#### 18` or holds a `\boxed` answer. Exact rules decide; what
    they leave open is equal only if math-verify, the extra `[math]`, says so.
    """

    name: str = "math_equivalence"
    fields: ClassVar[Sequence[str]] = ("answer", "answers")

    def score(self, original: Example, processed: Example) -> Scores:
        """Score the response of *processed* against the answers of *original*, 0 or 1."""
        # Its many patterns are compiled with the first use, not with the start of pytest.
        from pytest_context_bench.scoring.latex.verdict import is_right

        expected = answers(original)
        return {"math_equiv": float(is_right(response(processed), expected))} if expected else {}
