"""Fenced blocks of Markdown, as models write them: also unclosed, or opened by the prompt."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<margin>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$", re.MULTILINE)
_PYTHON = re.compile(r"\b(?:py|python|ipython)[23]?(?:\.\d+)?\b", re.IGNORECASE)
_DEEPEST = 3  # a fence indented further than this is text, in CommonMark and in docstrings


@dataclass(frozen=True)
class Block:
    """A fenced block: what its opening says, and its lines as they stand."""

    info: str
    code: str

    @property
    def language(self) -> str:
        """The first word of what the opening says."""
        return self.info.split(maxsplit=1)[0].lower() if self.info.strip() else ""

    @property
    def is_python(self) -> bool:
        """Whether the block is marked as Python."""
        return _PYTHON.search(self.info) is not None


def fenced(text: str) -> list[Block]:
    """Return the fenced blocks of *text*, in order; one that is never closed goes on to the end."""
    blocks, at = [], 0
    while opening := _opening(text, at):
        closing = _closing(text, opening)
        inside = text[opening.end() + 1 : closing.start() if closing else len(text)]
        blocks.append(Block(opening["info"], _shifted(inside, len(opening["margin"]))))
        at = closing.end() if closing else len(text)
    return blocks


def text_before_fences(text: str) -> str:
    """Return *text* up to its first fence: all of the code where the prompt had opened the block."""
    opening = _opening(text, 0)
    return text[: opening.start()] if opening else text


def _opening(text: str, at: int) -> re.Match[str] | None:
    for fence in _FENCE.finditer(text, at):
        if len(fence["margin"]) <= _DEEPEST or _PYTHON.search(fence["info"]):
            return fence
    return None


def _closing(text: str, opening: re.Match[str]) -> re.Match[str] | None:
    deepest = len(opening["margin"]) + _DEEPEST
    for fence in _FENCE.finditer(text, opening.end()):
        same = fence["mark"].startswith(opening["mark"])
        if same and not fence["info"].strip() and len(fence["margin"]) <= deepest:
            return fence
    return None


def _shifted(code: str, margin: int) -> str:
    """Take up to *margin* columns of white space from the left of each line."""
    return re.sub(rf"^[ \t]{{1,{margin}}}", "", code, flags=re.MULTILINE) if margin else code
