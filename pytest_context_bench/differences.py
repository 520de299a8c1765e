"""Sets a result beside its baseline: what figures were, which pairs changed sides, what cannot be told."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from pytest_context_bench.bounds import Relative
from pytest_context_bench.comparison import Comparison, Difference, Flip
from pytest_context_bench.metrics import PassRate
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.metrics.values import values_of
from pytest_context_bench.paired_figures import compare_values
from pytest_context_bench.pairing import Baseline, Beside, Key, Paired, unlike, unlike_counts
from pytest_context_bench.population import Population
from pytest_context_bench.protocols import Metric
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean

FIGURES = (
    "mean_score",
    "pass_rate",
    "error_rate",
    "compression_ratio",
    "cost_of_pass",
    "mean_prompt_tokens",
    "latency_p95",
)
UNCHANGED = Relative("baseline")


def compared(name: str, population: Population, baseline: Baseline) -> Comparison:
    """Compare *population* with the *baseline* called *name*, over the examples that both have."""
    beside = baseline.beside(population)
    datasets = population.datasets()
    parts: list[str | None] = [None, *(datasets if len(datasets) > 1 else ())]
    differences = [
        difference
        for system in population.systems()
        for dataset in parts
        for difference in _differences(system, dataset, beside)
    ]
    judging = next((one for one in population.metrics if isinstance(one, PassRate)), PassRate())
    flips = [flip for system, paired in beside.pairs.items() for flip in _flips(system, paired, judging)]
    return Comparison(name, tuple(differences), tuple(flips), tuple(_notes(beside)))


def _differences(system: str, dataset: str | None, beside: Beside) -> Iterator[Difference]:
    before, now = (side.summary(dataset).get(system, {}) for side in beside.common)
    paired = beside.pairs[system].within(dataset)
    settings = beside.baseline.config, beside.baseline.current
    for key in FIGURES:
        if key in before and key in now and not unlike(key, *settings):
            low, high = _bounds(beside.population.metric_of(key), key, paired)
            yield Difference(system, dataset, key, before[key], now[key], len(paired.pairs), low, high)


def _bounds(metric: Metric | None, key: str, paired: Paired) -> tuple[float | None, float | None]:
    values = None if metric is None else values_of(metric, key)
    if values is None:
        return None, None
    found = compare_values(paired, values, UNCHANGED, higher=True)
    return (None, None) if isnan(found.difference) else (found.low, found.high)


def _flips(system: str, paired: Paired, judging: PassRate) -> Iterator[Flip]:
    """Yield the pairs that passed in most of their repeats and do not any more, or the reverse."""
    for (dataset, _), (old, new) in paired.pairs.items():
        before, now = (_mostly_passes(rows, judging) for rows in (old, new))
        if before is not None and now is not None and before != now:
            field = judging.score_field
            yield Flip(system, dataset, new[0].example_id, _score(old, field), _score(new, field), passes=now)


def _mostly_passes(rows: Sequence[EvalRow], judging: PassRate) -> bool | None:
    """Whether most of *rows* pass; None where none has the score that tells, or an error."""
    field = judging.score_field
    judged = [row for row in rows if row.error is not None or field in row.scores]
    return sum(passes(row, field, judging.threshold) for row in judged) * 2 > len(judged) if judged else None


def _score(rows: Sequence[EvalRow], field: str) -> float | None:
    values = [row.scores[field] for row in rows if row.error is None and field in row.scores]
    return mean(values) if values else None


def _notes(beside: Beside) -> Iterator[str]:
    """Say what of the two runs could not be compared."""
    baseline = beside.baseline
    new = [system for system in beside.pairs if system not in baseline.by_system]
    gone = [system for system in baseline.by_system if system not in beside.pairs]
    if new:
        yield f"not in the baseline: {', '.join(new)}"
    if gone:
        yield f"not in this run: {', '.join(gone)}"
    yield from _unpaired({system: paired for system, paired in beside.pairs.items() if system not in new})
    if baseline.config.get("partial"):
        yield "it is of a run that did not finish"
    if baseline.config.get("narrowed"):
        yield "it is of selected pairs"
    yield from _settings(baseline.config, baseline.current)


def _unpaired(paired: Mapping[str, Paired]) -> Iterator[str]:
    """Say which examples have no counterpart, once for systems that lack the same."""
    groups: dict[tuple[str, tuple[Key, ...]], list[str]] = {}
    for system, pairs in paired.items():
        for what, keys in (
            ("left out, since their content is another now", pairs.changed),
            ("not in the baseline", pairs.added),
            ("not in this run", pairs.removed),
        ):
            groups.setdefault((what, tuple(keys)), []).append(system)
    for (what, found), systems in groups.items():
        if found:
            dataset, example_id = found[0]
            examples = "1 example" if len(found) == 1 else f"{len(found):,} examples"
            yield f"{what}: {examples} of {', '.join(systems)}, as {example_id!r} of {dataset}"


def _settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in ("score_field", "threshold"):
        if name in before and name in now and before[name] != now[name]:
            anew = f"its rows are judged anew with {now[name]!r}"
            yield f"the {name} was {before[name]!r} in the baseline: {anew}"
    counts = unlike_counts(before, now)
    if counts:
        yield f"token counts are not compared: {counts}"
