"""The flags of the command line: those of the plugin under shorter names, and a few of its own."""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from pytest_context_bench.errors import ContextBenchError, UnknownNameError, nearest
from pytest_context_bench.options import BY_NAME, Option
from pytest_context_bench.reports.formats import FORMATS

TABLE = "table"
SHORT = {"max-examples": ("-n",)}
_PLUGINS_FLAG = re.compile(r"(?<!\S)--context-bench-")  # not within quotes: what a user wrote stays as it is


class Parser(argparse.ArgumentParser):
    """Tells a mistake as the rest of the project does, in one line."""

    def __init__(self, command: str, description: str, epilog: str = "") -> None:
        super().__init__(command, description=description, epilog=epilog, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raise ContextBenchError."""
        raise ContextBenchError(f"{message} (see {self.prog} --help)")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return what *arguments* say. Raises ContextBenchError, naming the nearest flag for one unknown."""
        found, unknown = self.parse_known_args(arguments)
        for one in unknown:
            if one.startswith("-"):
                flags = [flag for action in self._actions for flag in action.option_strings]
                named = in_own_flags(one.partition("=")[0])
                self.error(f"unknown option {one!r}: {nearest(named, flags)}")
            self.error(f"unexpected argument {one!r}")
        return found


def subcommand(
    group: str, commands: Mapping[str, Callable[[Sequence[str]], int]], given: Sequence[str]
) -> int:
    """Do the one of a group's *commands* that *given* names first. Raises UnknownNameError."""
    name, *rest = given or [""]
    if name in {"-h", "--help"}:
        print(f"usage: context-bench {group} {'|'.join(commands)} ...\n\nEach has a --help of its own.")
        return 0
    if name not in commands:
        raise UnknownNameError("command", f"{group} {name}".strip(), [f"{group} {one}" for one in commands])
    return commands[name](rest)


def in_own_flags(text: str) -> str:
    """Return *text* with the plugin's flags as they are called here."""
    return _PLUGINS_FLAG.sub("--", text)


def add(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Add the plugin's options of these *names*."""
    for name in names:
        option = BY_NAME[name]
        flags = (*SHORT.get(name, ()), f"--{name}")
        parser.add_argument(*flags, dest=name, default=None, help=option.help, **option.action())


def add_plugins(parser: argparse.ArgumentParser) -> None:
    """Add the option that names modules to import."""
    shown = "Import a module that registers systems, data sets, evaluators or metrics (repeatable)."
    parser.add_argument("--plugin", action="append", metavar="MODULE", help=shown)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what goes to stdout."""
    shown = f"What goes to stdout: {', '.join((TABLE, *FORMATS))} (default: {TABLE})."
    parser.add_argument("--output", default=TABLE, metavar="FORMAT", help=shown)


def check_output(output: str) -> None:
    """Check that there is such an *output*. Raises UnknownNameError."""
    if output not in (TABLE, *FORMATS):
        raise UnknownNameError("output", output, (TABLE, *FORMATS))


def values(found: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the value of each option by name, its default where it is not given.

    Raises ContextBenchError for a value that is none of its option's.
    """
    return {name: _value(BY_NAME[name], getattr(found, name)) for name in names}


def _value(option: Option, given: Any) -> Any:
    where = f"--{option.name}"
    if given is None:
        return option.default
    if option.flag:
        return True
    if option.several:
        return tuple(option.read(where, one) for one in given)
    return option.read(where, given)
