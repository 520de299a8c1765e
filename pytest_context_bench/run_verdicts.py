"""The verdicts of a run: on the gates of its options and of its tests, and on what must pass."""

from collections.abc import Iterator, Sequence

import pytest

from pytest_context_bench.gates import Gate, Verdict
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.must_pass import judge_must_pass
from pytest_context_bench.options import setting
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.population import Population
from pytest_context_bench.records import Record
from pytest_context_bench.run_gates import run_gates, run_metrics, run_must_pass
from pytest_context_bench.terms import Terms


def verdicts_of(  # noqa: PLR0913 - a run, and all that its verdicts depend on
    config: pytest.Config,
    records: Sequence[Record],
    skipped: Sequence[Record],
    population: Population,
    terms: Terms,
    baseline: Baseline | None,
    *,
    partial: bool,
) -> list[Verdict]:
    """Judge the *population* of all *records*, and the rows of single tests."""
    asked = [*_run_gates(config, terms, records, population), *_test_gates(config, records, skipped)]
    return [
        *judge_all(asked, baseline, mode=setting(config, "gate-mode"), partial=partial),
        *_must_pass(config, records, skipped, population, partial=partial),
    ]


def population_of(config: pytest.Config, terms: Terms, records: Sequence[Record]) -> Population:
    """Return the rows of *records*, and the metrics of the run."""
    metrics = run_metrics(terms.score_field, terms.threshold, setting(config, "baseline-system"))
    return Population([record.row for record in records], metrics)


def _run_gates(
    config: pytest.Config, terms: Terms, records: Sequence[Record], whole: Population
) -> Iterator[Asked]:
    """Yield the run's gates; a minimum leaves out the tests that set their own."""
    for gate, minimum in run_gates(config):
        bound = [record for record in records if minimum not in record.terms.own_minima]
        if bound or not records:
            yield Asked(gate, whole if len(bound) == len(records) else population_of(config, terms, bound))


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
        population = population_of(config, terms, own)
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
            population = population_of(config, terms, own)
            yield judge_must_pass(terms.must_pass, population, partial=partial, shard=shard, test=test)
