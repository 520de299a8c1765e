"""Knowledge and common sense: multiple choice."""

from pytest_context_bench.datasets.entry import Dataset

ENTRIES: tuple[Dataset, ...] = ()
