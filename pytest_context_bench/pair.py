"""The fixture `context_bench`: one pair, run whole or step by step."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NoReturn

import pytest

from pytest_context_bench import pipeline
from pytest_context_bench.caller import PairSteps, caller_key
from pytest_context_bench.cases import Case, unmeasured
from pytest_context_bench.catalog import find_all
from pytest_context_bench.errors import BudgetSpentError, InvalidValueError
from pytest_context_bench.fixtures import pair_key
from pytest_context_bench.gates import shown
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.options import setting
from pytest_context_bench.plain import worded
from pytest_context_bench.protocols import Evaluator, System, TokenCounter
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.tokens import counter

_counter_key = pytest.StashKey[TokenCounter]()


class ContextBench:
    """One (system, example) pair. `run` is all of it; the other methods are its steps."""

    def __init__(
        self,
        case: Case,
        scoring: pipeline.Scoring,
        steps: PairSteps,
        read: Callable[[], dict[str, Any]],
    ) -> None:
        self._case = case
        self._scoring = scoring
        self._steps = steps
        self._read = read
        self._processed: pipeline.Processed | None = None
        self.row: EvalRow | None = None
        self.unmeasured = ""  # why there is no row, where that is not for the test to say

    @property
    def system(self) -> System:
        """The system of the pair."""
        return self._case.system

    @property
    def dataset(self) -> str:
        """The name of the data set."""
        return self._case.examples.name

    @cached_property
    def example(self) -> dict[str, Any]:
        """The example, read on first use; one that cannot be read is an error like any other of its pair."""
        with self._tolerating():
            return self._read()

    def run(self) -> EvalRow:
        """Process, count, score and record; return the row.

        Fails the test where the system or an evaluator raises, and, if the run is strict, where the score
        is below the threshold. An error that the run tolerates ends the test as one.
        """
        self._processed = None
        with self._within_budget():
            self.row, error = pipeline.attempt_pair(
                self.system, self.example, self._scoring, self._steps, self._case.repeat
            )
        self._steps.warn()
        if error is not None:
            self._end_with(error)
        self._check_strictly(self.row)
        return self.row

    def process(self) -> dict[str, Any]:
        """Run the system; return its output, laid over the example."""
        with self._within_budget(), self._tolerating():
            self._processed = self._steps.process(self.system, self.example, self._case.repeat)
        self._steps.warn()
        return self._processed.example

    def score(self, output: Mapping[str, Any]) -> dict[str, float]:
        """Return the scores of *output*, laid over the example; record nothing."""
        with self._tolerating():
            processed = pipeline.overlay(self.system.name, self.example, output)
            return pipeline.score(self.example, processed.example, self._steps.scoring(self._scoring))

    def record(self, **scores: Any) -> EvalRow:
        """Record the row of this pair with *scores*, added to those recorded before; return it.

        Tokens and latency are those of the last `run` or `process`; without one the context counts as
        unchanged. None is a score that does not apply.
        """
        row = self.row
        if row is None or self._processed is not None:
            row = row or pipeline.begun_row(self.system.name, self.example, self._scoring, self._case.repeat)
            row.input_tokens = self._scoring.count(self.example)
            pipeline.fill(row, self._processed or pipeline.Processed(self.example), self._scoring)
        row.scores = self._joined(row.scores, scores)
        self.row = row
        self._check_strictly(row)
        return row

    def _joined(self, known: Mapping[str, float], added: Mapping[str, Any]) -> dict[str, float]:
        """Return the *known* and the *added* scores; `score` follows the one that it repeats."""
        primary = self._scoring.primary
        named = {key: value for key, value in known.items() if key != pipeline.PRIMARY}
        numbers = {
            key: pipeline.to_number("record()", key, value)
            for key, value in added.items()
            if value is not None
        }
        kept = named if pipeline.with_primary(named, primary) == known else known
        return pipeline.with_primary({**kept, **numbers}, primary)

    @contextmanager
    def _tolerating(self) -> Iterator[None]:
        """Record an error within, and end the test with it, if the run tolerates errors."""
        try:
            yield
        except BudgetSpentError:
            raise
        except Exception as error:
            if not self._case.terms.tolerant:
                raise
            self.row = self.row or unmeasured(self._case)
            self.row.error = worded(error)
            self._end_with(error)

    @contextmanager
    def _within_budget(self) -> Iterator[None]:
        """Skip the test if its call is one that the run may not make any more."""
        try:
            yield
        except BudgetSpentError as error:
            self.unmeasured = str(error)
            pytest.skip(self.unmeasured)

    def _end_with(self, error: BaseException) -> NoReturn:
        if self._case.terms.tolerant:
            pytest.skip(f"error, to be judged at the end: {worded(error)}")
        raise error

    def _check_strictly(self, row: EvalRow) -> None:
        terms = self._case.terms
        value = row.scores.get(terms.score_field)
        if terms.strict and value is not None and not passes(row, terms.score_field, terms.threshold):
            figure = shown(value, ">=", terms.threshold)
            pytest.fail(
                f"below the threshold: {terms.score_field}={figure} < {terms.threshold:g}", pytrace=False
            )


def pair_of(
    item: pytest.Item,
    case: Case,
    evaluators: Sequence[Evaluator | str],
    read: Callable[[], dict[str, Any]],
) -> ContextBench:
    """Return the pair of the test *item*, which *read* gives the example of; leave it for its reports."""
    if isinstance(evaluators, str) or not isinstance(evaluators, Iterable):
        raise InvalidValueError("fixture context_bench_evaluators", evaluators, "a list of evaluators")
    chosen = find_all("evaluator", evaluators)
    terms = case.terms
    scoring = pipeline.Scoring(
        chosen,
        _counter(item.config),
        terms.text_fields,
        case.examples.primary,
        terms.keep_texts,
        terms.fingerprint,
    )
    caller = item.config.stash[caller_key]
    caller.begin(item)  # now that the vocabulary is loaded, which would show in the latency of calls
    pair = ContextBench(case, scoring, PairSteps(caller, item), read)
    item.stash[pair_key] = pair
    return pair


def _counter(config: pytest.Config) -> TokenCounter:
    """Return the token counter of the run."""
    if _counter_key not in config.stash:
        config.stash[_counter_key] = counter(setting(config, "tokenizer"))
    return config.stash[_counter_key]
