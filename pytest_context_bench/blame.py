"""Says in one line what failed in a user's code, and where."""

from pathlib import Path
from traceback import walk_tb

from pytest_context_bench.plain import worded

OURS = frozenset({"pytest_context_bench", "pluggy"})


def blame(error: BaseException) -> str:
    """Word *error* with the `file:line` of the user's code that it came through first."""
    places = [
        f"{Path(frame.f_code.co_filename).name}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] not in OURS
    ]
    text = " ".join(worded(error).split())
    return f"{text} ({places[0]})" if places else text
