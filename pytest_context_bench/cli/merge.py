"""Puts the results of shards together and judges the whole."""

from collections.abc import Sequence

from pytest_context_bench.cli import arguments
from pytest_context_bench.cli.conclude import NAMES, check_save, told
from pytest_context_bench.cli.judging import Judging, baselines_of
from pytest_context_bench.merging import merged


def main(given: Sequence[str]) -> int:
    """Merge the results that *given* names; return the exit code. Raises ContextBenchError."""
    parser = arguments.Parser(
        "context-bench merge", "Put the JSON results of the shards of one run together, and judge the whole."
    )
    parser.add_argument("shards", nargs="+", metavar="FILE", help="JSON result of a shard.")
    arguments.add(parser, NAMES)
    arguments.add_output(parser)
    found = parser.read(given)
    arguments.check_output(found.output)
    options = arguments.values(found, NAMES)
    judging, kept = Judging.asked_for(options), baselines_of(options)
    check_save(options)
    whole = merged({name: kept.load(name) for name in found.shards})
    return told(judging.judge(whole), options, found.output)
