"""One measured pair."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pytest_context_bench.errors import NotJsonError, brief
from pytest_context_bench.plain import printable, to_float, to_plain
from pytest_context_bench.protocols import ExampleId
from pytest_context_bench.redact import masker


@dataclass
class EvalRow:
    """One (system, example) pair: its scores, tokens before and after, and the seconds `process` took.

    A row with *error* set counts as not passing and as 0 in means. *repeat* counts the measurements of the
    same pair, from 0. *fingerprint* tells whether the example is still the same, where that is asked for.
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
    repeat: int = 0
    fingerprint: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain JSON. Raises where somebody made of it what JSON cannot carry."""
        mask = masker()  # one for the row: each looks through the environment
        return {
            "system": _text(self.system, mask),
            "example_id": to_plain(self.example_id, "example_id", mask),
            "scores": {
                _text(key, mask): _number(value, f"scores[{key!r}]") for key, value in self.scores.items()
            },
            "input_tokens": int(self.input_tokens),
            "output_tokens": int(self.output_tokens),
            "metadata": to_plain(self.metadata, "metadata", mask) if self.metadata else {},
            "latency": _number(self.latency, "latency"),
            "dataset": _text(self.dataset, mask),
            "error": None if self.error is None else _text(str(self.error), mask),
            "repeat": int(self.repeat),
            "fingerprint": str(self.fingerprint),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "EvalRow":
        """Return the row that `to_dict` wrote; keys of a newer version are passed over.

        Raises TypeError for values that are none of a row's.
        """
        known = {name: values[name] for name in ROW_FIELDS if name in values}
        odd = [name for name, value in known.items() if not isinstance(value, KINDS[name])]
        if odd or not all(isinstance(score, int | float) for score in known.get("scores", {}).values()):
            name = odd[0] if odd else "a score"
            raise TypeError(f"{name} of a row is {brief(known.get(name, known['scores']))}")
        return cls(**known)


def _text(value: Any, mask: Callable[[str], str]) -> str:
    if not isinstance(value, str):
        raise NotJsonError("a name in the row", value)
    return mask(printable(value))


def _number(value: Any, where: str) -> float:
    number = to_float(value)
    if number is None:
        raise NotJsonError(where, value)
    return number


KINDS: Mapping[str, Any] = {
    "system": str,
    "example_id": str | int | float | None,
    "scores": dict,
    "input_tokens": int,
    "output_tokens": int,
    "metadata": dict,
    "latency": int | float,
    "dataset": str,
    "error": str | None,
    "repeat": int,
    "fingerprint": str,
}
"""What JSON holds for each field of a row."""
ROW_FIELDS = tuple(column.name for column in fields(EvalRow))
