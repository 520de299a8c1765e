"""Pairs the rows of a run with those of its baseline: by system, data set and example."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias

from pytest_context_bench.metrics.selection import UNTAGGED, by_system
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass
from pytest_context_bench.population import Population
from pytest_context_bench.rows import EvalRow

Key: TypeAlias = tuple[str, str]  # a data set and an example
Pair: TypeAlias = tuple[list[EvalRow], list[EvalRow]]  # the rows of the baseline, and of the run
TESTS = "tests"  # setting that tells how many of the rows, in their order, each test measured
TOKENS = ("tokenizer", "text_fields")  # settings on which counts of tokens depend
COUNTED = frozenset((*CompressionRatio.keys, *CostOfPass.keys))  # figures made of such counts


@dataclass(frozen=True)
class Paired:
    """The *pairs* of one system, and the examples without a counterpart.

    An example whose content is another now is *changed*: a difference there is not the system's.
    """

    pairs: Mapping[Key, Pair] = field(default_factory=dict)
    changed: Sequence[Key] = ()
    added: Sequence[Key] = ()
    removed: Sequence[Key] = ()

    def within(self, dataset: str | None) -> "Paired":
        """Return the pairs of one data set, of all if none is named."""
        if dataset is None:
            return self
        return Paired({key: pair for key, pair in self.pairs.items() if key[0] == dataset})


@dataclass(frozen=True)
class Baseline:
    """The rows and settings of the baseline, and the run's own settings."""

    rows: Sequence[EvalRow]
    config: Mapping[str, Any]
    current: Mapping[str, Any]
    _beside: dict[int, "Beside"] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def by_system(self) -> Mapping[str, Sequence[EvalRow]]:
        """The rows of each system."""
        return by_system(self.rows)

    def of(self, tests: Collection[str]) -> "Baseline":
        """Return what these *tests* measured in it, all where it knows none of them.

        Two tests may measure the same pairs, each in its own way.
        """
        counts = self.config.get(TESTS, {})
        ends = list(accumulate(counts.values()))
        if not ends or ends[-1] != len(self.rows):
            return self
        spans = zip(counts, [0, *ends], ends, strict=False)
        kept = [row for test, start, end in spans if test in tests for row in self.rows[start:end]]
        return replace(self, rows=kept, _beside={}) if kept else self

    def beside(self, population: Population) -> "Beside":
        """Return *population* beside this baseline; worked out once."""
        known = self._beside.get(id(population))
        if known is None:
            known = self._beside[id(population)] = Beside(self, population)
        return known


@dataclass(frozen=True)
class Beside:
    """A run beside its baseline."""

    baseline: Baseline
    population: Population

    @cached_property
    def pairs(self) -> Mapping[str, Paired]:
        """The pairs of each system of the run."""
        old = self.baseline.by_system
        return {
            system: pair_up(old.get(system, ()), rows) for system, rows in self.population.by_system.items()
        }

    @cached_property
    def whole(self) -> tuple[Population, Population]:
        """All rows of the baseline, and all of the run."""
        return Population(self.baseline.rows, self.population.metrics), self.population

    @cached_property
    def common(self) -> tuple[Population, Population]:
        """The rows of the pairs, in the baseline and in the run."""
        both = [pair for paired in self.pairs.values() for pair in paired.pairs.values()]
        before, now = ([row for pair in both for row in pair[side]] for side in (0, 1))
        return Population(before, self.population.metrics), Population(now, self.population.metrics)


def pair_up(baseline: Iterable[EvalRow], current: Iterable[EvalRow]) -> Paired:
    """Pair the rows of one system."""
    old, new = _by_example(baseline), _by_example(current)
    common = [key for key in new if key in old]
    changed = [key for key in common if _differ(old[key], new[key])]
    unlike = set(changed)
    return Paired(
        {key: (old[key], new[key]) for key in common if key not in unlike},
        changed,
        [key for key in new if key not in old],
        [key for key in old if key not in new],
    )


def unlike(key: str, baseline: Mapping[str, Any], current: Mapping[str, Any]) -> str:
    """Say why the figure *key* cannot be compared between runs of these settings, or nothing."""
    return unlike_counts(baseline, current) if key in COUNTED else ""


def unlike_counts(baseline: Mapping[str, Any], current: Mapping[str, Any]) -> str:
    """Say why counts of tokens cannot be compared between runs of these settings, or nothing."""
    for name in TOKENS:
        before, now = baseline.get(name), current.get(name)
        if before is not None and now is not None and before != now:
            setting = name.replace("_", " ")
            return f"the {setting} was {before!r} in the baseline and is {now!r} now: save it anew"
    return ""


def _by_example(rows: Iterable[EvalRow]) -> dict[Key, list[EvalRow]]:
    groups: dict[Key, list[EvalRow]] = {}
    for row in rows:
        groups.setdefault((row.dataset or UNTAGGED, str(row.example_id)), []).append(row)
    return groups


def _differ(old: Sequence[EvalRow], new: Sequence[EvalRow]) -> bool:
    """Whether the example is known to be another; where a fingerprint is missing that is not known."""
    prints = [{row.fingerprint for row in rows if row.fingerprint} for rows in (old, new)]
    return bool(prints[0] and prints[1] and prints[0] != prints[1])
