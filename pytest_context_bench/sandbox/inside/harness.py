"""Runs an answer and its tests, confined, as the other side of the pipes asks: one part after the other."""

import builtins
import errno
import marshal
import os
import sys
from types import CodeType, ModuleType

from . import GIVES_UP, WANTS_MORE
from .confine import confine

_NAME = "answer"  # not `__main__`: what an answer does when run as a script is not asked for
_REFUSED = frozenset(
    [
        *("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "pty.spawn", "subprocess.Popen"),
        *("os.kill", "os.killpg", "socket.bind", "socket.connect", "socket.getaddrinfo"),
        *("sys.setprofile", "sys.settrace"),
    ]
)


def main() -> None:
    """Run what comes over standard input, echo its last word on standard output, and leave; never return.

    What is needed after the answer has run is bound to local names before: an answer may replace anything
    that it can import.
    """
    source, requests = os.fdopen(os.dup(0), "rb"), os.dup(1)
    write, leave, load, real_builtins = os.write, os._exit, marshal.load, dict(vars(builtins))
    try:
        write(requests, WANTS_MORE)
        limits, folder, layers, answer_parts, test_parts = load(source)
        _silence()
        in_force = confine(limits, folder, layers)
        namespace = _namespace()
        write(requests, ",".join(in_force).encode() + WANTS_MORE)
        for number in range(answer_parts + test_parts):
            if number == answer_parts:
                namespace = dict(namespace)  # the tests' own names are not for the answer to use
            namespace["__builtins__"] = dict(real_builtins)
            exec(first_that_compiles(load(source)), namespace)  # noqa: S102 - what the sandbox is for
            write(requests, WANTS_MORE)
        write(requests, load(source))
    except BaseException as error:  # noqa: BLE001 - whatever an answer raises is its failure
        write(requests, GIVES_UP + f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
    finally:
        leave(0)


def first_that_compiles(alternatives: list[str]) -> CodeType:
    """Compile the first source that is valid; raise the error of the first of all when none is."""
    errors: list[Exception] = []
    for source in alternatives:
        try:
            return compile(source, f"<{_NAME}>", "exec", dont_inherit=True, optimize=0)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            errors.append(error)
    raise errors[0]


def _silence() -> None:
    """Let standard input be empty, and output go nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)


def _namespace() -> dict[str, object]:
    """Return the namespace of a module that can be imported, as dataclasses and pickle expect."""
    for name in [name for name in sys.modules if name.partition(".")[0] == __package__]:
        del sys.modules[name]
    sys.dont_write_bytecode = True
    sys.addaudithook(_refuse)
    decoy = sys.modules["builtins"] = ModuleType("builtins")  # what an answer replaces in it, no test sees
    vars(decoy).update(vars(builtins))
    module = sys.modules[_NAME] = ModuleType(_NAME)
    return vars(module)


def _refuse(event: str, _arguments: object) -> None:
    """Refuse the plain ways to skip lines of a test, or to reach other processes: not every kernel does."""
    if event in _REFUSED:
        raise PermissionError(errno.EPERM, f"{event} is not for code under test")
