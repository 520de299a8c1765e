"""DROP answer scoring, after the official `drop_eval.py`: numbers by value, spans by their best alignment.

A gold is a list of spans. As in `squad`, a span that normalizes to nothing is compared literally.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from pytest_context_bench.scoring import squad
from pytest_context_bench.scoring.assignment import best_pairs

_DATE = ("day", "month", "year")
_PAUSE = r"[;\n]|,\s"
_LISTS = (re.compile(_PAUSE), re.compile(rf"{_PAUSE}|\band\b|&", re.IGNORECASE))
_HOPELESS = 200  # sides so uneven align to less than half a hundredth, which the script rounds to 0


def normalize(text: str) -> str:
    """Normalize each word between spaces and hyphens: a number to its value, others as SQuAD does."""
    return " ".join(filter(None, map(_normalize_word, re.split("[ -]", text))))


def to_spans(answer: Mapping[str, Any]) -> list[str]:
    """Return the spans of an *answer* of the published data: its `number`, else `spans`, else `date`."""
    if answer.get("number") not in {None, ""}:
        return [str(answer["number"])]
    date = answer.get("date") or {}
    spans = answer.get("spans") or [" ".join(str(date[part]) for part in _DATE if date.get(part))]
    return [span for span in spans if span.strip()]


def read(text: str) -> squad.Answer:
    """Return *text* as an answer under the normalization of DROP."""
    return squad.Answer(text, normalize)


def readings(response: squad.Answer, size: int) -> Iterator[list[squad.Answer]]:
    """Yield the ways to read *response* where *size* spans are asked for: as one, or as a list in prose."""
    yield [response]
    for separator in _LISTS if size > 1 else ():
        spans = [span for span in separator.split(response.text) if span.strip()]
        if 1 < len(spans) <= size * _HOPELESS:
            yield [read(span) for span in spans]


def scores(response: squad.Answer, gold: Sequence[squad.Answer]) -> dict[str, float]:
    """Return every figure of *response* against the spans of one gold, each in [0, 1].

    The script's are `f1` and `exact_match`, of the best reading. `recall` is the mean share of a span's
    tokens that the response has; `contains` is whether every span stands in it.
    """
    given = list(readings(response, len(gold)))
    return {
        "f1": max(f1(spans, gold) for spans in given),
        "exact_match": max(exact_match(spans, gold) for spans in given),
        "recall": fmean(squad.recall(response, span) for span in gold),
        "contains": min(squad.contains(response, span) for span in gold),
    }


def exact_match(response: Sequence[squad.Answer], gold: Sequence[squad.Answer]) -> float:
    """Whether the two are the same spans in any order, after normalization."""
    same = {_form(span) for span in response} == {_form(span) for span in gold}
    return float(same and len(response) == len(gold))


def f1(response: Sequence[squad.Answer], gold: Sequence[squad.Answer]) -> float:
    """Mean F1 of the spans under their best one-to-one alignment, in hundredths as the script gives it."""
    given = [set(_form(span).split()) for span in response]
    wanted = [set(_form(span).split()) for span in gold]
    table = [[_span_f1(theirs, ours) for theirs in given] for ours in wanted]
    # Summed and rounded step by step like the script: a half of a hundredth falls on the same side.
    mean = sum(table[row][column] for row, column in best_pairs(table)) / max(len(given), len(wanted))
    return round(mean * 100) / 100


def _span_f1(response: set[str], gold: set[str]) -> float:
    """F1 of two sets of tokens; 0 where the gold has numbers and the response none of them."""
    numbers = {token for token in gold if _number(token)}
    if numbers and numbers.isdisjoint(response):
        return 0.0
    shared = len(response & gold)
    precision, recalled = shared / len(response) if response else 1.0, shared / len(gold) if gold else 1.0
    return 2 * precision * recalled / (precision + recalled) if precision + recalled else 0.0


def _form(span: squad.Answer) -> str:
    return span.normal or span.literal


def _normalize_word(word: str) -> str:
    return _number(word) or _number(word.translate(squad.PUNCTUATION)) or squad.normalize(word)


def _number(word: str) -> str | None:
    try:
        return str(float(word))
    except ValueError:
        return None
