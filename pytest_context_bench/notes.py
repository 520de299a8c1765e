"""What a reader must know beside the numbers of a run."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from pytest_context_bench.evaluators.multiple_choice import NONE_FOUND
from pytest_context_bench.metrics.selection import answered, by_system
from pytest_context_bench.outputs import ESTIMATED
from pytest_context_bench.pipeline import CACHED, PRIMARY, SCORED
from pytest_context_bench.protocols import Summary
from pytest_context_bench.registry import registry
from pytest_context_bench.rows import EvalRow


def notes_on(rows: Sequence[EvalRow], summary: Summary, *score_fields: str) -> list[str]:
    """Return the notes on *rows* and *summary*: what was scored, what has no score, what is not finite."""
    unscored = [note for field in score_fields or (PRIMARY,) for note in _unscored(rows, field)]
    about_rows = [
        *_cached(rows),
        *_context_scored(rows),
        *_contextless(rows),
        *_unchanged(rows),
        *_estimated(rows),
        *unscored,
        *_letterless(rows),
    ]
    return [*about_rows, *_not_finite(summary)]


def partial_note(have: int, pairs: int, *reasons: str) -> str:
    """Say that only so many of the *pairs* have a row, and why."""
    return ": ".join([f"partial: {have} of {pairs} pairs have a row", *reasons])


def _letterless(rows: Sequence[EvalRow]) -> list[str]:
    read = [row.metadata["mc_answer"] for row in rows if "mc_answer" in row.metadata]
    none = sum(answer == NONE_FOUND for answer in read)
    return (
        [f"{none} of {len(read)} multiple-choice responses name no letter: they count as wrong"]
        if none
        else []
    )


def _cached(rows: Sequence[EvalRow]) -> list[str]:
    count = sum(row.metadata.get(CACHED) is True for row in rows)
    return [f"{count} of {len(rows)} outputs are from the cache, with the latency of then"] if count else []


def _context_scored(rows: Sequence[EvalRow]) -> list[str]:
    systems = dict.fromkeys(row.system for row in rows if row.metadata.get(SCORED) == "context")
    return [f"no response from {', '.join(systems)}: scored on the context they return"] if systems else []


def _contextless(rows: Sequence[EvalRow]) -> list[str]:
    from pytest_context_bench.datasets.table import BUILT_IN

    tags = dict.fromkeys(row.dataset for row in rows)
    added = registry.added("dataset")
    known = {tag: BUILT_IN.get(re.split("[:@]", tag)[0]) for tag in tags if tag not in added}
    named = [tag for tag, entry in known.items() if entry is not None and not entry.context]
    has = "has" if len(named) == 1 else "have"
    said = f"{', '.join(named)} {has} no context: the question stands for it, and compression means little"
    return [said] if named else []


def _unchanged(rows: Sequence[EvalRow]) -> list[str]:
    """Flag a compressor that compresses nothing; the one whose name says so is meant to."""
    by = by_system([row for row in answered(rows) if row.metadata.get(SCORED) == "context"])
    idle = [
        system
        for system, own in by.items()
        if not system.startswith("identity") and all(row.input_tokens == row.output_tokens for row in own)
    ]
    return [f"{', '.join(idle)} passed everything through: no context has fewer tokens"] if idle else []


def _estimated(rows: Sequence[EvalRow]) -> list[str]:
    counts = Counter(row.system for row in rows if row.metadata.get(ESTIMATED) is True)
    return [
        f"{system} reports no usage on {count} examples: their tokens are counted here, not by the endpoint"
        for system, count in counts.items()
    ]


def _unscored(rows: Sequence[EvalRow], score_field: str) -> list[str]:
    complete = answered(rows)
    lacking = [row for row in complete if score_field not in row.scores]
    if not lacking:
        return []
    given = sorted({key for row in complete for key in row.scores})
    misnamed = given and score_field not in given
    reason = (
        f"the scores are {', '.join(given)}" if misnamed else "nothing in their examples to score against"
    )
    return [f"{len(lacking)} of {len(rows)} rows have no {score_field!r}: {reason}"]


def _not_finite(summary: Summary) -> list[str]:
    return [
        f"{key} of {system} is {value}" + (": no row passes" if key == "cost_of_pass" else "")
        for system, figures in summary.items()
        for key, value in figures.items()
        if not math.isfinite(value)
    ]
