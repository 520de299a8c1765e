"""The system that cuts the context at a number of tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_context_bench import tokens
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.budget import Budget
from pytest_context_bench.systems.inputs import context

if TYPE_CHECKING:
    import tiktoken

HEAD, TAIL, MIDDLE = SIDES = ("head", "tail", "middle")


@dataclass(frozen=True)
class Truncate:
    """Keeps a share of the context's cl100k_base tokens (*keep* up to 1), or a number of them.

    *side* is what is kept: the `head`, the `tail`, or both ends without the `middle` (as in LongBench).
    """

    keep: float = 0.5
    side: str = HEAD
    name: str = ""

    def __post_init__(self) -> None:
        Budget(self.keep, "truncate: keep")
        if self.side not in SIDES:
            raise InvalidValueError("truncate: side", self.side, f"one of {', '.join(SIDES)}")
        if not self.name:
            side = "" if self.side == HEAD else f"{self.side}:"
            object.__setattr__(self, "name", f"truncate:{side}{self.keep:g}")

    def process(self, example: Example) -> Output:
        """Return the cut context; nothing for an example that has none."""
        text = context(example)
        return {"context": truncate(text, Budget(self.keep), self.side)} if text else {}


def truncate(text: str, budget: Budget, side: str = HEAD) -> str:
    """Cut *text* to its *budget* of cl100k_base tokens, at whole characters."""
    encoding = tokens.encoding()
    encoded = tokens.encode(text, encoding)
    limit = budget.of(len(encoded))
    return text if limit == len(encoded) else cut(encoded, limit, side, encoding)


def cut(encoded: Sequence[int], limit: int, side: str, encoding: "tiktoken.Encoding") -> str:
    """Return the text of *encoded* cut to at most *limit* tokens."""
    kept = limit
    while True:
        ahead = {HEAD: kept, TAIL: 0, MIDDLE: (kept + 1) // 2}[side]
        ends = encoded[:ahead], encoded[len(encoded) - kept + ahead :]
        text = "".join(_decoded(end, encoding) for end in ends)
        excess = len(tokens.encode(text, encoding)) - limit
        if excess <= 0:
            return text
        kept = max(kept - excess, 0)  # where the ends meet, or a character was cut, tokens may be others


def _decoded(encoded: Sequence[int], encoding: "tiktoken.Encoding") -> str:
    return encoding.decode_bytes(encoded).decode("utf-8", "ignore")  # without the rest of a cut character
