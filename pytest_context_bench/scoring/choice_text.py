"""Finds the texts of choices in a reply, on token boundaries and the longest first."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from pytest_context_bench.scoring.markup import UNSPACED, plain

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = ALPHABET[:10]  # those of a question whose choices are not known, and of most others
_UNSPACED = re.compile(UNSPACED)
_LABEL = re.compile(r"[(\[]?([A-Z])[)\].:]\s*(?=\S)")
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\w{3})(?!(?:and|only)\b)", re.IGNORECASE)
_SHOWN = 20  # how much of a choice's text tells it from other words


@dataclass(frozen=True)
class Choices:
    """The letters that may be answered, and the texts they stand for where those are known."""

    letters: str = LETTERS
    texts: Mapping[str, str] | None = None

    @cached_property
    def has_more(self) -> bool:
        """Whether there are letters beyond J, which other questions do not take for an answer."""
        return not set(self.letters) <= set(LETTERS)

    @cached_property
    def bare(self) -> dict[str, str]:
        """The texts without labels and markup."""
        return {letter: plain(text).rstrip(" .;,") for letter, text in _unlabelled(self.texts or {}).items()}

    @cached_property
    def longest_first(self) -> list[tuple[str, str]]:
        """The letters and texts that tell one choice, without article: not a letter, not given twice."""
        texts = {letter: _ARTICLE.sub("", text) for letter, text in self.bare.items()}
        often = Counter(texts.values())
        telling = [
            (letter, text)
            for letter, text in texts.items()
            if text and often[text] == 1 and text.upper() not in tuple(self.letters)
        ]
        return sorted(telling, key=lambda entry: -len(entry[1]))

    @cached_property
    def pattern(self) -> "re.Pattern[str]":
        """One group a letter; matches nothing where no text tells. Case counts where it alone differs."""
        often = Counter(text.lower() for _, text in self.longest_first)
        branches = [
            f"(?P<{letter}>{_bounded(text) if often[text.lower()] > 1 else f'(?i:{_bounded(text)})'})"
            for letter, text in self.longest_first
        ]
        return re.compile("|".join(branches) or "(?!)")

    def at(self, text: str, position: int) -> "re.Match[str] | None":
        """Return the longest choice text that starts at *position*; its `lastgroup` is the letter."""
        return self.pattern.match(text, position)

    def owns(self, letter: str, lower: str, position: int) -> bool:
        """Whether the lower-case text *lower* goes on from *position* like the text of *letter*."""
        own = self.bare.get(letter.upper(), "")[:_SHOWN].lower()
        return bool(own) and lower.startswith(own, position)


@dataclass(frozen=True)
class Lettered:
    """A pattern in which `A-J` and `a-j` stand for the letters of the choices that it is used for."""

    pattern: str

    def of(self, choices: Choices) -> "re.Pattern[str]":
        """Return the pattern for *choices*."""
        return _lettered(self.pattern, has_more=choices.has_more)


@cache
def _lettered(pattern: str, *, has_more: bool) -> "re.Pattern[str]":
    return re.compile(pattern.replace("A-J", "A-Z").replace("a-j", "a-z") if has_more else pattern)


def _unlabelled(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Take labels such as `A) ` off, where every text carries its own."""
    labels = {letter: _LABEL.match(text) for letter, text in texts.items()}
    ends = {letter: label.end() for letter, label in labels.items() if label and label[1] == letter}
    return {letter: texts[letter][end:] for letter, end in ends.items()} if len(ends) == len(texts) else texts


def _bounded(text: str) -> str:
    """Word *text* as a pattern, after an article or none."""
    words = r"\s+".join(map(re.escape, text.split()))
    before = r"(?<![\w.,^/-])" if text[0].isdigit() else r"(?<!\w)" if _is_spaced(text[0]) else ""
    after = r"(?!\w|[%^/]|[.,]\d)" if text[-1].isdigit() else r"(?!\w)" if _is_spaced(text[-1]) else ""
    article = "" if text[0].isdigit() else r"(?:\b(?:the|an?)\s+)?"
    return f"{before}{article}{words}{after}"


def _is_spaced(character: str) -> bool:
    return character.isalnum() and not _UNSPACED.match(character)
