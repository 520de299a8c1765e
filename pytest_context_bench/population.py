"""The rows that a table or a gate speaks of, folded once for each data set."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from math import isfinite

from pytest_context_bench.metrics.selection import UNTAGGED, by_dataset, by_system
from pytest_context_bench.metrics.summary import summarize
from pytest_context_bench.metrics.values import values_of
from pytest_context_bench.protocols import Metric, Summary
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats.intervals import Interval, clustered_wilson, t_interval


@dataclass(frozen=True)
class Population:
    """Rows and the metrics to fold them with."""

    rows: Sequence[EvalRow]
    metrics: Sequence[Metric]
    problems: list[str] = field(default_factory=list)
    _folded: dict[str | None, Summary] = field(default_factory=dict)
    _grouped: dict[str | None, Mapping[str, Sequence[EvalRow]]] = field(default_factory=dict)

    @property
    def by_system(self) -> Mapping[str, Sequence[EvalRow]]:
        """The rows of each system, in the order of their first."""
        return self._of_system(None)

    def systems(self) -> list[str]:
        """Return the names of the systems, in the order of their first rows."""
        return list(self.by_system)

    def datasets(self) -> list[str]:
        """Return the names of the data sets, in the order of their first rows; `unknown` for no name."""
        return list(self._by_dataset)

    def summary(self, dataset: str | None = None) -> Summary:
        """Return the summary over all rows, or over those of one *dataset*; worked out once."""
        if dataset not in self._folded:
            rows = self.rows if dataset is None else self._by_dataset.get(dataset, ())
            self._folded[dataset], problems = summarize(rows, self.metrics)
            self.problems.extend(problem for problem in problems if problem not in self.problems)
        return self._folded[dataset]

    def fold(self) -> None:
        """Work out all summaries now, so that what goes wrong in any of them is among the problems."""
        for dataset in (None, *self.datasets()):
            self.summary(dataset)

    def count(self, key: str, system: str, dataset: str | None = None) -> int:
        """Return over how many rows of *system* the figure *key* was worked out: all, or `<metric>_n`."""
        figures = self.summary(dataset)[system]
        giving = (metric for metric in self.metrics if gives(metric, key))
        used = (figures.get(f"{metric.name}_n") for metric in giving)
        return int(next((n for n in used if n is not None), self._sizes[system, dataset]))

    def interval(self, key: str, system: str, dataset: str | None = None) -> Interval | None:
        """Return the 95 % interval of a figure that is a rate (Wilson's) or a mean (Student's).

        Repeats of one example are a cluster: they tell less than as many examples would. None for other
        figures, and where the rows tell none.
        """
        metric = self._declaring(key)
        values = None if metric is None else values_of(metric, key)
        if values is None:
            return None
        read = values.read(self._of_system(dataset).get(system, ()))
        repeated = system in self._repeated
        clusters = [(row.dataset, str(row.example_id)) for row, _ in read] if repeated else None
        of_kind = clustered_wilson if values.rates else t_interval
        found = of_kind([value for _, value in read], clusters)
        return found if isfinite(found.low) and isfinite(found.high) else None

    def intervals(self, dataset: str | None = None) -> dict[str, dict[str, tuple[float, float]]]:
        """Return the bounds of all intervals, by system and figure."""
        return {
            system: {
                key: (found.low, found.high)
                for key in figures
                if (found := self.interval(key, system, dataset)) is not None
            }
            for system, figures in self.summary(dataset).items()
        }

    def declares(self, key: str) -> bool:
        """Whether a metric says that it gives the figure *key*."""
        return self._declaring(key) is not None

    def metric_of(self, key: str) -> Metric | None:
        """Return the metric that gives the figure *key*: the one that says so, else one that is seen to."""
        silent = (metric for metric in self.metrics if not hasattr(metric, "keys"))
        return self._declaring(key) or next(
            (metric for metric in silent if self._seen_to_give(metric, key)), None
        )

    def _of_system(self, dataset: str | None) -> Mapping[str, Sequence[EvalRow]]:
        """Return the rows of each system, in all or in one data set."""
        if dataset not in self._grouped:
            rows = self.rows if dataset is None else self._by_dataset.get(dataset, ())
            self._grouped[dataset] = by_system(rows)
        return self._grouped[dataset]

    def _declaring(self, key: str) -> Metric | None:
        return next((metric for metric in self.metrics if gives(metric, key)), None)

    def _seen_to_give(self, metric: Metric, key: str) -> bool:
        summary, _ = summarize(self.rows, [metric])
        return any(key in figures for figures in summary.values())

    @cached_property
    def _repeated(self) -> frozenset[str]:
        """The systems that have several rows of one example."""
        return frozenset(
            system
            for system, rows in self.by_system.items()
            if len({(row.dataset, str(row.example_id)) for row in rows}) < len(rows)
        )

    @cached_property
    def _by_dataset(self) -> dict[str, list[EvalRow]]:
        return by_dataset(self.rows)

    @cached_property
    def _sizes(self) -> Counter[tuple[str, str | None]]:
        """The number of rows of each system, in all and in each data set."""
        tagged = ((row.system, row.dataset or UNTAGGED) for row in self.rows)
        return Counter(at for system, dataset in tagged for at in ((system, None), (system, dataset)))


def gives(metric: Metric, key: str) -> bool:
    """Whether *metric* says that it gives the figure *key*."""
    patterns = getattr(metric, "keys", ())
    return isinstance(patterns, list | tuple) and any(fnmatchcase(key, pattern) for pattern in patterns)
