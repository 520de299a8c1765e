"""Whether the zero-code test is asked for, and which of its pairs."""

import os

import pytest

from pytest_context_bench.options import BY_NAME, DEFAULT_DATASET, setting
from pytest_context_bench.redact import redact

SUITE = "context-bench"  # the file part of the test's node ids
OWN_IDS = "context_bench_ids"
OWN_IDS_ALONE = "context_bench_ids_alone"


def take_own_ids(config: pytest.Config) -> None:
    """Take the node ids of the zero-code test out of the arguments: pytest would look for such files."""
    if hasattr(config.option, OWN_IDS):  # a worker, told by the process that started it
        if config.getoption(OWN_IDS_ALONE):
            config.args[:] = []
        return
    own = {arg: nodeid for arg in config.args if (nodeid := _own_id(arg))}
    config.args[:] = [arg for arg in config.args if arg not in own]
    setattr(config.option, OWN_IDS, list(own.values()))
    setattr(config.option, OWN_IDS_ALONE, bool(own) and not config.args)


def names_suite(config: pytest.Config) -> bool:
    """Whether the user asks for the zero-code test: by data set, by system, or by node id.

    An ini file asks for it in runs of folders only: who names a file or a test wants that alone.
    """
    if setting(config, "skip"):
        return False
    if config.getoption(OWN_IDS, None) or any(
        BY_NAME[name].on_command_line(config) for name in ("dataset", "system", "proxy", "reader")
    ):
        return True
    return bool(setting(config, "dataset")) and not any(
        "::" in arg or arg.endswith(".py") for arg in config.args
    )


def header(config: pytest.Config) -> list[str]:
    """Return the header lines of a run that names a data set or a system, or makes calls at once."""
    lines = []
    if names_suite(config):
        datasets = ", ".join(setting(config, "dataset") or (DEFAULT_DATASET,))
        systems = (*(setting(config, "system") or ()), *map(redact, setting(config, "proxy") or ()))
        named = f"; systems {', '.join(systems)}" if systems else ""
        lines.append(f"context-bench: data sets {datasets}{named}")
    return [*lines, *_on_workers(config)]


def _on_workers(config: pytest.Config) -> list[str]:
    """Say how many calls are under way at once, and what is best for which run."""
    workers = setting(config, "max-workers")
    processes = config.getoption("numprocesses", None)
    if workers == 1:
        return []
    if processes:
        best = (
            "leave out -n where calls wait for an API, and --context-bench-max-workers where systems compute"
        )
        return [f"context-bench: a worker of -n {processes} knows its next test alone: {best}"]
    best = "best where they wait for an API; where systems compute, use -n instead"
    return [f"context-bench: {workers} calls at once, {best}"]


def _own_id(arg: str) -> str | None:
    """Return the node id of the zero-code test that *arg* is, if it is one.

    Below the root folder pytest prints node ids as paths from there: `../context-bench::…`.
    """
    path, *names = arg.split("::")
    if os.path.basename(path) != SUITE or (not names and os.path.exists(path)):  # noqa: PTH110, PTH119 - any text may come
        return None
    return "::".join((SUITE, *names))
