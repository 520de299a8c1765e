"""One measured pair."""

from dataclasses import dataclass, field, fields
from typing import Any

from pytest_context_bench.plain import printable, to_plain
from pytest_context_bench.protocols import ExampleId


def plain_id(example_id: ExampleId) -> ExampleId:
    """Return *example_id* as JSON can carry it."""
    return printable(example_id) if isinstance(example_id, str) else int(example_id)


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
        """Return the row as plain JSON. Raises NotJsonError for metadata that JSON cannot carry."""
        return {
            "system": printable(self.system),
            "example_id": plain_id(self.example_id),
            "scores": dict(self.scores),
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "metadata": to_plain(self.metadata, "metadata") if self.metadata else {},
            "latency": self.latency,
            "dataset": printable(self.dataset),
            "error": to_plain(self.error, "error"),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "EvalRow":
        """Return the row that `to_dict` wrote; keys of a newer version are passed over."""
        return cls(**{name: values[name] for name in ROW_FIELDS if name in values})


ROW_FIELDS = tuple(column.name for column in fields(EvalRow))
