"""From the records of a run to its result: rows in order, summary, verdicts and notes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_context_bench.differences import compared
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.gates import Gate, Verdict
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.marker import terms_of
from pytest_context_bench.must_pass import judge_must_pass
from pytest_context_bench.notes import notes_on
from pytest_context_bench.options import setting
from pytest_context_bench.pairing import TESTS, Baseline
from pytest_context_bench.population import Population
from pytest_context_bench.records import UNMEASURED, Record
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_baseline import baseline_of, missing_baseline
from pytest_context_bench.run_gates import run_gates, run_metrics, run_must_pass
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
    skipped = [record for record in skipped if UNMEASURED not in record.row.metadata]
    reasons = dict.fromkeys(str(record.row.metadata[UNMEASURED]) for record in unmeasured)
    partial = len(finished) + len(skipped) < total
    in_order = sorted(finished, key=lambda nodeid: (finished[nodeid].test, finished[nodeid].order, nodeid))
    ordered = [finished[nodeid] for nodeid in in_order]
    terms = _shared_terms(config, ordered)
    population = _population(config, terms, ordered)
    settings = _settings(config, terms, population, ordered, partial=partial)
    settings |= _of_a_part((*ordered, *skipped), len(skipped))
    old = baseline_of(config)
    baseline = None if old is None else Baseline(old.rows, old.config, settings).of(settings[TESTS])
    asked = [
        *_run_gates(config, terms, ordered, population),
        *_test_gates(config, ordered, skipped),
    ]
    verdicts = [
        *judge_all(asked, baseline, mode=setting(config, "gate-mode"), partial=partial),
        *_must_pass(config, ordered, skipped, population, partial=partial),
    ]
    summary = population.summary()
    for dataset in population.datasets():  # now, so that what goes wrong in any of them is told
        population.summary(dataset)
    _check_baseline_system(config, population)
    notes = [
        *population.problems,
        *([": ".join([f"partial: {len(ordered)} of {total} pairs have a row", *reasons])] if partial else []),
        *([f"{len(skipped)} of {total} pairs were skipped"] if skipped else []),
        *filter(None, [missing_baseline(config)]),
        *notes_on(population.rows, summary, terms.score_field),
    ]
    result = EvalResult(
        list(population.rows),
        summary,
        _timing(population),
        settings,
        verdicts,
        notes,
        population.metrics,
        None if baseline is None else compared(str(setting(config, "baseline")), population, baseline),
    )
    return Conclusion(result, population, dict(zip(in_order, ordered, strict=True)), terms)


def _shared_terms(config: pytest.Config, records: Sequence[Record]) -> Terms:
    """Return the score and threshold that all tests share, else those of the run's options."""
    shared = {(record.terms.score_field, record.terms.threshold) for record in records}
    return records[0].terms if len(shared) == 1 else terms_of(config)


def _population(config: pytest.Config, terms: Terms, records: Sequence[Record]) -> Population:
    metrics = run_metrics(terms.score_field, terms.threshold, setting(config, "baseline-system"))
    return Population([record.row for record in records], metrics)


def _run_gates(
    config: pytest.Config, terms: Terms, records: Sequence[Record], whole: Population
) -> Iterator[Asked]:
    """Yield the run's gates; a minimum leaves out the tests that set their own."""
    for gate, minimum in run_gates(config):
        bound = [record for record in records if minimum not in record.terms.own_minima]
        if bound or not records:
            yield Asked(gate, whole if len(bound) == len(records) else _population(config, terms, bound))


def _test_gates(
    config: pytest.Config, records: Sequence[Record], skipped: Sequence[Record]
) -> Iterator[Asked]:
    """Yield each test's own gates, over its own rows; those of a test that was skipped whole have none."""
    tests: dict[str, tuple[Terms, list[Record]]] = {}
    for record in (*records, *skipped):
        if record.terms.gates:
            tests.setdefault(record.test, (record.terms, []))
    for record in records:
        if record.terms.gates:
            tests[record.test][1].append(record)
    for test, (terms, own) in tests.items():
        population = _population(config, terms, own)
        yield from (Asked(Gate.parse(text), population, test) for text in terms.gates)


def _must_pass(
    config: pytest.Config,
    records: Sequence[Record],
    skipped: Sequence[Record],
    whole: Population,
    *,
    partial: bool,
) -> Iterator[Verdict]:
    """Judge the examples that have to pass: those of the run, then those of each test."""
    shard = setting(config, "shard") is not None
    ids = run_must_pass(config)
    if ids:
        yield judge_must_pass(ids, whole, partial=partial, shard=shard)
    for test, terms in {record.test: record.terms for record in (*records, *skipped)}.items():
        if terms.must_pass:
            own = [record for record in records if record.test == test]
            population = _population(config, terms, own)
            yield judge_must_pass(terms.must_pass, population, partial=partial, shard=shard, test=test)


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


def _timing(population: Population) -> dict[str, float]:
    """Return the seconds that each system spent."""
    from math import fsum

    return {
        system: fsum(row.latency for row in population.rows if row.system == system)
        for system in population.systems()
    }


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
