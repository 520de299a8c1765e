"""The rows that a table or a gate speaks of, folded once for each data set."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_context_bench.metrics.summary import summarize
from pytest_context_bench.protocols import Metric, Summary
from pytest_context_bench.rows import EvalRow


@dataclass(frozen=True)
class Population:
    """Rows and the metrics to fold them with."""

    rows: Sequence[EvalRow]
    metrics: Sequence[Metric]
    problems: list[str] = field(default_factory=list)
    _folded: dict[str | None, Summary] = field(default_factory=dict)

    def systems(self) -> list[str]:
        """Return the names of the systems, in the order of their first rows."""
        return list(dict.fromkeys(row.system for row in self.rows))

    def datasets(self) -> list[str]:
        """Return the names of the data sets, in the order of their first rows."""
        return list(dict.fromkeys(row.dataset for row in self.rows))

    def summary(self, dataset: str | None = None) -> Summary:
        """Return the summary over all rows, or over those of one *dataset*; worked out once."""
        if dataset not in self._folded:
            rows = [row for row in self.rows if dataset is None or row.dataset == dataset]
            self._folded[dataset], problems = summarize(rows, self.metrics)
            self.problems.extend(problem for problem in problems if problem not in self.problems)
        return self._folded[dataset]
