"""Instructions about the number of sentences, words and paragraphs."""

import re

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.scoring.ifeval import words
from pytest_context_bench.scoring.ifeval.checks import Check, Relation, counted
from pytest_context_bench.scoring.ifeval.sentences import sentences

_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_AFTER_WORD = re.compile(r"[.,?!'\"]")


def number_sentences(num_sentences: int, relation: Relation) -> Check:
    """Require so many sentences."""
    return counted(lambda text: len(sentences(text)), relation, num_sentences)


def number_words(num_words: int, relation: Relation) -> Check:
    """Require so many words; `state-of-the-art` is four."""
    return counted(words.count, relation, num_words)


def number_paragraphs(num_paragraphs: int) -> Check:
    """Require just so many paragraphs between `***`; only the first and the last part may be blank."""

    def check(text: str) -> bool:
        first, *others = [bool(part.strip()) for part in _DIVIDER.split(text)]
        inner, last = others[:-1], others[-1:]
        return all(inner) and sum([first, *inner, *last]) == num_paragraphs

    return check


def nth_paragraph_first_word(num_paragraphs: int, nth_paragraph: int, first_word: str) -> Check:
    """Require just so many paragraphs between blank lines, the nth of them beginning with the word."""
    if not 1 <= nth_paragraph <= num_paragraphs:
        raise InvalidValueError(
            "nth_paragraph", nth_paragraph, f"between 1 and num_paragraphs, {num_paragraphs}"
        )

    def check(text: str) -> bool:
        paragraphs = text.split("\n\n")
        filled = sum(bool(paragraph.strip()) for paragraph in paragraphs)
        # as officially, blank paragraphs are left out of the number but not of the counting to the nth
        return filled == num_paragraphs and _first_word(paragraphs[nth_paragraph - 1]) == first_word

    return check


def _first_word(paragraph: str) -> str:
    start = (paragraph.split(maxsplit=1) or [""])[0]
    word = _AFTER_WORD.split(start.lstrip("'").lstrip('"'), maxsplit=1)[0]
    return "".join(letter.lower() for letter in word)
