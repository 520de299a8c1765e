"""The options: each a command-line flag and an ini key, read in one way."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from pytest_context_bench.errors import ContextBenchError, InvalidValueError
from pytest_context_bench.readers import (
    amount,
    baseline_from,
    cache_mode,
    call_rate,
    dataset_from,
    error_budget,
    folder_from,
    gate_mode,
    ids_from,
    listed,
    name_or_path,
    placement,
    positive,
    report,
    report_from,
    shard,
    share,
    switch,
    text,
    token_price,
    whole,
    words,
)

PREFIX = "context_bench_"
DEFAULT_DATASET = "needle"


@dataclass(frozen=True)
class Option:
    """One option; *read* turns what the user wrote into its value, *several* collects repetitions.

    *anchor* makes a relative path start where it was written: on the command line at the folder that pytest
    was started in, elsewhere at the root folder.
    """

    name: str
    help: str
    read: Callable[[str, Any], Any] = text
    metavar: str = ""
    several: bool = False
    flag: bool = False
    default: Any = None
    anchor: Callable[[Path, Any], Any] | None = None

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
            return switch(where, given)
        if not self.several:
            return self._anchored(config, where, (self.read(where, given),))[0]
        values = tuple(self.read(where, one) for one in listed(given))
        if not values:
            raise InvalidValueError(where, given, "at least one")
        return self._anchored(config, where, values)

    def _anchored(self, config: pytest.Config, where: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.anchor is None:
            return values
        folder = config.invocation_params.dir if where == self.flag_name else config.rootpath
        return tuple(self.anchor(folder, value) for value in values)

    def on_command_line(self, config: pytest.Config) -> bool:
        """Whether the user gave the option on the command line."""
        return config.getoption(self.dest, None) is not None

    def given(self, config: pytest.Config) -> bool:
        """Whether the user set the option at all."""
        return self.on_command_line(config) or bool(self._ini(config))

    def _given(self, config: pytest.Config, own: Mapping[str, Any]) -> tuple[str, Any]:
        key = self.dest.removeprefix(PREFIX)
        if self.on_command_line(config):
            return self.flag_name, config.getoption(self.dest)
        if own.get(key) is not None:
            return f"marker context_bench, {key}", own[key]
        return self.dest, self._ini(config) or None

    def _ini(self, config: pytest.Config) -> Any:
        try:
            return config.getini(self.dest)
        except (TypeError, ValueError) as error:  # since pytest 9.2 a usage error of its own
            raise ContextBenchError(f"{self.dest}: {error}") from error


OPTIONS: Sequence[Option] = (
    Option(
        "dataset",
        "Data set to run: NAME[:config][@split] or a path (repeatable; default: needle).",
        name_or_path,
        "NAME|PATH",
        several=True,
        anchor=dataset_from,
    ),
    Option(
        "system",
        "System to run: NAME[:config] or NAME=module:attribute (repeatable).",
        metavar="NAME",
        several=True,
    ),
    Option(
        "proxy",
        "OpenAI-compatible endpoint to run as a system: its base URL (repeatable).",
        metavar="URL",
        several=True,
    ),
    Option(
        "name",
        "Name of a proxy, in the order of the proxies (repeatable; default: its host and port).",
        metavar="NAME",
        several=True,
    ),
    Option(
        "model",
        "Model that proxies and the reader are asked for (default: gpt-4o-mini).",
        metavar="NAME",
    ),
    Option("reader", "Endpoint that answers from what each compressor leaves: its base URL.", metavar="URL"),
    Option(
        "placement",
        "Whose message the context is sent in: that of the user, the system or a tool (default: user).",
        placement,
        "ROLE",
        default="user",
    ),
    Option("max-examples", "Run the first N examples of each data set (default: all).", positive, "N"),
    Option("seed", "Draw the max-examples with this seed, in place of the first ones.", whole, "S"),
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
    Option(
        "baseline-system",
        "System of the run that prompt_reduction compares with: what the others save of its prompts.",
        metavar="NAME",
        default="",
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
        "must-pass",
        "Example that has to pass whatever the mean: ID, DATASET::ID or @FILE of them (repeatable).",
        metavar="ID",
        several=True,
        anchor=ids_from,
    ),
    Option(
        "shard",
        "Run the K-th of N parts of the examples; `context-bench merge` puts the results together.",
        shard,
        "K/N",
    ),
    Option(
        "save",
        "Save the result as a baseline, by name or path; a run that fails saves a candidate instead.",
        name_or_path,
        "NAME|PATH",
        anchor=baseline_from,
    ),
    Option(
        "baseline",
        "Saved result to compare with, by name or path.",
        name_or_path,
        "NAME|PATH",
        anchor=baseline_from,
    ),
    Option("require-baseline", "Refuse to run without the baseline that is named.", flag=True, default=False),
    Option(
        "baseline-dir",
        "Folder of the baselines (default: .context-bench in the root folder).",
        name_or_path,
        "DIR",
        default=None,
        anchor=folder_from,
    ),
    Option(
        "gate-mode",
        "How gates judge a difference from the baseline: regression fails what is proven to be worse, "
        "noninferiority what is not proven to be no worse (default: regression).",
        gate_mode,
        "MODE",
        default="regression",
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
        "Encoding or model of tiktoken that counts tokens (default: cl100k_base).",
        metavar="NAME",
        default="cl100k_base",
    ),
    Option(
        "report",
        "Write the results to a file, as json:PATH, md:PATH or html:PATH (repeatable).",
        report,
        "FORMAT:PATH",
        several=True,
        anchor=report_from,
    ),
    Option(
        "max-workers",
        "Have so many calls of systems under way at once, ahead of their tests (default: 1).",
        positive,
        "N",
        default=1,
    ),
    Option("rate", "Begin no more calls than this in a time, as 5/s, 300/m or 1000/h.", call_rate, "N/s"),
    Option("max-tokens", "Begin no call once the run has spent so many tokens.", amount, "N"),
    Option("max-cost", "Begin no call once the run has cost so many dollars.", amount, "X"),
    Option(
        "price",
        "Dollars for a million prompt and completion tokens, as 0.15/0.60 (default: what systems report).",
        token_price,
        "X/Y",
    ),
    Option("repeats", "Measure each pair so many times (default: 1).", positive, "K", default=1),
    Option(
        "cache-dir",
        "Keep outputs and scores in this folder, and do nothing twice.",
        name_or_path,
        "DIR",
        anchor=folder_from,
    ),
    Option(
        "cache",
        "Cache mode: auto takes what is kept, refresh does all anew, only calls no system (default: auto).",
        cache_mode,
        "MODE",
        default="auto",
    ),
    Option(
        "keep-texts",
        "Keep up to N characters of each text of a pair in the results, for reports (default: none).",
        positive,
        "N",
        default=0,
    ),
    Option("judge-url", "Have a model rate every response: base URL of its chat endpoint.", metavar="URL"),
    Option("judge-model", "Model that rates the responses.", metavar="NAME"),
    Option(
        "allow-code-execution",
        "Run the code that systems answer with, against the tests of the example.",
        flag=True,
        default=False,
    ),
    Option(
        "offline",
        "Take data sets of the hub from its cache only, without any use of the network.",
        flag=True,
        default=False,
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


def given(config: pytest.Config) -> bool:
    """Whether the user set any option at all."""
    return any(option.given(config) for option in OPTIONS)


def check(config: pytest.Config) -> None:
    """Read every option that was set. Raises ContextBenchError for a value that is none of its own."""
    if not given(config):
        return
    for option in OPTIONS:
        option.value(config)
    _check_reports(setting(config, "report") or ())
    if setting(config, "only") and setting(config, "skip"):
        raise InvalidValueError("--context-bench-only with", "--context-bench-skip", "possible: choose one")
    from pytest_context_bench.run_gates import check_metrics, run_gates, run_must_pass

    run_must_pass(config)
    check_metrics(gate for gate, _ in run_gates(config))
    if BY_NAME["tokenizer"].given(config):
        from pytest_context_bench.tokens import check_encoding

        check_encoding(setting(config, "tokenizer"))


def _check_reports(reports: Sequence[tuple[str, str]]) -> None:
    paths = [os.path.realpath(path) for _, path in reports]
    for index, path in enumerate(paths):
        if path in paths[:index]:
            raise InvalidValueError("--context-bench-report", path, "one report's own: two would go there")
