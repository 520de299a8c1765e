"""A process between code under test and pytest, for systems that cannot keep it from other processes."""

import os
import time

from . import linux

_PIPES = 256  # above the numbers of all that is open when this runs


def stand_between() -> None:
    """Fork, and go on in the child alone: what it takes for its parent may be killed without harm.

    The parent here waits for the child, then ends what the child leaves behind; its exit status is 1 if there
    was anything.
    """
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child:
        os.closerange(3, _PIPES)  # the child's end of each pipe is then the only one
        os.waitpid(child, 0)
        os._exit(int(end_all()))
    linux.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL)


def end_all() -> bool:
    """Kill every process below this one; return whether any was still running.

    Where they multiply faster than that, the kill of the whole group has to do.
    """
    found, until = False, time.monotonic() + 1
    while time.monotonic() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
            if not ended:
                found = True
                _kill_below(os.getpid())
                os.waitpid(-1, 0)
        except ChildProcessError:
            break
    return found


def _kill_below(pid: int) -> None:
    waiting = [pid]
    while waiting:
        for child in _children(waiting.pop()):
            waiting.append(child)
            _kill_if_there(child)


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:  # noqa: PTH123 - see `inside`: few imports
            return [int(child) for child in children.read().split()]
    except OSError:
        return []


def _kill_if_there(pid: int) -> None:
    try:
        os.kill(pid, linux.SIGKILL)
    except ProcessLookupError:
        return
