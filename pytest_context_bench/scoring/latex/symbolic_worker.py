"""Answers questions with math-verify in a process of its own: a JSON line in, a JSON line out.

Run as a script, it imports nothing of this package. A question that takes too much time or memory ends the
process, whatever has become of the one that asked.
"""

import json
import logging
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

MAX_MEMORY = 2 * 2**30
PRECISION = 60  # digits
NOTHING = 1e-40


def main(seconds: float) -> None:
    """Say whether math-verify is there, then answer, each time in *seconds* of the processor at most."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    logging.disable()
    try:
        import math_verify  # noqa: F401 - loaded before the time of a question runs
    except ImportError as error:
        _say(answers, {"problem": str(error)})
        return
    _limit_memory()
    _say(answers, {"ready": True})
    for line in sys.stdin:
        question = json.loads(line)
        _limit_time(seconds)
        answer = _are_equal(question["given"], question["gold"])
        _limit_time(0)
        _say(answers, {"equal": answer})


def _say(answers: int, answer: Mapping[str, Any]) -> None:
    os.write(answers, json.dumps(answer).encode() + b"\n")


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        allowed = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
        with suppress(ValueError, OSError):  # some systems refuse; the time is limited all the same
            resource.setrlimit(resource.RLIMIT_AS, (allowed, most))


def _limit_time(seconds: float) -> None:
    """Let the system end the process after *seconds* of processor time; 0 takes the limit off."""
    if sys.platform != "win32":  # elsewhere the one that asks has but the clock
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _are_equal(given: str, gold: str) -> bool:
    from math_verify import LatexExtractionConfig, parse, verify

    # Only the LaTeX grammar: plain expressions would go through sympy's parser, which evaluates them.
    # No time limits: they are alarms, which this process does not need.
    form = (LatexExtractionConfig(),)
    sides = [parse(f"${text}$", form, parsing_timeout=None) for text in (gold, given)]
    return bool(
        all(sides) and verify(*sides, timeout_seconds=None) and _is_exact(*(side[0] for side in sides))
    )


def _is_exact(gold: Any, given: Any) -> bool:
    """Whether agreement with an integer is more than closeness."""
    from sympy import Expr, Integer, N, nsimplify

    figures = isinstance(gold, Expr) and isinstance(given, Expr)
    if not figures or not (isinstance(gold, Integer) or isinstance(given, Integer)):
        return True
    difference = N(nsimplify(gold - given, rational=True), PRECISION)
    return not difference.is_number or abs(difference) < NOTHING


if __name__ == "__main__":
    main(float(sys.argv[1]))
