"""Agents: tool calls and software repair."""

from pytest_context_bench.datasets.entry import Dataset

ENTRIES: tuple[Dataset, ...] = ()
