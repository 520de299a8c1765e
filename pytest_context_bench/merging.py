"""Puts the results of shards together, as if one run had made them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.metrics.saved import to_saved
from pytest_context_bench.notes import notes_on
from pytest_context_bench.pairing import TESTS
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

# What shards of one run have in common.
SETTINGS = (
    "score_field",
    "threshold",
    "tokenizer",
    "text_fields",
    "max_examples",
    "seed",
    "repeats",
    "evaluators",
    "metrics",
)
# What is of a shard alone.
OWN = frozenset({"shard", "data", "num_examples", "skipped", "created", TESTS})


class NotOneRunError(ContextBenchError):
    """Results that are not the shards of one run."""


def merged(named: Mapping[str, EvalResult]) -> EvalResult:
    """Return the result of the run whose shards *named* are, by the name of each.

    Raises NotOneRunError for gaps, for pairs that are there twice, and for mixed data or settings.
    """
    parts = _in_order(named)
    first = next(iter(parts.values()))
    for name, part in parts.items():
        _check_alike(next(iter(parts)), first, name, part)
    _check_distinct(parts)
    _check_data(parts)
    systems = list(first.summary)
    rows = sorted(
        (row for part in parts.values() for row in part.rows), key=lambda row: systems.index(row.system)
    )
    return _folded(first, rows, parts.values())


def _folded(first: EvalResult, rows: list[EvalRow], parts: Iterable[EvalResult]) -> EvalResult:
    """Return the result over all *rows*, with what the *first* of its parts says of settings."""
    parts = list(parts)
    whole = replace(first, rows=rows, verdicts=[], comparison=None)
    population = whole.population()
    summary = population.summary()
    config = {key: value for key, value in first.config.items() if key not in OWN}
    datasets = dict.fromkeys(name for part in parts for name in part.config.get("datasets", ()))
    skipped = sum(part.config.get("skipped", 0) for part in parts)
    return replace(
        whole,
        summary=summary,
        timing={system: fsum(part.timing.get(system, 0.0) for part in parts) for system in summary},
        config={**config, "datasets": list(datasets), "merged": len(parts)},
        notes=[
            *population.problems,
            *([f"{skipped} pairs were skipped"] if skipped else []),
            *notes_on(rows, summary, str(config.get("score_field", "score"))),
        ],
    )


def _in_order(named: Mapping[str, EvalResult]) -> dict[str, EvalResult]:
    """Return the shards in their order, checked to be all there are."""
    places: dict[int, str] = {}
    parts = set()
    for name, result in named.items():
        part, _, of = str(result.config.get("shard", "")).partition("/")
        if not of:
            raise NotOneRunError(f"{name} is no shard: it was run without --context-bench-shard")
        if result.config.get("partial"):
            raise NotOneRunError(f"{name} is partial: the run of shard {part}/{of} did not finish")
        if result.config.get("narrowed"):
            raise NotOneRunError(f"{name} is of selected pairs: shard {part}/{of} is not whole")
        if int(part) in places:
            raise NotOneRunError(f"{name} and {places[int(part)]} are the same shard, {part}/{of}")
        places[int(part)] = name
        parts.add(int(of))
    if len(parts) != 1:
        raise NotOneRunError(
            f"the shards are of different splits, into {' and '.join(map(str, sorted(parts)))}"
        )
    missing = [str(place) for place in range(1, parts.pop() + 1) if place not in places]
    if missing:
        raise NotOneRunError(f"shard {', '.join(missing)} is missing")
    return {places[place]: named[places[place]] for place in sorted(places)}


def _check_alike(first_name: str, first: EvalResult, name: str, part: EvalResult) -> None:
    for setting in SETTINGS:
        one, other = first.config.get(setting), part.config.get(setting)
        if one != other:
            raise NotOneRunError(
                f"{first_name} and {name} differ in {setting}: {_word(one)} and {_word(other)}"
            )
    if list(map(to_saved, first.metrics or ())) != list(map(to_saved, part.metrics or ())):
        raise NotOneRunError(f"{first_name} and {name} differ in the settings of their metrics")
    if set(first.summary) != set(part.summary):
        odd = sorted(set(first.summary) ^ set(part.summary))
        raise NotOneRunError(f"{first_name} and {name} ran different systems, as {odd[0]!r} shows")


def _check_data(parts: Mapping[str, EvalResult]) -> None:
    """Check that the shards were cut from the same examples, and that all of these are there."""
    known: dict[str, tuple[str, set[str]]] = {}
    for name, part in parts.items():
        for dataset, found in _data_of(part).items():
            first, before = known.setdefault(dataset, (name, found))
            if before.isdisjoint(found):
                said = " and ".join(f"{min(one).split()[0]} examples" for one in (before, found))
                raise NotOneRunError(f"{first} and {name} are of other examples of {dataset}: {said}")
    expected = sum(max(int(one.split()[0]) for one in found) for _, found in known.values())
    there = len({(row.dataset, str(row.example_id)) for part in parts.values() for row in part.rows})
    skipped = sum(part.config.get("skipped", 0) for part in parts.values())
    if there + skipped < expected:
        raise NotOneRunError(f"the shards hold {there} of {expected} examples")


def _data_of(part: EvalResult) -> dict[str, set[str]]:
    """Return what each data set was before it was cut: several things where tests differ in that."""
    found: dict[str, set[str]] = {}
    for whole in part.config.get("data", ()):
        count, digest, name = whole.split(" ", 2)
        found.setdefault(name, set()).add(f"{count} {digest}")
    return found


def _check_distinct(parts: Mapping[str, EvalResult]) -> None:
    seen: dict[tuple[Any, ...], str] = {}
    for name, part in parts.items():
        for row in part.rows:
            known = seen.setdefault(_pair(row), name)
            if known != name:
                pair = f"example {row.example_id!r} of {row.dataset} with {row.system}"
                raise NotOneRunError(f"{known} and {name} both hold {pair}")


def _pair(row: EvalRow) -> tuple[Any, ...]:
    return row.system, row.dataset, str(row.example_id), row.repeat


def _word(value: Any) -> str:
    return (
        ", ".join(map(str, value))
        if isinstance(value, Sequence) and not isinstance(value, str)
        else str(value)
    )
