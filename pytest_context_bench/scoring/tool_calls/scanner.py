"""Reads code from left to right, and compiles none: a response can hold what crashes a compiler."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.errors import ContextBenchError

_DEEPEST = 60
_SPACE = re.compile(r"(?:\s|#[^\n]*+)*+")
_NAME = re.compile(r"[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+")
_KEYWORD = re.compile(r"([^\W\d]\w*+)\s*+=(?!=)")


class NotReadableError(ContextBenchError):
    """Text that is not what was to be read; *place* is where it ceases to be."""

    def __init__(self, place: int) -> None:
        super().__init__(f"not readable at character {place}")
        self.place = place


@dataclass
class Scanner:
    """A text, read up to *place*. What a method cannot read raises NotReadableError."""

    text: str
    place: int = 0
    depth: int = 0

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what *pattern* matches here, if it does."""
        found = pattern.match(self.text, self.place)
        self.place = found.end() if found else self.place
        return found

    def sees(self, mark: str) -> bool:
        """Whether *mark* comes next, after blanks."""
        self.match(_SPACE)
        return self.text.startswith(mark, self.place)

    def passes(self, mark: str) -> bool:
        """Read *mark* if it comes next, after blanks."""
        seen = self.sees(mark)
        self.place += len(mark) if seen else 0
        return seen

    def name(self) -> str:
        """Read a name, with dots or without."""
        self.match(_SPACE)
        if found := self.match(_NAME):
            return found[0]
        raise self.failure()

    def entries(self, closing: str, entry: Callable[[], None]) -> bool:
        """Read entries with commas between them, up to and with the *closing* bracket.

        Return whether there is a comma after the last one.
        """
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.failure()
        comma = False
        while not self.passes(closing):
            entry()
            comma = self.passes(",")
            if not comma and not self.sees(closing):
                raise self.failure()
        self.depth -= 1
        return comma

    def arguments(self, value: Callable[[], Any]) -> dict[str, Any] | None:
        """Read what a call is given, up to its closing bracket; None where not each has a name of its own."""
        named: dict[str, Any] = {}
        unnamed: list[Any] = []

        def entry() -> None:
            self.match(_SPACE)
            keyword = self.match(_KEYWORD)
            if keyword and keyword[1] not in named:
                named[keyword[1]] = value()
            else:
                unnamed.append(value())

        self.entries(")", entry)
        return None if unnamed else named

    def failure(self) -> NotReadableError:
        """Return the error of what comes next."""
        return NotReadableError(self.place)
