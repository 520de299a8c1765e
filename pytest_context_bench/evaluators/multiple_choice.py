"""Multiple-choice answers against the correct letter."""

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Example, Scores
from pytest_context_bench.scoring.choice import LETTERS, Choices, chosen

NONE_FOUND = "none found"


@dataclass(frozen=True)
class MultipleChoiceAccuracy:
    """Whether the response answers with the example's `correct_letter`, A to J.

    A reply without a letter scores 0 like a wrong one; its note `mc_answer` tells the two apart.
    """

    name: str = "multiple_choice_accuracy"

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `mc_accuracy`, 0 or 1; nothing without a `correct_letter`."""
        choices = _choices(original)
        gold = _gold(original, choices)
        return {"mc_accuracy": float(chosen(response(processed), choices) == gold)} if gold else {}

    def notes(self, original: Example, processed: Example) -> dict[str, str]:
        """Give `mc_answer`: the letter read from the response, or `none found`."""
        choices = _choices(original)
        if not _gold(original, choices):
            return {}
        return {"mc_answer": chosen(response(processed), choices) or NONE_FOUND}


def _gold(example: Example, choices: Choices) -> str | None:
    value = example.get("correct_letter")
    if value is None or value == "":
        return None
    letter = str(value).strip().upper()
    if letter not in tuple(choices.letters):
        raise InvalidValueError("correct_letter", value, f"a letter from A to {choices.letters[-1]}")
    return letter


def _choices(example: Example) -> Choices:
    """Read `choices`: a list of texts, a mapping of letters to texts, or a mapping with `text` as in ARC."""
    value = example.get("choices")
    if isinstance(value, Mapping) and isinstance(value.get("text"), list | tuple):
        value = value["text"]
    if not value:
        return Choices()
    if isinstance(value, list | tuple):
        texts = dict(zip(LETTERS, map(str, value), strict=False))
    elif isinstance(value, Mapping):
        texts = {str(key).strip().upper(): str(text) for key, text in value.items()}
    else:
        raise InvalidValueError("choices", value, "a list of texts or a mapping of letters to texts")
    letters = "".join(letter for letter in LETTERS if letter in texts)
    if not letters:
        raise InvalidValueError("choices", value, "labelled with letters from A to J")
    return Choices(letters, {letter: texts[letter] for letter in letters})
