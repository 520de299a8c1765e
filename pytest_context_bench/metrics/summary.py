"""Folds rows into a summary: every metric over the rows of every system."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.latency import Latency
from pytest_context_bench.metrics.quality import DEFAULT_THRESHOLD, MeanScore, PassRate, PerDatasetBreakdown
from pytest_context_bench.metrics.selection import by_system
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass, ParetoRank
from pytest_context_bench.metrics.usage import PromptReduction, Usage
from pytest_context_bench.plain import printable, same, to_float, worded
from pytest_context_bench.protocols import Metric, Scores, Summary, SystemComparison, SystemRanking
from pytest_context_bench.rows import EvalRow


def default_metrics(
    score_field: str = "score", threshold: float = DEFAULT_THRESHOLD, baseline_system: str = ""
) -> list[Metric]:
    """Return the metrics of a run that names none; the prompts of *baseline_system* are those to reduce."""
    return [
        Counts(),
        PassRate(threshold, score_field),
        MeanScore(score_field),
        CompressionRatio(),
        CostOfPass(threshold, score_field),
        Usage(),
        PromptReduction(baseline_system),
        Latency(),
        PerDatasetBreakdown(score_field, min_datasets=2),
        ParetoRank(min_systems=2),
    ]


def summarize(rows: Sequence[EvalRow], metrics: Sequence[Metric]) -> tuple[Summary, list[str]]:
    """Return the summary and what went wrong: a metric that fails costs its own figures, not the others'."""
    problems: list[str] = []
    groups = by_system(rows)
    folding = [metric for metric in metrics if not isinstance(metric, SystemRanking)]
    summary = {system: _fold(system, of_system, folding, problems) for system, of_system in groups.items()}
    for metric in metrics:
        if isinstance(metric, SystemComparison):
            _compare(metric, groups, summary, problems)
        if isinstance(metric, SystemRanking):
            _rank(metric, summary, problems)
    return summary, problems


def _fold(system: str, rows: Sequence[EvalRow], metrics: Sequence[Metric], problems: list[str]) -> Scores:
    figures: Scores = {}
    for metric in metrics:
        try:
            # Each metric has a list of its own: what one does to it is not the next one's loss.
            _merge(figures, _computed(metric.compute(list(rows)), metric.name), metric.name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's metric must not lose a finished run
            problems.append(f"metric {metric.name!r} failed on system {system!r}: {worded(error)}")
    return figures


def _computed(figures: Any, metric: str) -> Scores:
    """Return what a metric gave as plain numbers; null stands for no figure."""
    if not isinstance(figures, Mapping):
        kind = type(figures).__name__
        raise InvalidValueError(f"what metric {metric!r} computes", kind, "a dict of numbers")
    return {
        printable(str(key)): _number(value, f"figure {key!r}")
        for key, value in figures.items()
        if value is not None
    }


def _number(value: Any, where: str) -> float:
    number = to_float(value)
    if number is None:
        raise InvalidValueError(where, value, "a number")
    return number


def _merge(figures: Scores, computed: Scores, metric: str) -> None:
    for key, number in computed.items():
        if not same(figures.setdefault(key, number), number):
            raise InvalidValueError(
                f"figure {key!r} of metric {metric!r}", number, f"the {figures[key]:g} of another"
            )


def _compare(
    metric: SystemComparison,
    groups: Mapping[str, Sequence[EvalRow]],
    summary: Summary,
    problems: list[str],
) -> None:
    try:
        for system, figures in metric.compare(groups).items():
            _merge(summary[system], _computed(figures, metric.name), metric.name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - see _fold
        problems.append(f"metric {metric.name!r} failed: {worded(error)}")


def _rank(metric: SystemRanking, summary: Summary, problems: list[str]) -> None:
    try:
        given = {system: dict(figures) for system, figures in summary.items()}
        for system, rank in metric.rank(given).items():
            _merge(summary[system], {metric.name: _number(rank, f"rank of {system!r}")}, metric.name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - see _fold
        problems.append(f"metric {metric.name!r} failed: {worded(error)}")
