"""Which fixtures are set up: a call that is made ahead must find what its test would find."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_context_bench.fixtures import CASE, EVALUATORS, PAIR

OWN = frozenset({PAIR, CASE, EVALUATORS, "request"})
CHANGING = frozenset(
    {"monkeypatch", "pytester", "testdir"}
)  # of pytest's, those that change the surroundings


@dataclass(frozen=True)
class _SetUp:
    """A fixture of more than a test: for which node, and with which parameter."""

    node: Any
    parameter: Any


class Readiness:
    """Knows what a test's fixtures are from those that were set up so far."""

    def __init__(self) -> None:
        self.state = 0  # goes up with each change
        self._up: dict[str, _SetUp] = {}
        self._harmless = set(OWN)
        self._anew: set[str] = set()
        self._with_pair = {PAIR}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: "pytest.FixtureDef[Any]", request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        """Note a fixture that is set up."""
        value = yield
        name = fixturedef.argname
        if name not in self._harmless and name not in self._anew:
            self.state += 1
            self._note(name, fixturedef, request)
        return value

    def pytest_fixture_post_finalizer(self, fixturedef: "pytest.FixtureDef[Any]") -> None:
        """Note a fixture that is no more."""
        if self._up.pop(fixturedef.argname, None) is not None:
            self.state += 1

    def is_ready(self, item: pytest.Item) -> bool:
        """Whether *item* would find what there is now.

        Its fixtures are there, all but those that take the pair or change nothing, and none is there that
        ends before it.
        """
        nodes, parameters = item.listchain(), _parameters(item)
        return all(
            name in self._harmless or self._is_up(name, parameters.get(name)) for name in _names(item)
        ) and all(up.node in nodes for up in self._up.values())

    def set_up_anew(self, item: pytest.Item) -> list[str]:
        """Return the first fixture of *item* that is set up for each test, so that nothing can go ahead."""
        return [name for name in _names(item) if name in self._anew][:1]

    def _note(self, name: str, fixturedef: "pytest.FixtureDef[Any]", request: pytest.FixtureRequest) -> None:
        if not self._with_pair.isdisjoint(fixturedef.argnames):
            self._with_pair.add(name)
        if name in self._with_pair or _is_harmless(fixturedef):
            self._harmless.add(name)
        elif fixturedef.scope == "function":
            self._anew.add(name)
        else:
            self._up[name] = _SetUp(request.node, getattr(request, "param", None))

    def _is_up(self, name: str, parameter: Any) -> bool:
        up = self._up.get(name)
        return up is not None and up.parameter is parameter


def _names(item: pytest.Item) -> Sequence[str]:
    return getattr(item, "fixturenames", ())


def _parameters(item: pytest.Item) -> Mapping[str, Any]:
    return item.callspec.params if hasattr(item, "callspec") else {}


def _is_harmless(fixturedef: "pytest.FixtureDef[Any]") -> bool:
    """Whether a fixture is one of pytest's or ours that leaves the surroundings as they are.

    Those whose names begin with a line call the set-up functions of the user's modules and classes.
    """
    package = (getattr(fixturedef.func, "__module__", None) or "").partition(".")[0]
    if package == "_pytest":
        return fixturedef.argname not in CHANGING and not fixturedef.argname.startswith("_")
    return package == __package__
