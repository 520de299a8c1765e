"""Reads the project's own documents: their links, headings, code blocks and commands."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^    .*\n)+", flags=re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """One document, by its path below the root of the project."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> Path:
        return ROOT / self.name

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def prose(self) -> str:
        """The text without its code blocks."""
        return INDENTED.sub("", FENCED.sub("", self.text))

    def blocks(self, language: str) -> list[str]:
        return [code for named, code in FENCED.findall(self.text) if named == language]

    def links(self) -> list[str]:
        return re.findall(r"\]\(([^)\s]+)\)", self.prose)

    def anchors(self) -> set[str]:
        """Return what the headings are called in links, as GitHub does."""
        headings = re.findall(r"^#+ (.+)$", FENCED.sub("", self.text), flags=re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def commands(self, program: str) -> Iterator[list[str]]:
        """Yield the arguments of each command of *program* in a code block."""
        shell = "\n".join(
            [*INDENTED.findall(FENCED.sub("", self.text)), *self.blocks(""), *self.blocks("sh")]
        )
        for line in shell.replace("\\\n", " ").splitlines():
            words = line.strip().removeprefix("$ ")
            if words.startswith(f"{program} "):
                yield shlex.split(words, comments=True)[1:]


def documents() -> list[Document]:
    """Return all that users read."""
    paths = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("examples/**/*.md"),
    ]
    return [Document(str(path.relative_to(ROOT))) for path in sorted(paths)]
