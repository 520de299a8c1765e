"""One pair: an example goes through a system and its evaluators and becomes a row."""

import copy
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from pytest_context_bench.datasets.ids import fingerprint
from pytest_context_bench.errors import (
    BudgetSpentError,
    ConflictingScoresError,
    InvalidScoreError,
    InvalidValueError,
)
from pytest_context_bench.fields import answers
from pytest_context_bench.outputs import check_output, metadata_of, run, warm_up
from pytest_context_bench.plain import printable, same, to_float, to_plain, worded
from pytest_context_bench.protocols import Evaluator, Example, Explains, Scores, System, TokenCounter
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.tokens import DEFAULT_FIELDS, count_fields, texts

PRIMARY = "score"
SCORED = "scored"  # metadata that tells a row whose context was scored, for want of a response
TEXTS = "texts"  # metadata that holds the texts of a pair, where they are kept
CACHED = "cached"  # metadata that tells a row whose output was kept from an earlier run


@dataclass(frozen=True)
class Scoring:
    """How a pair is measured; *primary* names the score that `score` repeats.

    *text_fields* are the fields whose tokens count: none for the context, `*` for every string. *keep_texts*
    characters of each text stay in the row, and with *fingerprint* what tells an edited example.
    """

    evaluators: Sequence[Evaluator]
    counter: TokenCounter
    text_fields: Sequence[str] = ()
    primary: str | None = None
    keep_texts: int = 0
    fingerprint: bool = False

    def count(self, example: Example) -> int:
        """Count the tokens of the text fields of *example*."""
        return count_fields(example, self.text_fields, self.counter)


@dataclass(frozen=True)
class Processed:
    """An example with a system's output laid over it, and the seconds that took.

    *unscored* is the same without the response that stands for a context, which is not to be counted twice.
    """

    example: dict[str, Any]
    latency: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    unscored: Mapping[str, Any] | None = None


