"""One measured pair."""

from dataclasses import dataclass, field, fields
from typing import Any

from pytest_context_bench.plain import to_plain
from pytest_context_bench.protocols import ExampleId


@dataclass
class EvalRow:
    """One (system, example) pair: its scores, tokens before and after, and the seconds `process` took.

    A row with *error* set counts as not passing and as 0 in means.
    """

    system: str
    example_id: ExampleId
    scores: dict[str, float]
    input_tokens: int
    output_tokens: int
    metadata: dict[str, Any] = field(default_factory=dict)
    latency: float = 0.0
    dataset: str = ""
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain JSON. Raises NotJsonError for what JSON cannot carry."""
        plain: dict[str, Any] = to_plain(self, "row")
        return plain

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "EvalRow":
        """Return the row that `to_dict` wrote; keys of a newer version are passed over."""
        return cls(**{name: values[name] for name in ROW_FIELDS if name in values})


ROW_FIELDS = tuple(column.name for column in fields(EvalRow))
