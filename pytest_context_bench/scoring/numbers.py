"""Numbers in a response against the number that is right, after the scripts of LongBench and InfiniteBench.

Where the scripts pass over a minus, a negative gold is met all the same.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

_WHOLE = re.compile(r"\d+")
_ASCII_WHOLE = re.compile(r"[0-9]+")
_SIGNED = re.compile(r"-?[0-9]+")
_DECIMAL = re.compile(r"-?(?:\d+\.\d+|\d+)")
_BETWEEN_WORDS = re.compile(r"[\n.`'\":]")


def share(response: str, gold: str) -> float:
    """Share of the numbers in *response* that are the first one of *gold*, as in `Paragraph 12`."""
    right, given = _WHOLE.search(gold), _WHOLE.findall(response)
    return given.count(right[0]) / len(given) if right and given else 0.0


def first_digits(response: str, gold: str) -> float:
    """Whether the first digits in *response* are *gold*, to the letter."""
    given = _ASCII_WHOLE.search(response)
    return float(given is not None and given[0] == gold.strip())


def first_number(response: str, gold: str) -> float:
    """Whether the first number in *response*, whole or not, has the value of *gold*."""
    given = _DECIMAL.search(response)
    return float(given is not None and _value(gold) in {_value(text) for text in _signs(given[0])})


def last_number(response: str, gold: str) -> float:
    """Whether the last word of *response* is a whole number, and has the value of *gold*."""
    words = _BETWEEN_WORDS.sub(" ", response).split()
    return float(bool(words) and _same_whole(words[-1], gold))


def prefix(response: str, golds: Sequence[str]) -> float:
    """Share of *golds* that the numbers of *response* repeat from the first on, up to one that differs."""
    given = zip(_SIGNED.findall(response), golds, strict=False)
    same = takewhile(lambda pair: any(_same_whole(text, pair[1]) for text in _signs(pair[0])), given)
    return len(list(same)) / len(golds)


def _signs(number: str) -> tuple[str, str]:
    """Return *number* with its minus, which may be a hyphen before it, and without."""
    return number, number.removeprefix("-")


def _same_whole(one: str, other: str) -> bool:
    number = _whole(one)
    return number is not None and number == _whole(other)


def _value(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:  # no number, or one of thousands of digits
        return None
