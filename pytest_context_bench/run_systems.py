"""The systems of a run: those that are named, or have a URL, else those registered, else the baselines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from pytest_context_bench.catalog import check_names, open_systems
from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.options import BY_NAME, setting
from pytest_context_bench.protocols import System
from pytest_context_bench.registry import registry

BASELINES = ("identity", "truncate:0.5", "extract:0.5")
_systems_key = pytest.StashKey[dict[Any, list[System]]]()


@dataclass(frozen=True)
class Endpoints:
    """The URLs of a run: proxies with their names, and the reader that goes behind every compressor."""

    proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    model: str | None = None
    reader: str | None = None
    placement: str = "user"

    @classmethod
    def named_by(cls, value: Callable[[str], Any]) -> "Endpoints":
        """Return the URLs of the options of which *value* gives each by its name."""
        return cls(
            value("proxy") or (), value("name") or (), value("model"), value("reader"), value("placement")
        )

    def __bool__(self) -> bool:
        return bool(self.proxies or self.names or self.reader)

    def systems(self, others: Sequence[System]) -> list[System]:
        """Return *others*, the reader behind those that do not answer themselves, and the proxies.

        Raises ContextBenchError.
        """
        if not self:
            return list(others)
        from pytest_context_bench.systems.endpoints import answers, endpoints

        answering = [one for one in others if answers(one)]
        found = endpoints(
            self.proxies,
            self.names,
            self.model,
            reader=self.reader,
            compressors=[one for one in others if not answers(one)],
            placement=self.placement,
        )
        check_names([*answering, *found])
        return [*answering, *found]


def systems_of(config: pytest.Config, own: Mapping[str, Any]) -> list[System]:
    """Return the systems that a test runs, whose marker says *own*. Raises ContextBenchError."""
    marked = own.get("systems")
    urls = Endpoints.named_by(partial(setting, config))
    named = any(BY_NAME[name].on_command_line(config) for name in ("system", "proxy"))
    if marked is not None and not named:
        given = open_systems(marked)
        if not given:
            raise InvalidValueError("marker context_bench, systems", marked, "at least one")
        return Endpoints(model=urls.model, reader=urls.reader, placement=urls.placement).systems(given)
    opened = config.stash.setdefault(_systems_key, {})
    names = chosen(setting(config, "system"), urls)
    if (names, urls) not in opened:  # one instance a process, however many tests it serves
        opened[names, urls] = urls.systems(open_systems(names) if names else [])
    return opened[names, urls]


def chosen(named: tuple[str, ...] | None, urls: Endpoints) -> tuple[str, ...]:
    """Return the names of the systems beside those of *urls*: those *named*, else what there is."""
    if named:
        return tuple(named)
    if urls.proxies and not urls.reader:
        return ()
    return tuple(registry.added("system")) or BASELINES
