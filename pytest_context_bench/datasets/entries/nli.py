"""Natural language inference."""

from pytest_context_bench.datasets.entry import Dataset

ENTRIES: tuple[Dataset, ...] = ()
