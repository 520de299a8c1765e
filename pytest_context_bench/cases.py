"""The pairs that a test runs on: light references, made at collection; texts are read when a test runs."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest

from pytest_context_bench.catalog import check_scored, open_dataset, scoring_evaluators
from pytest_context_bench.datasets.examples import Examples, shard
from pytest_context_bench.errors import EmptyShardError, check_distinct
from pytest_context_bench.marker import terms_of
from pytest_context_bench.options import DEFAULT_DATASET, setting
from pytest_context_bench.pipeline import empty_row
from pytest_context_bench.plain import printable
from pytest_context_bench.protocols import Evaluator, Example, System
from pytest_context_bench.redact import redact
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.run_systems import systems_of
from pytest_context_bench.terms import Terms

if TYPE_CHECKING:
    from pytest_context_bench.cache import Cache

LONGEST_ID = 120
_opened_key = pytest.StashKey[dict[Any, Examples]]()
_cache_key = pytest.StashKey["Cache"]()


@dataclass(frozen=True, slots=True)
class Case:
    """One pair of a test, and its place in the order of that test's pairs."""

    system: System
    examples: Examples
    index: int
    order: int
    terms: Terms
    repeat: int = 0

    def example(self) -> dict[str, Any]:
        """Read the example."""
        return self.examples[self.index]

    def evaluators(self, read: Callable[[], Example]) -> list[Evaluator]:
        """Return what scores the example: the data set's evaluators, then those registered for the run.

        *read* gives the example, where its fields choose.
        """
        example = read() if self.examples.evaluators is None else {}
        return scoring_evaluators(self.examples, example, allow=self.terms.allow_code)

    def label(self) -> str:
        """Return `<system>-<data set>-<id>`, with `-r2` for its second time, shortened if long."""
        names = f"{_clean(self.system.name)}-{_clean(self.examples.name)}"
        label = f"{names}-{self.examples.ids[self.index]}{f'-r{self.repeat + 1}' if self.repeat else ''}"
        return label if len(label) <= LONGEST_ID else f"{label[: LONGEST_ID - 9]}~{_digest(label)}"


def cases_of(config: pytest.Config, own: Mapping[str, Any]) -> list[Case]:
    """Return the pairs of a test whose marker says *own*: each example meets all systems in turn.

    Raises ContextBenchError for whatever the user named wrongly.
    """
    systems = systems_of(config, own)
    datasets = datasets_of(config, own)
    whole = tuple(examples.whole for examples in datasets if examples.whole)
    terms = replace(terms_of(config, own), data=whole)
    check_scored(datasets, allow=terms.allow_code)
    cache = cache_of(config)
    if cache is not None:
        cache.admit(systems, [one for examples in datasets for one in examples.evaluators or ()])
    repeats = range(setting(config, "repeats"))
    pairs = (
        (system, examples, index, repeat)
        for examples in datasets
        for index in range(len(examples))
        for repeat in repeats
        for system in systems
    )
    return [
        Case(system, examples, index, order, terms, repeat)
        for order, (system, examples, index, repeat) in enumerate(pairs)
    ]


def unmeasured(case: Case) -> EvalRow:
    """Return the row of a pair of which nothing is known but its names."""
    known = {"id": case.examples.ids[case.index], "dataset": case.examples.name}
    return empty_row(case.system.name, known, case.repeat)


def cache_of(config: pytest.Config) -> "Cache | None":
    """Return what keeps outputs and scores between runs, if this one asks for that.

    Raises CacheError. Where tests are collected only, nothing is opened.
    """
    folder = setting(config, "cache-dir")
    if folder is None or config.getoption("collectonly"):
        return None
    if _cache_key not in config.stash:
        from pytest_context_bench.cache import Cache

        cache = config.stash[_cache_key] = Cache(folder, mode=setting(config, "cache"))
        config.add_cleanup(cache.close)
    return config.stash[_cache_key]


def labels_of(cases: Sequence[Case]) -> list[str]:
    """Return the ids of *cases*: unlike by construction, where two would be alike each gets a digest."""
    labels = [case.label() for case in cases]
    if len(set(labels)) == len(labels):
        return labels
    parts = [
        (case.system.name, case.examples.name, str(case.examples.ids[case.index]), case.repeat)
        for case in cases
    ]
    return [f"{label}~{_digest(json.dumps(part))}" for label, part in zip(labels, parts, strict=True)]


def datasets_of(config: pytest.Config, own: Mapping[str, Any]) -> list[Examples]:
    """Return the data sets a test runs on, the embedded one if none is named."""
    wanted = setting(config, "dataset", own)
    limits = setting(config, "max-examples", own), setting(config, "seed", own)
    opened = [_opened(config, dataset, limits) for dataset in wanted or (DEFAULT_DATASET,)]
    check_distinct("data set", [examples.name for examples in opened])
    return sharded(opened, setting(config, "shard"))


def sharded(datasets: list[Examples], part: tuple[int, int] | None) -> list[Examples]:
    """Return one part of *datasets*. Raises EmptyShardError where it holds nothing."""
    if part is None:
        return datasets
    parts = [shard(examples, *part) for examples in datasets]
    if not any(parts):
        raise EmptyShardError(*part)
    return [examples for examples in parts if len(examples)]


def _opened(config: pytest.Config, dataset: Any, limits: tuple[int | None, int | None]) -> Examples:
    offline = setting(config, "offline")
    if not isinstance(dataset, str):
        return open_dataset(dataset, *limits, offline=offline)
    opened = config.stash.setdefault(_opened_key, {})
    if (dataset, limits) not in opened:
        opened[dataset, limits] = open_dataset(dataset, *limits, offline=offline)
    return opened[dataset, limits]


@lru_cache(maxsize=1024)
def _clean(name: str) -> str:
    """Return the *name* of a system or data set as an id can show it: secrets are masked."""
    return redact(printable(name))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
