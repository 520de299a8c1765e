"""The label of a text against the labels there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.fields import answers, golds, response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.longbench import label_share


@dataclass(frozen=True)
class ClassMatch:
    """Whether the response names the answer among the `labels` of the example, as LongBench counts it.

    A response that names several labels shares the point among them.
    """

    name: str = "class_match"
    fields: ClassVar[Sequence[str]] = ("labels",)

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `class_match`, in [0, 1]; nothing without `labels` or an answer."""
        labels, wanted, text = golds(original.get("labels")), answers(original), response(processed)
        if not (labels and wanted):
            return {}
        return {"class_match": max(label_share(text, gold, labels) for gold in wanted)}
