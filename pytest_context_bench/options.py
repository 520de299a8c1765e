"""The options: each a command-line flag and an ini key, read in one way."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from pytest_context_bench.errors import InvalidValueError

PREFIX = "context_bench_"
DEFAULT_DATASET = "needle"
SUITE = "context-bench"  # the file part of the zero-code test's node ids
OWN_IDS = "context_bench_ids"
OWN_IDS_ALONE = "context_bench_ids_alone"
REPORT_FORMATS = ("json", "jsonl")


def share(where: str, value: Any) -> float:
    """Read a number between 0 and 1."""
    number = _number(value)
    if not 0 <= number <= 1:
        raise InvalidValueError(where, value, "a number between 0 and 1")
    return number


def positive(where: str, value: Any) -> int:
    """Read a whole number of 1 or more."""
    number = whole(where, value)
    if number < 1:
        raise InvalidValueError(where, value, "a whole number of 1 or more")
    return number


def whole(where: str, value: Any) -> int:
    """Read a whole number."""
    try:
        return int(str(value))
    except ValueError as error:
        raise InvalidValueError(where, value, "a whole number") from error


def text(where: str, value: Any) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidValueError(where, value, "text")
    return value.strip()


def words(where: str, value: Any) -> tuple[str, ...]:
    """Read names, separated by commas or given as a list."""
    names = value.split(",") if isinstance(value, str) else value
    return tuple(text(where, name) for name in names)


def any_of_them(where: str, value: Any) -> tuple[Any, ...]:  # noqa: ARG001 - the signature of readers
    """Take one thing, or several, as they are."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def error_budget(where: str, value: Any) -> str:
    """Read a number of errors, or a share of the rows with a percent sign; return a gate that bounds it."""
    percent = str(value).endswith("%")
    number = _number(str(value).removesuffix("%"))
    if percent and 0 <= number <= 100:  # noqa: PLR2004 - per cent
        return f"error_rate<={value}"
    if not percent and number >= 0 and number == int(number):
        return f"errors<={int(number)}"
    raise InvalidValueError(where, value, "a number of errors such as 3, or a share of the rows such as 5%")


def report(where: str, value: Any) -> tuple[str, str]:
    """Read `FORMAT:PATH`."""
    kind, _, path = str(value).partition(":")
    if kind not in REPORT_FORMATS or not path:
        raise InvalidValueError(where, value, f"FORMAT:PATH, FORMAT being {' or '.join(REPORT_FORMATS)}")
    return kind, path


@dataclass(frozen=True)
class Option:
    """One option; *read* turns what the user wrote into its value, *several* collects repetitions."""

    name: str
    help: str
    read: Callable[[str, Any], Any] = text
    metavar: str = ""
    several: bool = False
    flag: bool = False
    default: Any = None

    @property
    def dest(self) -> str:
        """The ini key, and the attribute of `config.option`."""
        return PREFIX + self.name.replace("-", "_")

    @property
    def flag_name(self) -> str:
        """The flag on the command line."""
        return f"--context-bench-{self.name}"

    def action(self) -> dict[str, Any]:
        """Return how the command line collects the option."""
        if self.flag:
            return {"action": "store_const", "const": True}
        return {"action": "append" if self.several else "store", "metavar": self.metavar or None}

    def ini_type(self) -> Literal["bool", "linelist", "string"]:
        """Return how an ini file holds the option."""
        if self.flag:
            return "bool"
        return "linelist" if self.several else "string"

    def value(self, config: pytest.Config, own: Mapping[str, Any] | None = None) -> Any:
        """Return the value: command line, else *own* (a test's marker), else ini file, else default."""
        where, given = self._given(config, own or {})
        if given is None:
            return self.default
        if self.flag:
            return bool(given)
        if self.several:
            return tuple(self.read(where, one) for one in _as_list(given))
        return self.read(where, given)

    def on_command_line(self, config: pytest.Config) -> bool:
        """Whether the user gave the option on the command line."""
        return config.getoption(self.dest, None) is not None

    def given(self, config: pytest.Config) -> bool:
        """Whether the user set the option at all."""
        return self.on_command_line(config) or bool(config.getini(self.dest))

    def _given(self, config: pytest.Config, own: Mapping[str, Any]) -> tuple[str, Any]:
        key = self.dest.removeprefix(PREFIX)
        if self.on_command_line(config):
            return self.flag_name, config.getoption(self.dest)
        if own.get(key) is not None:
            return f"marker context_bench, {key}", own[key]
        return self.dest, config.getini(self.dest) or None


