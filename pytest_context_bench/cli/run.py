"""Runs a benchmark from the command line."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from pytest_context_bench.calls import Rate, open_budget
from pytest_context_bench.cases import sharded
from pytest_context_bench.catalog import (
    check_baseline_system,
    check_scored,
    open_dataset,
    open_systems,
    scoring_evaluators,
)
from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.cli.conclude import NAMES as JUDGING
from pytest_context_bench.cli.conclude import check_save, told
from pytest_context_bench.cli.judging import Judging
from pytest_context_bench.named_judge import named_judge
from pytest_context_bench.options import DEFAULT_DATASET
from pytest_context_bench.plan import Plan
from pytest_context_bench.registry import registry
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_gates import run_metrics
from pytest_context_bench.run_systems import Endpoints, chosen
from pytest_context_bench.runner import open_calls
from pytest_context_bench.tokens import counter

NAMES = (
    "dataset",
    "system",
    "proxy",
    "name",
    "model",
    "reader",
    "placement",
    "max-examples",
    "seed",
    "score-field",
    "threshold",
    "baseline-system",
    "judge-url",
    "judge-model",
    "max-workers",
    "rate",
    "max-tokens",
    "max-cost",
    "price",
    "repeats",
    "cache-dir",
    "cache",
    "keep-texts",
    "text-fields",
    "tokenizer",
    "offline",
    "allow-code-execution",
    "shard",
    *JUDGING,
)


def main(given: Sequence[str]) -> int:
    """Run what the arguments *given* name; return the exit code. Raises ContextBenchError."""
    found = _parser().read(given)
    options = arguments.values(found, NAMES)
    arguments.check_output(found.output)
    with registry.run():
        plugins.load(found.plugin or ())
        result = _measured(options, progress=not found.quiet)
    return told(result, options, found.output)


def _parser() -> arguments.Parser:
    parser = arguments.Parser(
        "context-bench",
        "Benchmark systems that touch the context of a language model, without pytest.",
        "This is the command run, which need not be named. The others, each with a --help of its own: "
        "datasets, cache, baseline, compare, merge, history. Exit codes: 0 all went well, 1 a gate was not "
        "met or a pair ended in an error, 2 a mistake in the arguments, 130 interrupted.",
    )
    arguments.add(parser, NAMES)
    arguments.add_plugins(parser)
    arguments.add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="Show no progress.")
    return parser


def _measured(options: Mapping[str, Any], *, progress: bool) -> EvalResult:
    """Run the benchmark and judge it."""
    rater = named_judge(options["judge-url"], options["judge-model"], "--")
    if rater is not None:
        registry.register("evaluator", rater.name, rater)
    judging = Judging.asked_for(options)
    check_save(options)
    plan = _plan(options)
    rate = options["rate"]
    budget = open_budget(plan.counter.count, options["max-tokens"], options["max-cost"], options["price"])
    with closing(
        open_calls(
            plan,
            options["cache-dir"],
            options["cache"],
            rate=None if rate is None else Rate.parse(rate),
            budget=budget,
        )
    ) as calls:
        result = plan.run(calls, progress=progress)
    return judging.judge(result)


def _plan(options: Mapping[str, Any]) -> Plan:
    """Open what the run needs. Raises ContextBenchError."""
    urls = Endpoints.named_by(options.__getitem__)
    named = chosen(options["system"], urls)
    limits = options["max-examples"], options["seed"]
    datasets = [
        open_dataset(name, *limits, offline=options["offline"])
        for name in options["dataset"] or (DEFAULT_DATASET,)
    ]
    allow = options["allow-code-execution"]
    check_scored(datasets, allow=allow)
    part = options["shard"]
    datasets = sharded(datasets, part)
    systems = urls.systems(open_systems(named) if named else [])
    check_baseline_system(options["baseline-system"], systems)
    return Plan(
        systems,
        datasets,
        run_metrics(options["score-field"], options["threshold"], options["baseline-system"]),
        counter(options["tokenizer"]),
        choose=lambda examples, example: scoring_evaluators(examples, example, allow=allow),
        text_fields=options["text-fields"],
        max_workers=options["max-workers"],
        repeats=options["repeats"],
        keep_texts=options["keep-texts"],
        settings={
            "max_examples": options["max-examples"],
            "seed": options["seed"],
            **({"shard": "{}/{}".format(*part)} if part else {}),
            **({"data": [examples.whole for examples in datasets]} if part else {}),
        },
        keep_interrupted=True,
    )
