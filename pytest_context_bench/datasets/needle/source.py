"""The needle data sets as a source: examples made on the spot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.datasets.mapping import Map
from pytest_context_bench.datasets.needle.config import parse_config
from pytest_context_bench.datasets.records import Place, Records, Rows
from pytest_context_bench.datasets.spec import Spec

AS_MADE = Map(lambda record: record.columns)


@dataclass(frozen=True)
class Needles:
    """Examples made on the spot, *default* of them unless more or fewer are asked for."""

    default: int = 50
    repo: str = "embedded"

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Return the first *n*, or what to sample *n* from, without a network. Raises UnknownNameError."""
        del offline
        task, size = parse_config(spec.config)
        spec.one_of("split", (), "")
        count = self.default if n is None else max(n, self.default) if sampled else n
        # Not before: its rules take longer to read than all other data sets together.
        from pytest_context_bench.datasets.needle.generation import generate

        return Rows(_Made(task, size, count, generate), Place(spec.name, spec.config))


@dataclass(frozen=True)
class _Made:
    task: str
    size: int
    count: int
    generate: Callable[[str, int, int], Mapping[str, Any]]

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Mapping[str, Any]:
        return self.generate(self.task, self.size, index)
