"""Sets a result beside its baseline: what figures were, which pairs changed sides, what cannot be told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_context_bench.comparison import Comparison, Difference, Flip
from pytest_context_bench.gates import Relative
from pytest_context_bench.judgement import Baseline
from pytest_context_bench.metrics import PassRate
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.metrics.values import values_of
from pytest_context_bench.paired_values import compare_values
from pytest_context_bench.pairing import Paired, pair_up, unlike_counts
from pytest_context_bench.population import Population, gives
from pytest_context_bench.protocols import Metric
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.stats import mean

TOKEN_FIGURES = frozenset({"compression_ratio", "cost_of_pass", "mean_input_tokens", "mean_output_tokens"})
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
    paired = {system: pair_up(baseline.rows, population.rows, system) for system in population.systems()}
    datasets = population.datasets()
    parts: list[str | None] = [None, *(datasets if len(datasets) > 1 else ())]
    differences = [
        difference
        for system, pairs in paired.items()
        for dataset in parts
        for difference in _differences(system, dataset, pairs.within(dataset), population.metrics, baseline)
    ]
    judging = next((one for one in population.metrics if isinstance(one, PassRate)), PassRate())
    flips = [flip for system, pairs in paired.items() for flip in _flips(system, pairs, judging)]
    return Comparison(name, tuple(differences), tuple(flips), tuple(_notes(paired, population, baseline)))


def _differences(
    system: str, dataset: str | None, paired: Paired, metrics: Sequence[Metric], baseline: Baseline
) -> Iterator[Difference]:
    old = [row for before, _ in paired.pairs.values() for row in before]
    new = [row for _, now in paired.pairs.values() for row in now]
    if not old:
        return
    before, now = (Population(rows, metrics).summary()[system] for rows in (old, new))
    unlike = unlike_counts(baseline.config, baseline.current)
    for key in FIGURES:
        if key in before and key in now and not (unlike and key in TOKEN_FIGURES):
            metric = next((one for one in metrics if gives(one, key)), None)
            low, high = (None, None) if metric is None else _bounds(metric, key, paired)
            yield Difference(system, dataset, key, before[key], now[key], len(paired.pairs), low, high)


def _bounds(metric: Metric, key: str, paired: Paired) -> tuple[float | None, float | None]:
    values = values_of(metric, key)
    if values is None:
        return None, None
    found = compare_values(paired, values, UNCHANGED, higher=True)
    return (None, None) if found.difference != found.difference else (found.low, found.high)


def _flips(system: str, paired: Paired, judging: PassRate) -> Iterator[Flip]:
    """Yield the pairs that passed in most of their repeats and do not any more, or the reverse."""
    for (dataset, _), (old, new) in paired.pairs.items():
        before, now = (_mostly_passes(rows, judging) for rows in (old, new))
        if before != now:
            field = judging.score_field
            yield Flip(system, dataset, new[0].example_id, _score(old, field), _score(new, field), passes=now)


def _mostly_passes(rows: Sequence[EvalRow], judging: PassRate) -> bool:
    passing = [passes(row, judging.score_field, judging.threshold) for row in rows]
    return sum(passing) * 2 > len(passing)


def _score(rows: Sequence[EvalRow], field: str) -> float | None:
    values = [row.scores[field] for row in rows if row.error is None and field in row.scores]
    return mean(values) if values else None


def _notes(paired: Mapping[str, Paired], population: Population, baseline: Baseline) -> Iterator[str]:
    """Say what of the two runs could not be compared."""
    known = {row.system for row in baseline.rows}
    for system, pairs in paired.items():
        if system not in known:
            yield f"{system} is not in the baseline"
            continue
        for keys, what in (
            (pairs.changed, "have other content than in the baseline and are left out"),
            (pairs.added, "are not in the baseline"),
            (pairs.removed, "of the baseline are not in this run"),
        ):
            if keys:
                yield f"{len(keys)} examples of {system} {what}, as {keys[0][1]!r} of {keys[0][0]}"
    gone = sorted(known - set(population.systems()))
    if gone:
        yield f"{', '.join(gone)} of the baseline did not run"
    yield from _settings(baseline.config, baseline.current)


def _settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in ("score_field", "threshold"):
        if name in before and name in now and before[name] != now[name]:
            anew = f"its rows are judged anew with {now[name]!r}"
            yield f"the {name} was {before[name]!r} in the baseline: {anew}"
    unlike = unlike_counts(before, now)
    if unlike:
        yield f"token counts are not compared: {unlike}"
