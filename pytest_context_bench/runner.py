"""Runs a benchmark from Python, without pytest."""

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_context_bench.catalog import find_all, open_dataset, open_systems
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.excerpt import one_line
from pytest_context_bench.metrics import CostOfPass, PassRate, default_metrics, summarize
from pytest_context_bench.notes import notes_on
from pytest_context_bench.pipeline import empty_row, run_pair
from pytest_context_bench.plain import to_plain, worded
from pytest_context_bench.protocols import Evaluator, Metric, System, TokenCounter
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow
from pytest_context_bench.tokens import DEFAULT_ENCODING, CachedCounter
from pytest_context_bench.tokens import counter as tiktoken_counter

if TYPE_CHECKING:
    from pytest_context_bench.cache import Cache


def evaluate(  # noqa: PLR0913, PLR0917 - every argument is one that users of the field expect
    systems: System | str | Iterable[System | str],
    dataset: str | Path | Iterable[Any],
    evaluators: Sequence[Evaluator | str] | None = None,
    metrics: Sequence[Metric | str] | None = None,
    max_examples: int | None = None,
    progress: bool = True,  # noqa: FBT001, FBT002 - see above
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | Path | None = None,
    *,
    counter: TokenCounter | str = DEFAULT_ENCODING,
) -> EvalResult:
    """Run every system on every example; return the rows, by system and then example, and their summary.

    Evaluators default to those that each example's fields call for, metrics to all that apply.
    *text_fields* are the fields whose tokens count, the context by default. *counter* is a tiktoken
    encoding or model by name, or an object that counts. What *cache_dir* keeps from earlier runs is not
    done again, and what this run adds is kept there.

    An example that fails is a row with `error`. A mistake in the arguments raises ContextBenchError
    before anything runs.
    """
    run = _Run(
        open_dataset(dataset, _positive("max_examples", max_examples)),
        None if evaluators is None else find_all("evaluator", evaluators),
        (text_fields,) if isinstance(text_fields, str) else tuple(text_fields or ()),
        _counter(counter),
        _positive("max_workers", max_workers) or 1,
    )
    opened = open_systems(systems)
    if not opened:
        raise InvalidValueError(
            "systems", systems, "one system or more: a benchmark of nothing proves nothing"
        )
    folding = default_metrics() if metrics is None else find_all("metric", metrics)
    with _opened_cache(cache_dir, opened, run.evaluators or run.examples.evaluators) as cache:
        rows, timing = replace(run, cache=cache).measure(opened, progress=progress)
    summary, problems = summarize(rows, folding)
    return EvalResult(
        rows,
        summary,
        timing,
        run.config(opened, folding),
        notes=[
            *problems,
            *notes_on(rows, summary, *_score_fields(folding)),
            *(cache.problems() if cache else ()),
        ],
        metrics=folding,
    )


@dataclass(frozen=True)
class _Run:
    examples: Examples
    evaluators: Sequence[Evaluator] | None
    text_fields: Sequence[str]
    counter: TokenCounter
    max_workers: int
    cache: "Cache | None" = None

    def measure(self, systems: Sequence[System], *, progress: bool) -> tuple[list[EvalRow], dict[str, float]]:
        """Return all rows and the seconds that each system took."""
        from tqdm import tqdm

        rows: list[EvalRow] = []
        timing: dict[str, float] = {}
        with tqdm(total=len(systems) * len(self.examples), unit="pair", disable=not progress) as bar:
            for system in systems:
                name = str(to_plain(system.name))
                bar.set_description(one_line(name))
                started = time.perf_counter()
                for row in self._rows(system):
                    rows.append(row)
                    bar.update()
                timing[name] = time.perf_counter() - started
        return rows, timing

    def config(self, systems: Sequence[System], metrics: Sequence[Metric]) -> dict[str, Any]:
        """Return the settings that a reader of the result needs."""
        return {
            "systems": [system.name for system in systems],
            "dataset": self.examples.name,
            "num_examples": len(self.examples),
            "evaluators": None if self.evaluators is None else [one.name for one in self.evaluators],
            "metrics": [metric.name for metric in metrics],
            **_terms(metrics),
            "text_fields": list(self.text_fields),
            "tokenizer": self.counter.name,
            "max_workers": self.max_workers,
        }

    def _rows(self, system: System) -> Iterator[EvalRow]:
        indexes = range(len(self.examples))
        if self.max_workers == 1:
            yield from (self._row(system, index) for index in indexes)
            return
        executor = ThreadPoolExecutor(self.max_workers)
        try:
            yield from executor.map(lambda index: self._row(system, index), indexes)
        finally:  # an interrupt lets pairs that have begun finish, and begins no more
            executor.shutdown(cancel_futures=True)

    def _row(self, system: System, index: int) -> EvalRow:
        try:
            example = self.examples[index]
            evaluators = self.examples.evaluators_for(example) if self.evaluators is None else self.evaluators
        except Exception as error:  # noqa: BLE001 - a file may change while the run lasts
            known = {"id": self.examples.ids[index], "dataset": self.examples.name}
            return replace(empty_row(system.name, known), error=worded(error))
        return run_pair(
            system,
            example,
            evaluators,
            self.counter,
            text_fields=self.text_fields,
            primary=self.examples.primary,
            cache=self.cache,
        )


def _opened_cache(
    folder: str | Path | None, systems: Sequence[System], evaluators: Sequence[Evaluator] | None
) -> "AbstractContextManager[Cache | None]":
    if folder is None:
        return nullcontext()
    from pytest_context_bench.cache import Cache

    return Cache(folder, systems, evaluators or ())


def _score_fields(metrics: Sequence[Metric]) -> list[str]:
    """Return the scores that metrics fold."""
    folded = (getattr(metric, "score_field", None) for metric in metrics)
    return list(dict.fromkeys(field for field in folded if isinstance(field, str)))


def _terms(metrics: Sequence[Metric]) -> dict[str, Any]:
    """Return the score and threshold that decide whether a row passes, if a metric asks."""
    judging = next((metric for metric in metrics if isinstance(metric, PassRate | CostOfPass)), None)
    return {"score_field": judging.score_field, "threshold": judging.threshold} if judging else {}


def _counter(counter: TokenCounter | str) -> TokenCounter:
    return tiktoken_counter(counter) if isinstance(counter, str) else CachedCounter(counter)


def _positive(name: str, value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidValueError(name, value, "a whole number of 1 or more")
    return value
