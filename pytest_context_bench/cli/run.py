"""Runs a benchmark from the command line."""

import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from pytest_context_bench.calls import Rate
from pytest_context_bench.cases import BASELINES
from pytest_context_bench.catalog import check_scored, open_dataset, open_systems, scoring_evaluators
from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.gates import Gate, exact, judge
from pytest_context_bench.marker import MINIMA
from pytest_context_bench.named_judge import named_judge
from pytest_context_bench.options import DEFAULT_DATASET
from pytest_context_bench.plan import Plan
from pytest_context_bench.population import Population
from pytest_context_bench.records import Record
from pytest_context_bench.registry import registry
from pytest_context_bench.reports.files import FORMATS, write_reports
from pytest_context_bench.reports.terminal import section
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_gates import check_metrics, run_metrics
from pytest_context_bench.runner import open_budget, open_calls
from pytest_context_bench.terms import Terms
from pytest_context_bench.tokens import counter

NAMES = (
    "dataset",
    "system",
    "max-examples",
    "seed",
    "score-field",
    "threshold",
    "baseline-system",
    "min-pass-rate",
    "min-mean-score",
    "gate",
    "max-errors",
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
    "report",
)
TABLE = "table"
MET, UNMET, INTERRUPTED = 0, 1, 130


def main(given: Sequence[str]) -> int:
    """Run what the arguments *given* name; return the exit code. Raises ContextBenchError."""
    found = _parser().read(given)
    options = arguments.values(found, NAMES)
    outputs = (TABLE, *FORMATS)
    if found.output not in outputs:
        raise UnknownNameError("output", found.output, outputs)
    with registry.run():
        plugins.load(found.plugin or ())
        result, population, tolerant = _measured(options, progress=not found.quiet)
    problems = write_reports(options["report"] or (), result)
    sys.stdout.write(_text(found.output, result, population))
    for problem in problems:
        print(f"context-bench: error: {problem}", file=sys.stderr)
    if result.config.get("interrupted"):
        return INTERRUPTED
    errors = sum(row.error is not None for row in result.rows)
    unmet = problems or (errors and not tolerant) or not all(verdict.passed for verdict in result.verdicts)
    return UNMET if unmet else MET


def _parser() -> arguments.Parser:
    parser = arguments.Parser(
        "context-bench",
        "Benchmark systems that touch the context of a language model, without pytest.",
        "`context-bench datasets` lists the data sets that are known by name. Exit codes: 0 all went well, "
        "1 a gate was not met or a pair ended in an error, 2 a mistake in the arguments, 130 interrupted.",
    )
    arguments.add(parser, NAMES)
    arguments.add_plugins(parser)
    parser.add_argument(
        "--output",
        default=TABLE,
        metavar="FORMAT",
        help=f"What goes to stdout: {TABLE}, {', '.join(FORMATS)}.",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="Show no progress.")
    return parser


def _measured(options: Mapping[str, Any], *, progress: bool) -> tuple[EvalResult, Population, bool]:
    """Run the benchmark; return its result, the population behind it and whether errors are tolerated."""
    judging = named_judge(options["judge-url"], options["judge-model"], "--")
    if judging is not None:
        registry.register("evaluator", judging.name, judging)
    gates = _gates(options)
    check_metrics(gates)
    plan = _plan(options)
    rate = options["rate"]
    budget = open_budget(plan.counter, options["max-tokens"], options["max-cost"], options["price"])
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
    population = Population(result.rows, plan.metrics)
    partial = bool(result.config["partial"])
    result.verdicts.extend(judge(gate, population, partial=partial) for gate in gates)
    return result, population, options["max-errors"] is not None


def _plan(options: Mapping[str, Any]) -> Plan:
    """Open what the run needs. Raises ContextBenchError."""
    named = options["system"] or registry.added("system") or BASELINES
    limits = options["max-examples"], options["seed"]
    datasets = [
        open_dataset(name, *limits, offline=options["offline"])
        for name in options["dataset"] or (DEFAULT_DATASET,)
    ]
    allow = options["allow-code-execution"]
    check_scored(datasets, allow=allow)
    systems = open_systems(named)
    base = options["baseline-system"]
    if base and base not in (names := [system.name for system in systems]):
        raise UnknownNameError("baseline system", base, names)
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
        settings={"max_examples": options["max-examples"], "seed": options["seed"]},
        keep_interrupted=True,
    )


def _gates(options: Mapping[str, Any]) -> list[Gate]:
    minima = [
        f"{metric} >= {exact(options[name])}" for name, metric in MINIMA.items() if options[name] is not None
    ]
    budget = options["max-errors"]
    return [Gate.parse(text) for text in (*(options["gate"] or ()), *minima, *([budget] if budget else ()))]


def _text(output: str, result: EvalResult, population: Population) -> str:
    """Return what goes to stdout."""
    if output != TABLE:
        return FORMATS[output](result)
    terms = Terms(result.config["score_field"], result.config["threshold"])
    records = {
        f"{row.system}-{row.dataset}-{row.example_id}{f'-r{row.repeat + 1}' if row.repeat else ''}": Record(
            "", order, len(result.rows), terms, row
        )
        for order, row in enumerate(result.rows)
    }
    width = shutil.get_terminal_size((80, 24)).columns
    lines = section(result, population, records, width=width, brief=False)
    return "".join(f"{line.text}\n" for line in lines)
