"""What a run may spend: once it is spent, no call is begun."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from threading import Lock
from typing import Any

from pytest_context_bench.errors import BudgetSpentError, InvalidValueError, UnknownCostError
from pytest_context_bench.plain import to_float
from pytest_context_bench.protocols import Example
from pytest_context_bench.systems.pipeline import COMPRESSOR
from pytest_context_bench.tokens import texts

EXPECTED = "dollars for a million prompt tokens and a million completion tokens, as 0.15/0.60"
_SYNTAX = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*/\s*([0-9]*\.?[0-9]+)\s*")
_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens of the prompt, and of the completion."""

    prompt: float
    completion: float

    @classmethod
    def parse(cls, text: str, *, where: str = "price") -> "Price":
        """Read `0.15/0.60`. Raises InvalidValueError."""
        match = _SYNTAX.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise InvalidValueError(where, text, EXPECTED)
        return cls(float(match[1]), float(match[2]))

    def of(self, prompt: float, completion: float) -> float:
        """Return the dollars that so many tokens cost."""
        return (prompt * self.prompt + completion * self.completion) / _MILLION


@dataclass(eq=False)
class Budget:
    """The tokens and dollars that calls may take; threads may share it.

    Tokens are those the system reports (`prompt_tokens`, `completion_tokens` in its metadata), else *count*
    of the context and the response. Dollars come of the *price*, else of a reported `cost`.
    """

    max_tokens: float | None
    max_cost: float | None
    count: Callable[[str], int]
    price: Price | None = None
    tokens: float = field(default=0.0, init=False)
    cost: float = field(default=0.0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def admit(self) -> None:
        """Raise BudgetSpentError where there is nothing left for another call."""
        for spent, most, unit in (
            (self.tokens, self.max_tokens, "tokens"),
            (self.cost, self.max_cost, "dollars"),
        ):
            if most is not None and spent >= most:
                raise BudgetSpentError(spent, most, unit)

    def spend(self, system: str, example: Example, output: Any) -> None:
        """Take off what a call took.

        Raises UnknownCostError where dollars count and nothing tells them; no call is admitted after that.
        """
        reported = _reported(output)
        prompt = _sum(reported, "prompt_tokens", lambda: self._count(example, "context", "turns"))
        completion = _sum(reported, "completion_tokens", lambda: self._count(output, "response"))
        if self.price is not None:
            cost = self.price.of(prompt, completion)
        else:
            cost = _sum(reported, "cost", lambda: inf if self.max_cost is not None else 0.0)
        with self._lock:
            self.tokens += prompt + completion
            self.cost += cost
        if cost == inf:
            raise UnknownCostError(system)

    def _count(self, holder: Any, *names: str) -> int:
        found = [holder.get(name) for name in names] if isinstance(holder, Mapping) else []
        return sum(map(self.count, texts(found)))


def open_budget(
    count: Callable[[str], int], max_tokens: float | None, max_cost: float | None, price: str | None
) -> Budget | None:
    """Return what a run may spend, if that is bounded. Raises InvalidValueError."""
    for name, most in (("max_tokens", max_tokens), ("max_cost", max_cost)):
        if most is not None and not most > 0:
            raise InvalidValueError(name, most, "a number above 0")
    cost = None if price is None else Price.parse(price)
    unbounded = max_tokens is None and max_cost is None
    return None if unbounded else Budget(max_tokens, max_cost, count, cost)


def _reported(output: Any) -> list[Mapping[str, Any]]:
    """Return the metadata of *output*, and those of a pipeline's compressor: it is paid for too."""
    facts = output.get("metadata") if isinstance(output, Mapping) else None
    if not isinstance(facts, Mapping):
        return []
    return [part for part in (facts, facts.get(COMPRESSOR)) if isinstance(part, Mapping)]


def _sum(reported: Sequence[Mapping[str, Any]], name: str, estimate: Callable[[], float]) -> float:
    """Return the sum of the figures that are *reported*, else the *estimate*."""
    figures = [figure for facts in reported if (figure := to_float(facts.get(name))) is not None]
    told = [figure for figure in figures if figure >= 0]  # nothing is cheaper than free, and NaN is no figure
    return sum(told) if told else estimate()
