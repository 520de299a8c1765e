"""Puts the results of shards together and judges the whole."""

from collections.abc import Sequence

from pytest_context_bench.cli import arguments, plugins
from pytest_context_bench.cli.conclude import NAMES, check_save, told
from pytest_context_bench.cli.judging import Judging, baselines_of
from pytest_context_bench.merging import merged
from pytest_context_bench.registry import registry


def main(given: Sequence[str]) -> int:
    """Merge the results that *given* names; return the exit code. Raises ContextBenchError."""
    parser = arguments.Parser(
        "context-bench merge", "Put the JSON results of the shards of one run together, and judge the whole."
    )
    parser.add_argument("shards", nargs="+", metavar="FILE", help="JSON result of a shard.")
    arguments.add(parser, NAMES)
    arguments.add_plugins(parser)
    arguments.add_output(parser)
    found = parser.read(given)
    arguments.check_output(found.output)
    options = arguments.values(found, NAMES)
    with registry.run():
        plugins.load(found.plugin or ())
        judging, kept = Judging.asked_for(options), baselines_of(options)
        check_save(options)
        whole = judging.judge(merged({name: plugins.restored(kept.load(name)) for name in found.shards}))
    return told(whole, options, found.output)
