"""One pair: an example goes through a system and its evaluators and becomes a row."""

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

from pytest_context_bench.errors import ConflictingScoresError, InvalidOutputError, InvalidScoreError
from pytest_context_bench.plain import printable, to_plain
from pytest_context_bench.protocols import Evaluator, Example, Scores, System, TokenCounter
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.tokens import count_fields

PRIMARY = "score"
SCORED = "scored"  # metadata that tells a row whose context was scored, for want of a response


@dataclass(frozen=True)
class Scoring:
    """How a pair is measured; *primary* names the score that `score` repeats.

    *text_fields* are the fields whose tokens count: none for the context, `*` for every string.
    """

    evaluators: Sequence[Evaluator]
    counter: TokenCounter
    text_fields: Sequence[str] = ()
    primary: str | None = None

    def count(self, example: Example) -> int:
        """Count the tokens of the text fields of *example*."""
        return count_fields(example, self.text_fields, self.counter)


@dataclass(frozen=True)
class Processed:
    """An example with a system's output laid over it, and the seconds that took."""

    example: dict[str, Any]
    latency: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)


def run_pair(
    system: System,
    example: Example,
    evaluators: Sequence[Evaluator],
    counter: TokenCounter,
    *,
    text_fields: Sequence[str] = (),
    primary: str | None = None,
) -> EvalRow:
    """Measure one pair. Whatever fails is the row's error, never an exception."""
    row, _ = attempt_pair(system, example, Scoring(evaluators, counter, text_fields, primary))
    return row


def attempt_pair(system: System, example: Example, scoring: Scoring) -> tuple[EvalRow, Exception | None]:
    """Measure one pair; return its row and what went wrong, if something did."""
    row = empty_row(system.name, example)
    started = time.perf_counter()
    try:
        row.input_tokens = scoring.count(example)
        started = time.perf_counter()
        processed = process(system, example)
        fill(row, processed, scoring)
        row.scores = score(example, processed.example, scoring)
    except Exception as error:  # noqa: BLE001 - any failure of a system or evaluator is this row's
        row.error = worded(error)
        row.latency = row.latency or time.perf_counter() - started
        return row, error
    return row, None


def empty_row(system: str, example: Example) -> EvalRow:
    """Return the row of a pair before anything is known of it."""
    dataset = printable(example.get("dataset") or "")
    return EvalRow(printable(system), example.get("id", ""), {}, 0, 0, dataset=dataset)


def fill(row: EvalRow, processed: Processed, scoring: Scoring) -> None:
    """Set what *processed* says: latency, tokens, metadata. Raises NotJsonError for odd metadata."""
    row.latency = processed.latency
    row.output_tokens = scoring.count(processed.example)
    row.metadata = to_plain(processed.metadata, "metadata") if processed.metadata else {}


def process(system: System, example: Example) -> Processed:
    """Run *system* on its own copy of *example* and lay what it returns over the original.

    Raises InvalidOutputError for an output that is not a dict, or whose response is not text.
    """
    call = _call(system, example)
    started = time.perf_counter()
    output = call()
    latency = time.perf_counter() - started
    return overlay(system.name, example, output, latency)


def overlay(system: str, example: Example, output: Any, latency: float = 0.0) -> Processed:
    """Lay *output* over *example*; where it has no response, its context is what will be scored."""
    _check(system, output)
    metadata = dict(output.get("metadata") or {}) if isinstance(output.get("metadata"), Mapping) else {}
    overlaid = {**example, **output}
    if "response" in output:
        overlaid["response"] = output["response"] or ""
    else:  # a compressor: does the answer survive in what it made of the context?
        overlaid["response"] = _as_text(overlaid.get("context"))
        metadata[SCORED] = "context"
    return Processed(overlaid, latency, metadata)


def score(example: Example, processed: Example, scoring: Scoring) -> Scores:
    """Return the scores of all evaluators, `score` among them.

    Raises InvalidScoreError, or ConflictingScoresError where two disagree on a key.
    """
    scores: Scores = {}
    owners: dict[str, str] = {}
    for evaluator in scoring.evaluators:
        for key, value in evaluator.score(example, processed).items():
            if value is None:  # a score that does not apply
                continue
            number = to_number(evaluator.name, key, value)
            if key in scores and scores[key] != number:
                raise ConflictingScoresError(key, owners[key], evaluator.name, (scores[key], number))
            scores[key] = number
            owners.setdefault(key, evaluator.name)
    return with_primary(scores, scoring.primary)


def with_primary(scores: Scores, primary: str | None) -> Scores:
    """Return *scores* with `score`: the *primary* one, else the first that was given."""
    if not scores or PRIMARY in scores:
        return scores
    named = primary if primary in scores else next(iter(scores))
    return {**scores, PRIMARY: scores[named]}


def worded(error: BaseException) -> str:
    """Word an exception in one printable text, without secrets."""
    text = f"{type(error).__name__}: {error}".strip().removesuffix(":")
    return str(to_plain(text))


def to_number(evaluator: str, key: str, value: Any) -> float:
    """Return a score as a float: numpy scalars, Decimal, Fraction and Enum are. Raises InvalidScoreError."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, float | int | Decimal | Fraction) or (
        hasattr(value, "__float__") and not isinstance(value, str)
    ):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidScoreError(evaluator, key, value) from error
    raise InvalidScoreError(evaluator, key, value)


def _call(system: System, example: Example) -> Callable[[], Any]:
    given = copy.deepcopy(dict(example))  # a system that changes its argument must not change the original
    if example.get("multi_turn") and "turns" in example:
        converse = getattr(system, "process_conversation", None)
        if converse is not None:
            return lambda: _conversation(converse(given["turns"]))
    return lambda: system.process(given)


def _conversation(replies: Sequence[Any]) -> dict[str, Any]:
    texts = [reply.get("content") or "" if isinstance(reply, Mapping) else reply for reply in replies]
    return {"response": texts[-1] if texts else "", "turn_responses": texts}


def _check(system: str, output: Any) -> None:
    if not isinstance(output, Mapping):
        kind = type(output).__name__
        raise InvalidOutputError(system, f"process() must return a dict, not {kind}")
    response = output.get("response")
    if response is not None and not isinstance(response, str):
        raise InvalidOutputError(system, f"the response must be text, not {type(response).__name__}")


def _as_text(context: Any) -> str:
    if isinstance(context, str):
        return context
    if isinstance(context, list | tuple):
        return "\n".join(map(_as_text, context))
    return "" if context is None else str(context)
