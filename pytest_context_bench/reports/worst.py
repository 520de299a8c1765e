"""The pairs that went wrong, the worst first, each with the reason in one line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, isnan

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.gates import shown
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.plain import to_float
from pytest_context_bench.records import Record
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.terms import Terms


@dataclass(frozen=True)
class Miss:
    """A pair that went wrong: with an error, or with a *score* below its threshold."""

    name: str
    record: Record
    score: float | None = None

    @property
    def row(self) -> EvalRow:
        """The row of the pair."""
        return self.record.row

    @property
    def status(self) -> str:
        """`ERROR` or `BELOW`."""
        return "ERROR" if self.score is None else "BELOW"

    @property
    def said(self) -> str:
        """Why it went wrong, in one line: worded when it is asked for, as few of many are shown."""
        terms = self.record.terms
        if self.score is None:
            return one_line(first_line(self.row.error or ""))
        return one_line(f"{terms.score_field}={worded(self.score, terms)}")


def worst(records: Mapping[str, Record]) -> Iterator[Miss]:
    """Yield the errors, then what is below its threshold, the lowest score first."""
    yield from (Miss(name, record) for name, record in records.items() if record.row.error is not None)
    found = [(value, name) for name, record in records.items() if (value := below(record)) is not None]
    yield from (Miss(name, records[name], value) for value, name in sorted(found, key=_lowest_first))


def below(record: Record) -> float | None:
    """Return the score of a pair that is below its threshold."""
    row, terms = record.row, record.terms
    if row.error is not None or passes(row, terms.score_field, terms.threshold):
        return None
    return row.scores.get(terms.score_field)


def worded(score: float, terms: Terms) -> str:
    """Word a *score* so that it does not contradict what it means for its pair."""
    return shown(score, ">=", terms.threshold, digits=2)


def first_line(text: str) -> str:
    """Return the first line of a *text* that is not blank."""
    return next(iter(text.strip().splitlines()), "")


def terms_of(result: EvalResult) -> Terms:
    """Return the terms that the settings of *result* name; without a threshold nothing is below it."""
    threshold = to_float(result.config.get("threshold"))
    return Terms(str(result.config.get("score_field") or "score"), -inf if threshold is None else threshold)


def records_of(result: EvalResult) -> dict[str, Record]:
    """Return the record of each row, by a name made of what it is of: here no tests name them."""
    terms = terms_of(result)
    records: dict[str, Record] = {}
    for order, row in enumerate(result.rows):
        name = f"{row.system}-{row.dataset}-{row.example_id}{f'-r{row.repeat + 1}' if row.repeat else ''}"
        unique = f"{name} (row {order + 1})" if name in records else name
        records[unique] = Record("", order, len(result.rows), terms, row)
    return records


def _lowest_first(pair: tuple[float, str]) -> tuple[bool, float, str]:
    value, name = pair
    return (False, 0.0, name) if isnan(value) else (True, value, name)
