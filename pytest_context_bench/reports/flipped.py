"""The pairs that changed sides since the baseline, those that fail now first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_context_bench.comparison import Comparison, Flip
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.records import Record
from pytest_context_bench.reports.worst import terms_of, worded
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.terms import Terms


@dataclass(frozen=True)
class Flipped:
    """A pair that changed sides; *said* is its score in the baseline and now."""

    name: str
    flip: Flip
    said: str


def flipped(result: EvalResult, records: Mapping[str, Record]) -> Iterator[Flipped]:
    """Yield the pairs of *result* that changed sides, named as in *records*."""
    flips = result.comparison.flips if result.comparison is not None else ()
    if not flips:
        return
    first: dict[tuple[str, str, str], str] = {}
    for name, record in records.items():
        first.setdefault(_pair(record.row), name)
    terms = terms_of(result)
    for flip in sorted(flips, key=lambda flip: flip.passes):
        name = first.get(_pair(flip), f"{flip.system}-{flip.dataset}-{flip.example_id}")
        now = "error" if name in records and records[name].row.error is not None else "none"
        before, after = _score(flip.before, terms, "none"), _score(flip.after, terms, now)
        yield Flipped(name, flip, one_line(f"{terms.score_field}={before} -> {after}"))


def counted(comparison: Comparison) -> str:
    """Say how many pairs changed sides, and to which."""
    passing = sum(flip.passes for flip in comparison.flips)
    failing = len(comparison.flips) - passing
    if failing:
        said = f"{_pairs(failing, 'fails', 'fail')} that passed in baseline {comparison.name}"
        return one_line(f"{said}, {passing:,} the other way" if passing else said)
    if passing:
        return one_line(f"{_pairs(passing, 'passes', 'pass')} that failed in baseline {comparison.name}")
    if not comparison.differences:
        return one_line(f"no pair is in baseline {comparison.name} too")
    return one_line(f"no pair changed sides since baseline {comparison.name}")


def _pair(of: EvalRow | Flip) -> tuple[str, str, str]:
    return of.system, of.dataset or UNTAGGED, str(of.example_id)


def _score(value: float | None, terms: Terms, missing: str) -> str:
    return missing if value is None else worded(value, terms)


def _pairs(count: int, one: str, several: str) -> str:
    return f"1 pair {one}" if count == 1 else f"{count:,} pairs {several}"
