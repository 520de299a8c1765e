"""The four pluggable kinds, and the plain dicts that pass between them. Implement; never subclass."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from pytest_context_bench.rows import EvalRow

Example: TypeAlias = Mapping[str, Any]
Output: TypeAlias = dict[str, Any]
Scores: TypeAlias = dict[str, float]
Summary: TypeAlias = dict[str, Scores]
ExampleId: TypeAlias = str | int


@runtime_checkable
class System(Protocol):
    """Turns an example into an output: what it returns is laid over the example."""

    @property
    def name(self) -> str: ...
    def process(self, example: Example) -> Output: ...


@runtime_checkable
class Conversational(Protocol):
    """A system that answers multi-turn examples turn by turn."""

    def process_conversation(self, turns: Sequence[Any]) -> Sequence[Any]:
        """Return one reply a user turn, each a text or a dict with `content` and perhaps `metadata`.

        A further parameter named `example` is given the whole example, as its context.
        """
        ...


@runtime_checkable
class Evaluator(Protocol):
    """Compares an output with its example; gives no key where a score does not apply."""

    @property
    def name(self) -> str: ...
    def score(self, original: Example, processed: Example) -> Scores: ...


@runtime_checkable
class Explains(Protocol):
    """An evaluator that also says how it read a response; the row keeps that as metadata."""

    def notes(self, original: Example, processed: Example) -> Mapping[str, Any]: ...


@runtime_checkable
class Metric(Protocol):
    """Folds the rows of one system into named figures; gives no key over no values."""

    @property
    def name(self) -> str: ...
    def compute(self, rows: "Sequence[EvalRow]") -> Scores: ...


@runtime_checkable
class SystemRanking(Protocol):
    """A metric that also compares systems with each other, once every summary is known."""

    @property
    def name(self) -> str: ...
    def rank(self, summary: Summary) -> Mapping[str, float]: ...


@runtime_checkable
class SystemComparison(Protocol):
    """A metric that also sets the rows of systems beside each other's."""

    @property
    def name(self) -> str: ...
    def compare(self, rows: "Mapping[str, Sequence[EvalRow]]") -> Mapping[str, Scores]: ...


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of one text."""

    @property
    def name(self) -> str: ...
    def count(self, text: str) -> int: ...
