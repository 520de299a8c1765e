"""The data sets by name: one entry each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_context_bench.datasets import needle
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.evaluators import AnswerQuality
from pytest_context_bench.protocols import Evaluator, Example, ExampleId


class Source(Protocol):
    """Where the examples of a data set come from."""

    def open(
        self, config: str | None, n: int | None, *, sampled: bool
    ) -> tuple[Sequence[ExampleId], Callable[[int], Example]]:
        """Return the ids of the first *n* examples and what fetches the one at an index.

        Where *sampled*, return all that a sample of *n* is drawn from.
        """
        ...


@dataclass(frozen=True)
class Dataset:
    """An entry: where the examples come from, what scores them, and which score `score` repeats."""

    name: str
    source: Source
    evaluators: tuple[Evaluator, ...]
    primary: str

    def open(self, spec: str, n: int | None = None, *, sampled: bool = False) -> Examples:
        """Open the first *n* examples, or all to sample *n* from, as *spec*, `NAME[:config]`, asks for."""
        _, colon, config = spec.partition(":")
        ids, fetch = self.source.open(config if colon else None, n, sampled=sampled)
        return Examples(spec, ids, fetch, self.evaluators, self.primary)


@dataclass(frozen=True)
class Needles:
    """Examples made on the spot, *default* of them unless more or fewer are asked for."""

    default: int = 50

    def open(
        self, config: str | None, n: int | None, *, sampled: bool
    ) -> tuple[Sequence[ExampleId], Callable[[int], Example]]:
        """Return the ids 0, 1, … and what makes the example of an id. Raises UnknownNameError.

        A sample is drawn from the *default* ones, or from as many as it has.
        """
        task, size = needle.parse_config(config)
        count = self.default if n is None else max(n, self.default) if sampled else n
        return range(count), lambda index: needle.generate(task, size, index)


ENTRIES = (Dataset("needle", Needles(), (AnswerQuality(),), primary="contains"),)
BUILT_IN: Mapping[str, Dataset] = {entry.name: entry for entry in ENTRIES}