class Steps(Protocol):
    """What does the steps of a pair in another way: kept ones again, in turn, ahead of time."""

    def process(self, system: System, example: Example, repeat: int) -> Processed:
        """Do as `process`, for one of the repeats of a pair."""
        ...

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return how to score."""
        ...


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


def attempt_pair(
    system: System, example: Example, scoring: Scoring, steps: Steps | None = None, repeat: int = 0
) -> tuple[EvalRow, BaseException | None]:
    """Measure one pair; return its row and what went wrong, if something did.

    Raises BudgetSpentError alone: a pair that was not begun has no row.
    """
    row = begun_row(system.name, example, scoring, repeat)
    doing = steps.scoring(scoring) if steps else scoring
    started = time.perf_counter()
    try:
        row.input_tokens = doing.count(example)
        started = time.perf_counter()
        processed = steps.process(system, example, repeat) if steps else process(system, example)
        fill(row, processed, doing)
        row.scores = score(example, processed.example, doing)
        row.metadata.update(explain(example, processed.example, scoring))
        if scoring.keep_texts:
            row.metadata[TEXTS] = kept_texts(example, processed.example, scoring.keep_texts)
    except BudgetSpentError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any failure of a system or evaluator is this row's
        row.error = worded(error)
        row.latency = row.latency or time.perf_counter() - started
        return row, error
    return row, None


def begun_row(system: str, example: Example, scoring: Scoring, repeat: int = 0) -> EvalRow:
    """Return the row of a pair that is to be measured, with what tells an edited example if that is kept."""
    row = empty_row(system, example, repeat)
    if scoring.fingerprint:
        row.fingerprint = fingerprint(example)
    return row


def empty_row(system: str, example: Example, repeat: int = 0) -> EvalRow:
    """Return the row of a pair before anything is known of it."""
    dataset = _plain_name(str(example.get("dataset") or ""))
    found = to_plain(example.get("id", ""))
    return EvalRow(_plain_name(system), found, {}, 0, 0, dataset=dataset, repeat=repeat)


def fill(row: EvalRow, processed: Processed, scoring: Scoring) -> None:
    """Set what *processed* says: latency, tokens, metadata. Raises NotJsonError for odd metadata."""
    row.latency = processed.latency
    row.output_tokens = scoring.count(processed.unscored or processed.example)
    row.metadata = to_plain(processed.metadata, "metadata") if processed.metadata else {}


def process(system: System, example: Example) -> Processed:
    """Run *system* on its own copy of *example* and lay what it returns over the original.

    Raises InvalidOutputError for an output that is not a dict, or whose response is not text.
    """
    return overlay(system.name, example, *call(system, example))


def call(system: System, example: Example) -> tuple[Any, float]:
    """Return what *system* makes of its own copy of *example*, and the seconds that takes."""
    given = copy.deepcopy(dict(example))  # a system that changes its argument must not change the original
    warm_up(system)
    started = time.perf_counter()
    output = run(system, given)
    return output, time.perf_counter() - started


def overlay(system: str, example: Example, output: Any, latency: float = 0.0) -> Processed:
    """Lay *output* over *example*; where it has no response, its context is what will be scored."""
    check_output(system, output)
    metadata = metadata_of(output)
    overlaid = {**example, **output}
    if "response" in output:
        return Processed({**overlaid, "response": output["response"] or ""}, latency, metadata)
    # A compressor: does the answer survive in what it made of the context?
    context = "\n".join(texts([overlaid.get(name) for name in DEFAULT_FIELDS]))
    return Processed({**overlaid, "response": context}, latency, {**metadata, SCORED: "context"}, overlaid)


def score(example: Example, processed: Example, scoring: Scoring) -> Scores:
    """Return the scores of all evaluators, `score` among them.

    Raises InvalidScoreError or InvalidValueError for what is no number or no dict of them, and
    ConflictingScoresError where two evaluators disagree on a key.
    """
    scores: Scores = {}
    owners: dict[str, str] = {}
    for evaluator in scoring.evaluators:
        for key, number in _numbers(evaluator.name, evaluator.score(example, processed)).items():
            if not same(scores.setdefault(key, number), number):
                raise ConflictingScoresError(key, owners[key], evaluator.name, (scores[key], number))
            owners.setdefault(key, evaluator.name)
    return with_primary(scores, scoring.primary)


def explain(example: Example, processed: Example, scoring: Scoring) -> dict[str, Any]:
    """Return what the evaluators note of how they read the response, as plain JSON."""
    explaining = (evaluator for evaluator in scoring.evaluators if hasattr(evaluator, "notes"))
    noted = [one.notes(example, processed) for one in explaining if isinstance(one, Explains)]
    return {key: to_plain(value, f"note {key!r}") for notes in noted for key, value in notes.items()}


def kept_texts(example: Example, processed: Example, longest: int) -> dict[str, str]:
    """Return the texts of a pair as reports show them, each cut to its *longest*."""
    found = {
        "question": example.get("question"),
        "answer": answers(example),
        "context": example.get("context"),
        "processed": processed.get("context"),
        "response": processed.get("response"),
    }
    joined = {name: "\n".join(texts([value])) for name, value in found.items()}
    return {name: _cut(text, longest) for name, text in joined.items() if text}


def with_primary(scores: Scores, primary: str | None) -> Scores:
    """Return *scores* with `score`: the *primary* one, else the first that was given."""
    if not scores or PRIMARY in scores:
        return scores
    named = primary if primary in scores else next(iter(scores))
    return {**scores, PRIMARY: scores[named]}


def to_number(evaluator: str, key: str, value: Any) -> float:
    """Return a score as a float: numpy scalars, Decimal, Fraction and Enum are. Raises InvalidScoreError."""
    number = to_float(value)
    if number is None:
        raise InvalidScoreError(evaluator, key, value)
    return number


def _numbers(evaluator: str, scores: Any) -> Scores:
    """Return what an evaluator gave as plain numbers; null stands for a score that does not apply."""
    if not isinstance(scores, Mapping):
        kind = type(scores).__name__
        raise InvalidValueError(f"what evaluator {evaluator!r} scores", kind, "a dict of numbers")
    return {
        printable(str(key)): to_number(evaluator, key, value)
        for key, value in scores.items()
        if value is not None
    }


def _cut(text: str, longest: int) -> str:
    rest = len(text) - longest
    return printable(text if rest <= 0 else f"{text[:longest]} … and {rest:,} characters more")


@lru_cache(maxsize=256)
def _plain_name(name: str) -> str:  # the names of systems and data sets are the same in row after row
    return str(to_plain(name))
