"""Labels and lines of code, after `metrics.py` of LongBench."""

from collections.abc import Sequence

from pytest_context_bench.scoring.rouge import lcs_length

_NO_CODE = ("`", "#", "//")  # a fence or a comment


def label_share(response: str, gold: str, labels: Sequence[str]) -> float:
    """Return one over the number of *labels* that *response* names, if *gold* is among those, else 0.

    A label within the gold, and not the gold itself, is no name of its own.
    """
    found = [label for label in labels if label in response]
    place = 0
    while place < len(found):
        if found[place] in gold and found[place] != gold:
            del found[place]  # the script removes while it goes through the list: it skips the next
        place += 1
    return 1 / len(found) if gold in found else 0.0


def code_line(response: str) -> str:
    """Return the first line of *response* that is neither a comment nor a fence; of none, nothing."""
    lines = response.lstrip("\n").split("\n")
    return next((line for line in lines if not any(mark in line for mark in _NO_CODE)), "")


def edit_similarity(one: str, other: str) -> float:
    """Return how alike two texts are, to the hundredth: the `ratio` of `fuzzywuzzy` with `Levenshtein`.

    That is one minus the insertions and deletions that turn one into the other, over the characters of both.
    """
    if one == other:
        return 1.0
    return round(100 * (2 * lcs_length(one, other) / (len(one) + len(other)))) / 100
