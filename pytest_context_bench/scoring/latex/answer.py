"""An answer as text, with the forms that comparing it needs."""

import re
from dataclasses import dataclass
from functools import cached_property

from pytest_context_bench.scoring.latex.notation import clean
from pytest_context_bench.scoring.latex.reading import read
from pytest_context_bench.scoring.latex.structure import MAX_LENGTH, Node

_SPACE = re.compile(r"(?<![A-Za-z\d]) | (?![A-Za-z\d])")


@dataclass(frozen=True)
class Answer:
    """A text with its forms, worked out once however many golds it meets."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The text in plain notation; a very long one as it stands, but for white space."""
        return clean(self.text) if len(self.text) <= MAX_LENGTH else " ".join(self.text.split())

    @cached_property
    def dense(self) -> str:
        """The plain text without the spaces that typesetting ignores: `2 2/3` keeps its own."""
        return _SPACE.sub("", self.plain)

    @cached_property
    def structure(self) -> Node:
        """What the text says."""
        return read(self.plain)
