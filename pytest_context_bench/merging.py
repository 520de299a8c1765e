"""Puts the results of shards together, as if one run had made them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_context_bench.errors import ContextBenchError
from pytest_context_bench.metrics import default_metrics, summarize
from pytest_context_bench.notes import notes_on
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
    "metrics",
)


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
    systems = list(first.summary)
    rows = sorted(
        (row for part in parts.values() for row in part.rows), key=lambda row: systems.index(row.system)
    )
    metrics = first.metrics if first.metrics is not None else default_metrics()
    summary, problems = summarize(rows, metrics)
    config = {key: value for key, value in first.config.items() if key not in {"shard", "num_examples"}}
    datasets = dict.fromkeys(name for part in parts.values() for name in part.config.get("datasets", ()))
    timing = {system: sum(part.timing.get(system, 0.0) for part in parts.values()) for system in summary}
    notes = [*problems, *notes_on(rows, summary, str(config.get("score_field", "score")))]
    return replace(
        first,
        rows=rows,
        summary=summary,
        timing=timing,
        config={**config, "datasets": list(datasets), "merged": len(parts)},
        verdicts=[],
        notes=notes,
        metrics=metrics,
        comparison=None,
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
    if set(first.summary) != set(part.summary):
        odd = sorted(set(first.summary) ^ set(part.summary))
        raise NotOneRunError(f"{first_name} and {name} ran different systems, as {odd[0]!r} shows")


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
