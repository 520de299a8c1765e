"""From the records of a run to its result: rows in order, summary, verdicts and notes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_context_bench.differences import compared
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.marker import terms_of
from pytest_context_bench.metrics.latency import seconds_spent
from pytest_context_bench.notes import notes_on, partial_note
from pytest_context_bench.options import setting
from pytest_context_bench.pairing import TESTS, Baseline
from pytest_context_bench.population import Population
from pytest_context_bench.records import UNMEASURED, Record
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_baseline import baseline_of, missing_baseline
from pytest_context_bench.run_verdicts import population_of, verdicts_of
from pytest_context_bench.terms import Terms


@dataclass(frozen=True)
class Conclusion:
    """A finished run: its result and what its tables are drawn from."""

    result: EvalResult
    population: Population
    records: Mapping[str, Record]
    terms: Terms


def conclude(
    config: pytest.Config, finished: Mapping[str, Record], skipped: Sequence[Record], total: int
) -> Conclusion:
    """Fold the *finished* records, by node id, into a result; of *total* pairs, some were *skipped*.

    The order in which the records arrived does not show.
    """
    unmeasured = [record for record in skipped if UNMEASURED in record.row.metadata]
    reasons = dict.fromkeys(str(record.row.metadata[UNMEASURED]) for record in unmeasured)
    skipped = [record for record in skipped if UNMEASURED not in record.row.metadata]
    partial = len(finished) + len(skipped) < total
    in_order = sorted(finished, key=lambda nodeid: (finished[nodeid].test, finished[nodeid].order, nodeid))
    ordered = [finished[nodeid] for nodeid in in_order]
    terms = _shared_terms(config, ordered)
    population = population_of(config, terms, ordered)
    settings = _settings(config, terms, population, ordered, partial=partial)
    settings |= _of_a_part((*ordered, *skipped), len(skipped))
    old = baseline_of(config)
    baseline = None if old is None else Baseline(old.rows, old.config, settings).of(settings[TESTS])
    verdicts = verdicts_of(config, ordered, skipped, population, terms, baseline, partial=partial)
    population.fold()
    summary = population.summary()
    _check_baseline_system(config, population)
    notes = [
        *population.problems,
        *([partial_note(len(ordered), total, *reasons)] if partial else []),
        *([f"{len(skipped)} of {total} pairs were skipped"] if skipped else []),
        *filter(None, [missing_baseline(config)]),
        *notes_on(population.rows, summary, terms.score_field),
    ]
    comparison = compared(str(setting(config, "baseline")), population, baseline) if baseline else None
    result = EvalResult(
        rows=list(population.rows),
        summary=summary,
        timing=seconds_spent(population.rows),
        config=settings,
        verdicts=verdicts,
        notes=notes,
        metrics=population.metrics,
        comparison=comparison,
    )
    return Conclusion(result, population, dict(zip(in_order, ordered, strict=True)), terms)


def _shared_terms(config: pytest.Config, records: Sequence[Record]) -> Terms:
    """Return the score and threshold that all tests share, else those of the run's options."""
    shared = {(record.terms.score_field, record.terms.threshold) for record in records}
    return records[0].terms if len(shared) == 1 else terms_of(config)


def _of_a_part(records: Sequence[Record], skipped: int) -> dict[str, Any]:
    """Return what tells a part from the whole: whether pairs were selected or skipped, what shards are of."""
    data = {whole for terms in {record.terms for record in records} for whole in terms.data}
    told = {
        "narrowed": any(record.narrowed for record in records),
        "skipped": skipped,
        "data": sorted(data),
    }
    return {name: value for name, value in told.items() if value}


def _check_baseline_system(config: pytest.Config, population: Population) -> None:
    """Make a problem of a baseline system that did not run: nothing was compared with it."""
    named = setting(config, "baseline-system")
    if named and population.rows and named not in population.systems():
        population.problems.append(str(UnknownNameError("baseline system", named, population.systems())))


def _settings(
    config: pytest.Config,
    terms: Terms,
    population: Population,
    records: Sequence[Record],
    *,
    partial: bool,
) -> dict[str, Any]:
    return {
        "systems": population.systems(),
        "datasets": population.datasets(),
        "score_field": terms.score_field,
        "threshold": terms.threshold,
        "max_examples": setting(config, "max-examples"),
        "seed": setting(config, "seed"),
        "tokenizer": setting(config, "tokenizer"),
        "text_fields": list(terms.text_fields),
        "metrics": [metric.name for metric in population.metrics],
        **({"shard": "{}/{}".format(*shard)} if (shard := setting(config, "shard")) else {}),
        "repeats": setting(config, "repeats"),
        TESTS: dict(Counter(record.test for record in records)),
        "partial": partial,
    }
