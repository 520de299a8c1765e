"""What became of a result since its baseline: differences of figures, and pairs that changed sides."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_context_bench.protocols import ExampleId


@dataclass(frozen=True)
class Difference:
    """A figure of one system, over all data sets or over one, now and in the baseline.

    Both are over the *n* examples that both have. *low* and *high* bound current - baseline, where bounds are
    known, each at 95 %: together they are a two-sided interval at 90 %.
    """

    system: str
    dataset: str | None
    key: str
    baseline: float
    current: float
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def change(self) -> float:
        """Current - baseline."""
        return self.current - self.baseline


@dataclass(frozen=True)
class Flip:
    """A pair that passed and does not any more, or the reverse; a score of None is an error's."""

    system: str
    dataset: str
    example_id: ExampleId
    before: float | None
    after: float | None
    passes: bool


@dataclass(frozen=True)
class Comparison:
    """A result beside the baseline *name*; *notes* say what could not be compared, and why."""

    name: str
    differences: tuple[Difference, ...] = ()
    flips: tuple[Flip, ...] = ()
    notes: tuple[str, ...] = ()

    def difference(self, system: str, dataset: str | None, key: str) -> Difference | None:
        """Return the difference of one figure, if it could be compared."""
        return self._by_figure.get((system, dataset, key))

    @cached_property
    def _by_figure(self) -> Mapping[tuple[str, str | None, str], Difference]:
        return {(each.system, each.dataset, each.key): each for each in self.differences}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Comparison":
        """Return the comparison that was saved as *values*."""
        return cls(
            values["name"],
            tuple(Difference(**each) for each in values["differences"]),
            tuple(Flip(**each) for each in values["flips"]),
            tuple(values["notes"]),
        )
