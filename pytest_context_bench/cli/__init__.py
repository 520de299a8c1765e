"""The command line without pytest: `context-bench`, and `python -m pytest_context_bench`."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from pytest_context_bench.cli import baseline, caches, compare, datasets, history, merge, run
from pytest_context_bench.cli.arguments import in_own_flags
from pytest_context_bench.errors import ContextBenchError, UnknownNameError

OK, UNMET, MISTAKE, INTERRUPTED = 0, 1, 2, 130
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "baseline": baseline.main,
    "cache": caches.main,
    "compare": compare.main,
    "datasets": datasets.main,
    "history": history.main,
    "merge": merge.main,
    "run": run.main,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what *arguments* ask for, those of the process by default; return the exit code.

    0: done, and every gate met; 1: a gate not met, or an error that the run does not tolerate; 2: a mistake
    in the arguments, told in one line; 130: interrupted, with what was measured reported.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):  # whatever a text holds, and whatever the terminal can show
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _done(given)
        sys.stdout.flush()
    except ContextBenchError as error:
        print(f"context-bench: error: {in_own_flags(str(error))}", file=sys.stderr)
        return MISTAKE
    except KeyboardInterrupt:
        print("context-bench: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return code


def _done(given: Sequence[str]) -> int:
    """Do the command that *given* names first, `run` if it names none; return the exit code."""
    if not given or given[0].startswith("-"):
        return run.main(given)
    if given[0] not in COMMANDS:
        raise UnknownNameError("command", given[0], COMMANDS)
    return COMMANDS[given[0]](given[1:])
