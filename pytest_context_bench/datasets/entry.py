"""What is known of a data set by name, and how it is opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.datasets.mapping import Map, identified
from pytest_context_bench.datasets.records import Records, Source
from pytest_context_bench.datasets.spec import Spec
from pytest_context_bench.protocols import Evaluator, Example, ExampleId


@dataclass(frozen=True)
class Measure:
    """What scores the examples of a config; *primary* is the score that `score` repeats."""

    evaluators: tuple[Evaluator, ...]
    primary: str


@dataclass(frozen=True)
class Dataset:
    """An entry: where the records come from, how they become examples, what scores them.

    *primary* is the score that `score` repeats; without *evaluators* it is a judge's, whom each run brings
    along. *size* counts the records of the default split. Where the source has no *context*, an example's is
    its question, and compression means little. *note* is what a user must know beside that. *measures* holds,
    by config, what scores those that differ from the default.
    """

    name: str
    source: Source
    mapping: Map
    evaluators: tuple[Evaluator, ...]
    primary: str
    category: str
    size: int
    licence: str
    paper: str = ""
    note: str = ""
    context: bool = True
    measures: Mapping[str, Measure] = field(default_factory=dict)

    def open(
        self, spec: str, n: int | None = None, *, sampled: bool = False, offline: bool = False
    ) -> Examples:
        """Open the first *n* examples of *spec*, `NAME[:config][@split]`, or all to sample *n* from.

        Raises ContextBenchError.
        """
        wanted = Spec.parse(spec)

        def records(rows: int | None) -> Records:
            return self.source.open(wanted, rows, sampled=sampled, offline=offline)

        if sampled:
            ids, read = identified(spec, records(n), self.mapping, None)
        else:
            ids, read = self._identified(records, spec, n)
        measure = self.measure(wanted.config)
        return Examples(
            spec, ids, lambda index: _with_context(read(index)), measure.evaluators, measure.primary
        )

    def measure(self, config: str | None) -> Measure:
        """Return what scores the examples of *config*, None for the default one."""
        own = Measure(self.evaluators, self.primary)
        return own if config is None else self.measures.get(config, own)

    def _identified(
        self, records: Callable[[int | None], Records], spec: str, n: int | None
    ) -> tuple[list[ExampleId], Callable[[int], Example]]:
        """Return the ids and the reader of *n* examples, from as many records as that takes."""
        rows = n
        while True:
            opened = records(rows)
            ids, read = identified(spec, opened, self.mapping, n)
            if n is None or rows is None or len(ids) >= n or len(opened) < rows:
                return ids, read
            rows *= 4  # of some records there are no examples


def _with_context(example: Example) -> Example:
    return example if "context" in example else {**example, "context": example["question"]}
