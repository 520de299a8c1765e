"""Runs a benchmark from Python, without pytest."""

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pytest_context_bench.calls import Budget, Calls, Rate, open_budget
from pytest_context_bench.catalog import check_baseline_system, find_all, open_dataset, open_systems
from pytest_context_bench.datasets.examples import Examples
from pytest_context_bench.errors import InvalidValueError, NeedsJudgeError
from pytest_context_bench.metrics import default_metrics
from pytest_context_bench.plan import Plan
from pytest_context_bench.protocols import Evaluator, Metric, System, TokenCounter
from pytest_context_bench.results import EvalResult
from pytest_context_bench.tokens import DEFAULT_ENCODING, CachedCounter
from pytest_context_bench.tokens import counter as tiktoken_counter


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
    seed: int | None = None,
    offline: bool = False,
    repeats: int = 1,
    cache: str = "auto",
    rate: str | None = None,
    max_tokens: float | None = None,
    max_cost: float | None = None,
    price: str | None = None,
    baseline_system: str = "",
    keep_texts: int = 0,
) -> EvalResult:
    """Run every system on every example; return the rows, by system and then example, and their summary.

    *dataset* is one data set, or several by name or path. Evaluators default to those of the data set or that
    each example's fields call for, metrics to all that apply. *text_fields* are the fields whose tokens
    count, the context by default. *counter* is a tiktoken encoding or model by name, or an object that
    counts. With *seed*, *max_examples* are sampled, and not the first ones.

    What *cache_dir* keeps from earlier runs is not done again, and what this run adds is kept there; with
    *cache* `refresh` everything is done anew, with `only` no system is called. *max_workers* calls are under
    way at once, and no more than *rate* allows, as `5/s`. After *max_tokens*, or *max_cost* dollars at a
    *price* as `0.15/0.60` for a million tokens of prompt and completion, no call is begun, and the result is
    partial.

    The prompts of the *baseline_system* are those that the others are to reduce. *keep_texts* characters of
    each text of a pair stay in its row.

    An example that fails is a row with `error`. A mistake in the arguments raises ContextBenchError
    before anything runs.
    """
    limits = _positive("max_examples", max_examples), seed
    folding = (
        default_metrics(baseline_system=baseline_system) if metrics is None else find_all("metric", metrics)
    )
    chosen = None if evaluators is None else find_all("evaluator", evaluators)
    opened = open_systems(systems)
    if not opened:
        raise InvalidValueError(
            "systems", systems, "one system or more: a benchmark of nothing proves nothing"
        )
    check_baseline_system(baseline_system, opened)
    counting = tiktoken_counter(counter) if isinstance(counter, str) else CachedCounter(counter)
    opened_data = [open_dataset(one, *limits, offline=offline) for one in _datasets(dataset)]
    for examples in () if chosen else opened_data:
        if examples.needs_judge():
            raise NeedsJudgeError(examples.name)
    plan = Plan(
        opened,
        opened_data,
        folding,
        counting,
        chosen,
        text_fields=(text_fields,) if isinstance(text_fields, str) else tuple(text_fields or ()),
        max_workers=_positive("max_workers", max_workers) or 1,
        repeats=_positive("repeats", repeats) or 1,
        keep_texts=keep_texts,
    )
    with closing(
        open_calls(
            plan,
            cache_dir,
            cache,
            rate=None if rate is None else Rate.parse(rate),
            budget=open_budget(counting.count, max_tokens, max_cost, price),
        )
    ) as calls:
        return plan.run(calls, progress=progress)


def open_calls(
    plan: Plan,
    folder: str | Path | None,
    mode: str,
    *,
    rate: Rate | None = None,
    budget: Budget | None = None,
) -> Calls:
    """Return what makes the calls of *plan*. Raises ContextBenchError for a cache that cannot be used."""
    if folder is None:
        return Calls(None, rate, budget)
    from pytest_context_bench.cache import Cache

    fixed = [one for examples in plan.datasets for one in plan.evaluators or examples.evaluators or ()]
    return Calls(Cache(folder, plan.systems, fixed, mode), rate, budget)


def _datasets(dataset: Any) -> list[Any]:
    """Return the data sets that *dataset* names: several where it is a list of names and paths."""
    several = isinstance(dataset, list | tuple) and bool(dataset)
    named = several and all(isinstance(one, str | os.PathLike | Examples) for one in dataset)
    return list(dataset) if named else [dataset]


def _positive(name: str, value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidValueError(name, value, "a whole number of 1 or more")
    return value
