"""What a test tells the process that judges the run: one JSON string on its report."""

import json
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.rows import EvalRow
from pytest_context_bench.terms import Terms

ATTRIBUTE = "context_bench"
UNMEASURED = "unmeasured"  # metadata of the row of a pair that the run did not come to: why


@dataclass(frozen=True, slots=True)
class Record:
    """The row of one test, and what it takes to order and judge it.

    *test* is the node id without its parameters, *order* the place among that test's pairs, *total* the
    number of pairs in the run, which was *narrowed* if there are more that the user left out.
    """

    test: str
    order: int
    total: int
    terms: Terms
    row: EvalRow
    narrowed: bool = False

    def to_json(self) -> str:
        """Return the record as JSON. Raises NotJsonError for a row that JSON cannot carry."""
        row, terms = self.row.to_dict(), self.terms.to_json()
        return json.dumps([self.test, self.order, self.total, terms, row, self.narrowed])

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """Return the record that `to_json` wrote."""
        test, order, total, terms, row, narrowed = json.loads(text)
        return cls(test, order, total, Terms.from_json(terms), EvalRow(**row), narrowed)


def attach(report: Any, record: str, *, final: bool) -> None:
    """Put the JSON of a record on *report*; until it is *final* it only stands for a test that may crash."""
    setattr(report, ATTRIBUTE, f"{'final' if final else 'started'} {record}")


def take(report: Any) -> tuple[str, bool] | None:
    """Take the JSON of the record off *report*, which lives as long as the run; say whether it is final."""
    content = report.__dict__.pop(ATTRIBUTE, None)
    if content is None:
        return None
    state, _, record = content.partition(" ")
    return record, state == "final"
