"""Instructions about words and letters that the response has, or has not."""

import re
from collections import Counter

from pytest_context_bench.scoring.ifeval.checks import Check, Relation, counted


def existence(keywords: list[re.Pattern[str]]) -> Check:
    """Require every keyword, be it within a word."""
    return lambda text: all(keyword.search(text) for keyword in keywords)


def frequency(keyword: re.Pattern[str], frequency: int, relation: Relation) -> Check:
    """Require the keyword so often, be it within words."""
    return counted(lambda text: sum(1 for _ in keyword.finditer(text)), relation, frequency)


def forbidden_words(forbidden_words: list[re.Pattern[str]]) -> Check:
    """Require that none of the words stands there."""
    return lambda text: not any(word.search(text) for word in forbidden_words)


def letter_frequency(letter: str, let_frequency: int, let_relation: Relation) -> Check:
    """Require the letter so often, in either case."""
    return counted(lambda text: Counter(text.lower())[letter], let_relation, let_frequency)
