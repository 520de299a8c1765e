"""How many rows there are, and how many went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pytest_context_bench.protocols import Scores
from pytest_context_bench.rows import EvalRow


@dataclass(frozen=True)
class Counts:
    """Rows and errors of a system, so that gates can bound them."""

    name: str = "counts"
    keys: ClassVar[Sequence[str]] = ("n", "errors", "error_rate")

    def compute(self, rows: Sequence[EvalRow]) -> Scores:
        """Return `n`, `errors` and `error_rate` (in [0, 1])."""
        errors = sum(row.error is not None for row in rows)
        return (
            {"n": float(len(rows)), "errors": float(errors), "error_rate": errors / len(rows)} if rows else {}
        )
