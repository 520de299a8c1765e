"""What a run may spend: once it is spent, no call is begun."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from pytest_context_bench.errors import BudgetSpentError, InvalidValueError, UnknownCostError
from pytest_context_bench.plain import to_float
from pytest_context_bench.protocols import Example

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
        """Take off what a call took. Raises UnknownCostError where dollars count and nothing tells them."""
        told = output.get("metadata") if isinstance(output, Mapping) else None
        facts = told if isinstance(told, Mapping) else {}
        prompt, completion = self._tokens(facts, example, output)
        cost = to_float(facts.get("cost"))
        if self.price is not None:
            cost = self.price.of(prompt, completion)
        if cost is None and self.max_cost is not None:
            raise UnknownCostError(system)
        with self._lock:
            self.tokens += prompt + completion
            self.cost += cost or 0.0

    def _tokens(self, facts: Mapping[str, Any], example: Example, output: Any) -> tuple[float, float]:
        prompt, completion = (to_float(facts.get(name)) for name in ("prompt_tokens", "completion_tokens"))
        if prompt is None:
            prompt = self._count(example, "context")
        return prompt, self._count(output, "response") if completion is None else completion

    def _count(self, holder: Any, name: str) -> int:
        text = holder.get(name) if isinstance(holder, Mapping) else None
        return self.count(text) if isinstance(text, str) else 0
