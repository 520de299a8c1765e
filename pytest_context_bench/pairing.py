"""Pairs the rows of a run with those of its baseline: by system, data set and example."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.rows import EvalRow

Key: TypeAlias = tuple[str, str]  # a data set and an example
Pair: TypeAlias = tuple[list[EvalRow], list[EvalRow]]  # the rows of the baseline, and of the run
TOKENS = ("tokenizer", "text_fields")  # settings on which counts of tokens depend


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


def pair_up(baseline: Iterable[EvalRow], current: Iterable[EvalRow], system: str) -> Paired:
    """Pair the rows of *system*."""
    old, new = _by_example(baseline, system), _by_example(current, system)
    common = [key for key in new if key in old]
    changed = [key for key in common if _differ(old[key], new[key])]
    unlike = set(changed)
    return Paired(
        {key: (old[key], new[key]) for key in common if key not in unlike},
        changed,
        [key for key in new if key not in old],
        [key for key in old if key not in new],
    )


def unlike_counts(baseline: Mapping[str, Any], current: Mapping[str, Any]) -> str:
    """Say why counts of tokens cannot be compared between runs of these settings, or nothing."""
    for name in TOKENS:
        before, now = baseline.get(name), current.get(name)
        if before is not None and now is not None and before != now:
            setting = name.replace("_", " ")
            return f"the {setting} was {before!r} in the baseline and is {now!r} now: save it anew"
    return ""


def _by_example(rows: Iterable[EvalRow], system: str) -> dict[Key, list[EvalRow]]:
    groups: dict[Key, list[EvalRow]] = {}
    for row in rows:
        if row.system == system:
            groups.setdefault((row.dataset or UNTAGGED, str(row.example_id)), []).append(row)
    return groups


def _differ(old: Sequence[EvalRow], new: Sequence[EvalRow]) -> bool:
    """Whether the example is known to be another; where a fingerprint is missing that is not known."""
    prints = [{row.fingerprint for row in rows if row.fingerprint} for rows in (old, new)]
    return bool(prints[0] and prints[1] and prints[0] != prints[1])
