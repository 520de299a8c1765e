"""Which rows a metric speaks of, and how it says so."""

from collections.abc import Sequence

from pytest_context_bench.protocols import Scores
from pytest_context_bench.rows import EvalRow

UNTAGGED = "unknown"


def scored(rows: Sequence[EvalRow], score_field: str) -> list[float]:
    """Return the values of *score_field*: an error counts as 0, a row that lacks the score not at all.

    Where every row is an error, or none has the score, the errors are all there is: still 0 each.
    """
    return [
        0.0 if row.error is not None else row.scores[score_field]
        for row in rows
        if row.error is not None or score_field in row.scores
    ]


def by_system(rows: Sequence[EvalRow]) -> dict[str, list[EvalRow]]:
    """Group *rows* by system, both in their order."""
    groups: dict[str, list[EvalRow]] = {}
    for row in rows:
        groups.setdefault(row.system, []).append(row)
    return groups


def by_dataset(rows: Sequence[EvalRow]) -> dict[str, list[EvalRow]]:
    """Group *rows* by data set, both in their order; rows without one are of `unknown`."""
    groups: dict[str, list[EvalRow]] = {}
    for row in rows:
        groups.setdefault(row.dataset or UNTAGGED, []).append(row)
    return groups


def answered(rows: Sequence[EvalRow]) -> list[EvalRow]:
    """Return the rows without an error: only they have an output to speak of."""
    return [row for row in rows if row.error is None]


def with_count(metric: str, scores: Scores, used: int, rows: Sequence[EvalRow]) -> Scores:
    """Return *scores*; if only some of *rows* were *used*, `<metric>_n` says how many."""
    return scores if used == len(rows) else {**scores, f"{metric}_n": float(used)}
