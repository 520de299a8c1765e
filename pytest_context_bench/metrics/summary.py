"""Folds rows into a summary: every metric over the rows of every system."""

from collections.abc import Mapping, Sequence

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.metrics.counts import Counts
from pytest_context_bench.metrics.latency import Latency
from pytest_context_bench.metrics.quality import DEFAULT_THRESHOLD, MeanScore, PassRate, PerDatasetBreakdown
from pytest_context_bench.metrics.token_stats import CompressionRatio, CostOfPass, ParetoRank
from pytest_context_bench.protocols import Metric, Scores, Summary, SystemRanking
from pytest_context_bench.rows import EvalRow


def default_metrics(score_field: str = "score", threshold: float = DEFAULT_THRESHOLD) -> list[Metric]:
    """Return the metrics of a run that names none."""
    return [
        Counts(),
        PassRate(threshold, score_field),
        MeanScore(score_field),
        CompressionRatio(),
        CostOfPass(threshold, score_field),
        Latency(),
        PerDatasetBreakdown(score_field, min_datasets=2),
        ParetoRank(min_systems=2),
    ]


def by_system(rows: Sequence[EvalRow]) -> dict[str, list[EvalRow]]:
    """Group *rows* by system, both in their order."""
    groups: dict[str, list[EvalRow]] = {}
    for row in rows:
        groups.setdefault(row.system, []).append(row)
    return groups


def summarize(rows: Sequence[EvalRow], metrics: Sequence[Metric]) -> tuple[Summary, list[str]]:
    """Return the summary and what went wrong: a metric that fails costs its own figures, not the others'."""
    problems: list[str] = []
    groups = by_system(rows)
    folding = [metric for metric in metrics if not isinstance(metric, SystemRanking)]
    summary = {system: _fold(system, of_system, folding, problems) for system, of_system in groups.items()}
    for metric in metrics:
        if isinstance(metric, SystemRanking):
            _rank(metric, summary, problems)
    return summary, problems


def _fold(system: str, rows: Sequence[EvalRow], metrics: Sequence[Metric], problems: list[str]) -> Scores:
    figures: Scores = {}
    for metric in metrics:
        try:
            _merge(figures, metric.compute(rows), metric.name)
        except Exception as error:  # noqa: BLE001 - a user's metric must not lose a finished run
            problems.append(f"metric {metric.name!r} failed on system {system!r}: {_said(error)}")
    return figures


def _merge(figures: Scores, computed: Mapping[str, float], metric: str) -> None:
    for key, value in computed.items():
        number = float(value)
        if key in figures and figures[key] != number:
            raise InvalidValueError(
                f"figure {key!r} of metric {metric!r}", number, f"the {figures[key]:g} of another"
            )
        figures[key] = number


def _rank(metric: SystemRanking, summary: Summary, problems: list[str]) -> None:
    try:
        for system, rank in metric.rank(summary).items():
            summary[system][metric.name] = float(rank)
    except Exception as error:  # noqa: BLE001 - see _fold
        problems.append(f"metric {metric.name!r} failed: {_said(error)}")


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
