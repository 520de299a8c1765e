"""TriviaQA answer scoring, after the official `triviaqa_evaluation.py`: punctuation parts words."""

import string

from pytest_context_bench.scoring import squad

_PARTING = str.maketrans(dict.fromkeys(f"{string.punctuation}‘’´`", " "))


def normalize(text: str) -> str:
    """Normalize as SQuAD does, but put a blank where punctuation was."""
    return squad.normalize(text.translate(_PARTING))


def read(text: str) -> squad.Answer:
    """Return *text* as an answer under the normalization of TriviaQA."""
    return squad.Answer(text, normalize)