_RANGE = "between 0 and 1"
OPTIONS: Sequence[Option] = (
    Option(
        "dataset", "Data set to run: NAME[:config] or a path (repeatable).", metavar="NAME|PATH", several=True
    ),
    Option(
        "system",
        "System to run: NAME[:config] or NAME=module:attribute (repeatable).",
        metavar="NAME",
        several=True,
    ),
    Option("max-examples", "Run the first N examples of each data set.", positive, "N"),
    Option("seed", "Run a sample of max-examples drawn with this seed, not the first ones.", whole, "S"),
    Option(
        "score-field",
        "Score that decides whether a pair passes (default: score).",
        metavar="NAME",
        default="score",
    ),
    Option(
        "threshold",
        "Score from which a pair passes, between 0 and 1 (default: 0.7).",
        share,
        "X",
        default=0.7,
    ),
    Option("min-pass-rate", "Fail the build if a system passes a smaller share of its pairs.", share, "X"),
    Option("min-mean-score", "Fail the build if a system's mean score is lower.", share, "X"),
    Option(
        "gate",
        "Fail the build unless this holds, as in 'latency_p95<=2 @ system=mine' (repeatable).",
        metavar="EXPR",
        several=True,
    ),
    Option(
        "max-errors",
        "Tolerate this many errors of a system, or this share of its pairs (default: none).",
        error_budget,
        "N|P%",
    ),
    Option(
        "text-fields",
        "Example fields whose tokens count, or * for all (default: the context).",
        words,
        "A,B",
        default=(),
    ),
    Option(
        "tokenizer",
        "tiktoken encoding or model that counts tokens (default: cl100k_base).",
        metavar="NAME",
        default="cl100k_base",
    ),
    Option(
        "report",
        "Write the results to a file, json:PATH or jsonl:PATH (repeatable).",
        report,
        "FORMAT:PATH",
        several=True,
    ),
    Option("only", "Run benchmark tests only.", flag=True, default=False),
    Option("skip", "Skip benchmark tests.", flag=True, default=False),
    Option("strict", "Fail each pair that is below the threshold.", flag=True, default=False),
)
BY_NAME = {option.name: option for option in OPTIONS}


def add_options(parser: pytest.Parser) -> None:
    """Add every option, and its ini key, to pytest's."""
    group = parser.getgroup("context-bench", "benchmarks of LLM-context systems")
    for option in OPTIONS:
        group.addoption(option.flag_name, dest=option.dest, default=None, help=option.help, **option.action())
        parser.addini(
            option.dest, option.help, type=option.ini_type(), default=[] if option.several else None
        )


def setting(config: pytest.Config, name: str, own: Mapping[str, Any] | None = None) -> Any:
    """Return the value of the option *name*; see `Option.value`. Raises ContextBenchError."""
    return BY_NAME[name].value(config, own)


def _as_list(given: Any) -> Iterable[Any]:
    return given if isinstance(given, list | tuple | set | frozenset) else [given]


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def given(config: pytest.Config) -> bool:
    """Whether the user set any option at all."""
    return any(option.given(config) for option in OPTIONS)


def check(config: pytest.Config) -> None:
    """Read every option that was set. Raises ContextBenchError for a value that is none of its own."""
    if not given(config):
        return
    for option in OPTIONS:
        option.value(config)
    if setting(config, "only") and setting(config, "skip"):
        raise InvalidValueError("--context-bench-only with", "--context-bench-skip", "possible: choose one")
    from pytest_context_bench.conclusion import check_gates

    check_gates(config)
    if BY_NAME["tokenizer"].given(config):
        from pytest_context_bench.tokens import check_encoding

        check_encoding(setting(config, "tokenizer"))


def take_own_ids(config: pytest.Config) -> None:
    """Take the node ids of the zero-code test out of the arguments: pytest would look for such files."""
    if hasattr(config.option, OWN_IDS):  # a worker, told by the process that started it
        if config.getoption(OWN_IDS_ALONE):
            config.args[:] = []
        return
    own = [arg for arg in config.args if arg.split("::")[0] == SUITE and not Path(arg).exists()]
    config.args[:] = [arg for arg in config.args if arg not in own]
    setattr(config.option, OWN_IDS, own)
    setattr(config.option, OWN_IDS_ALONE, bool(own) and not config.args)


def names_suite(config: pytest.Config) -> bool:
    """Whether the user asks for the zero-code test: by data set, by system, or by node id.

    An ini file asks for it in runs of folders only: who names a file or a test wants that alone.
    """
    if config.getoption(OWN_IDS, None) or any(
        BY_NAME[name].on_command_line(config) for name in ("dataset", "system")
    ):
        return True
    return bool(setting(config, "dataset")) and not any(
        "::" in arg or arg.endswith(".py") for arg in config.args
    )


def header(config: pytest.Config) -> list[str]:
    """Return the header lines of a run that names a data set or a system."""
    if not names_suite(config):
        return []
    datasets = ", ".join(setting(config, "dataset") or (DEFAULT_DATASET,))
    systems = setting(config, "system")
    return [f"context-bench: data sets {datasets}" + (f"; systems {', '.join(systems)}" if systems else "")]
