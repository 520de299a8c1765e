"""Compares two saved results."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.cli.conclude import UNMET, text_of
from pytest_context_bench.cli.judging import Judging, baselines_of
from pytest_context_bench.gates import Gate
from pytest_context_bench.registry import registry

NAMES = ("gate", "min-pass-rate", "min-mean-score", "max-errors", "must-pass", "gate-mode", "baseline-dir")
DEFAULT = ("mean_score >= baseline", "pass_rate >= baseline")


def main(given: Sequence[str]) -> int:
    """Compare a result with an earlier one; return the exit code. Raises ContextBenchError."""
    parser = arguments.Parser(
        "context-bench compare",
        "Compare two saved results, the earlier one first, pair by pair.",
        "Without --fail the exit code is 0 whatever the verdicts; with it, 1 where one is FAIL.",
    )
    parser.add_argument("before", metavar="BEFORE", help="Name or path of the earlier result.")
    parser.add_argument("after", metavar="AFTER", help="Name or path of the later result.")
    parser.add_argument("--fail", action="store_true", help="Exit with 1 where a gate is not met.")
    arguments.add(parser, NAMES)
    arguments.add_plugins(parser)
    arguments.add_output(parser)
    found = parser.read(given)
    arguments.check_output(found.output)
    options = {**arguments.values(found, NAMES), "baseline": found.before, "require-baseline": True}
    with registry.run():
        plugins.load(found.plugin or ())
        judging = Judging.asked_for(options)
        if not judging.gates and not judging.must_pass:
            judging = replace(judging, gates=[Gate.parse(text) for text in DEFAULT])
        result = judging.judge(plugins.restored(baselines_of(options).load(found.after)))
    print(text_of(result, result.population(), found.output), end="")
    return UNMET if found.fail and not all(verdict.passed for verdict in result.verdicts) else 0
