"""Reads replies line by line: a line that is a letter, a line such as "B) Paris", an option marked right."""

import re
from dataclasses import dataclass

from pytest_context_bench.scoring import choice_cues as cues
from pytest_context_bench.scoring.choice_letter import OTHERS, Reply, target
from pytest_context_bench.scoring.choice_text import Lettered

_ALONE = Lettered(
    r"[\s\"'(\[{<.:|–—-]{0,9}(?:(?i:option|choice|letter|answer)[\s:]+)?[\s\"'(\[]{0,4}"
    r"(?:(?P<upper>[A-J])|(?<=[(\[])(?P<wrapped>[a-j])(?=[)\]])|(?P<closed>[a-j])(?=\)))[\s\"')\]}>.:!,|。、;]{0,9}"
)
_LABEL = Lettered(
    r"\s?[(\[]?(?:(?i:option|choice)\s)?(?P<letter>[A-Ja-j])"
    r"(?P<close>[)\]:]{1,3}|\.(?!\w|\s[A-Z]\.)|\s[-–—](?=\s))\s?(?=[^\s=])"
)


@dataclass(frozen=True)
class Label:
    """The start of a line that names an option; *end* is a position in the reply."""

    line: int
    letter: str
    end: int
    close: str


def first_line(reply: Reply) -> str | None:
    """Return the letter that is the first line, or whose text is."""
    return _at_edge(reply, reply.lines[:2])


def last_line(reply: Reply) -> str | None:
    """Return the letter that is the last line of several, or whose text is."""
    return _at_edge(reply, reply.lines[:-3:-1]) if len(reply.lines) > 1 else None


def _at_edge(reply: Reply, lines: "list[re.Match[str]]") -> str | None:
    """Return what makes the first of *lines*, where the second is not another option."""
    alone = [_alone(reply, line) for line in lines]
    return alone[0] if alone and alone[1:] in ([], [None], alone[:1]) else None


def _alone(reply: Reply, line: "re.Match[str]") -> str | None:
    """Return the letter that is all there is on *line*, or whose text is."""
    found = _ALONE.of(reply.choices).fullmatch(line[0])
    letter = found[found.lastgroup or 0].upper() if found else None
    text = reply.choices.at(reply.text, line.start())
    if not text or letter in tuple(reply.choices.letters):
        return letter
    return letter if reply.text[text.end() : line.end()].strip(" .!") else text.lastgroup


def labels(reply: Reply) -> list[Label]:
    """Return the labels of all lines that have one."""
    return [label for index in range(len(reply.lines)) if (label := _label(reply, index))]


def after_options(reply: Reply) -> int:
    """Return where the reply goes on after repeating the question and all options; 0 where it does not."""
    own = [label for label in labels(reply) if reply.choices.owns(label.letter, reply.lower, label.end)]
    repeated = own and {label.letter for label in own} >= set(reply.choices.letters)
    return reply.lines[own[-1].line].end() if repeated else 0


def labelled(reply: Reply) -> str | None:
    """Return the label of the first or the last line, where that does not merely repeat the options."""
    found = [label for label in labels(reply) if not cues.MARKED_WRONG.search(_rest(reply, label))]
    if not found:
        return None
    first, last = found[0], found[-1]
    if first.line == 0 and not _goes_on(*found[:2]):
        return _or_abbreviation(reply, first)
    if last.line == len(reply.lines) - 1 and not _goes_on(*found[-2:]):
        return _or_abbreviation(reply, last)
    return None


def marked_right(reply: Reply) -> str | None:
    """Return the one option whose line says that it is right."""
    marked = {label.letter for label in labels(reply) if cues.MARKED_RIGHT.search(_rest(reply, label))}
    return marked.pop() if len(marked) == 1 else None


def _label(reply: Reply, index: int) -> Label | None:
    line = reply.lines[index]
    found = _LABEL.of(reply.choices).match(line[0])
    if not found or OTHERS.of(reply.choices).match(line[0], found.end("letter")):
        return None
    label = Label(index, found["letter"].upper(), line.start() + found.end(), found["close"])
    abbreviation = found["close"] == "." and reply.text[label.end].islower()  # "E. coli", "C. elegans"
    question = found["letter"] == "Q" and found["close"] == ":"
    doubtful = abbreviation or question or found["letter"].islower()
    return None if doubtful and not reply.choices.owns(label.letter, reply.lower, label.end) else label


def _rest(reply: Reply, label: Label) -> str:
    """Return what a labelled line says after the option's own text."""
    own = reply.choices.at(reply.text, label.end)
    return reply.lower[own.end() if own else label.end : reply.lines[label.line].end()]


def _goes_on(label: Label, following: Label | None = None) -> bool:
    """Whether *following* is the next of a list: the next letter, or a later one on the next line."""
    if not following:
        return False
    steps = ord(following.letter) - ord(label.letter)
    return steps == 1 or (steps > 1 and following.line == label.line + 1)


def _or_abbreviation(reply: Reply, label: Label) -> str | None:
    """Read "A: Paris" as "answer: Paris" where Paris is not the text of A."""
    if (label.letter, label.close) != ("A", ":") or reply.choices.owns("A", reply.lower, label.end):
        return label.letter
    unknown = None if reply.choices.texts else label.letter
    return target(reply, label.end) or (None if reply.lower.startswith("i", label.end) else unknown)
