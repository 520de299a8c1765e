"""SQuAD 2.0 answer scoring, after the official `evaluate-v2.0.py`.

A gold that normalizes to nothing (an article, punctuation) is compared literally instead, where
the script would call any two such answers equal.
"""

import re
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from pytest_context_bench.scoring.scripts import UNSPACED, is_unspaced

PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SPACED = re.compile(rf"[^\W{UNSPACED}]")  # next to other scripts a match needs no token boundary


def normalize(text: str) -> str:
    """Lowercase, drop ASCII punctuation, then articles, then surplus white space: in that order."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split())


@dataclass(frozen=True)
class Answer:
    """A text with its normalized forms, worked out once however many golds it meets."""

    text: str
    rule: Callable[[str], str] = normalize

    @cached_property
    def normal(self) -> str:
        """The normalized text."""
        return self.rule(self.text)

    @cached_property
    def tokens(self) -> "Counter[str]":
        """The bag of normalized tokens."""
        return Counter(self.normal.split())

    @cached_property
    def literal(self) -> str:
        """The text as it stands, but for white space around it."""
        return self.text.strip()


def scores(response: Answer, gold: Answer) -> dict[str, float]:
    """Return every figure of *response* against one gold, each in [0, 1]."""
    return {
        "f1": f1(response, gold),
        "exact_match": exact_match(response, gold),
        "recall": recall(response, gold),
        "contains": contains(response, gold),
    }


def exact_match(response: Answer, gold: Answer) -> float:
    """Whether the two are the same after normalization."""
    if not gold.normal:
        return float(response.literal == gold.literal)
    return float(response.normal == gold.normal)


def f1(response: Answer, gold: Answer) -> float:
    """Harmonic mean of token precision and recall, over bags of normalized tokens."""
    shared = _overlap(response, gold)
    if not gold.normal or not shared:
        return exact_match(response, gold)
    precision, recalled = shared / response.tokens.total(), shared / gold.tokens.total()
    return 2 * precision * recalled / (precision + recalled)


def recall(response: Answer, gold: Answer) -> float:
    """Share of the gold's tokens that the response has."""
    if not gold.normal:
        return exact_match(response, gold)
    return _overlap(response, gold) / gold.tokens.total()


def contains(response: Answer, gold: Answer) -> float:
    """Whether the gold stands in the response, on token boundaries; literally for a gold of punctuation."""
    if gold.normal:
        return float(_stands_in(gold.normal, response.normal))
    return float(_stands_in(gold.literal, response.text) if gold.literal else not response.literal)


def _overlap(response: Answer, gold: Answer) -> int:
    if len(gold.tokens) <= len(response.tokens):
        small, large = gold.tokens, response.tokens
    else:
        small, large = response.tokens, gold.tokens
    return sum(min(count, large[token]) for token, count in small.items() if token in large)


def _stands_in(gold: str, text: str) -> bool:
    # a pattern made of the gold would say the same, but compiling it takes longer than all other scores
    start = text.find(gold)
    while start >= 0:
        end = start + len(gold)
        if _parted(gold[0], text[start - 1 : start]) and _parted(gold[-1], text[end : end + 1]):
            return True
        start = text.find(gold, start + 1)
    return False


def _parted(edge: str, neighbour: str) -> bool:
    """Whether a token ends between the *edge* of a gold and its *neighbour*, empty where the text ends."""
    return is_unspaced(edge) or _SPACED.match(neighbour) is None
