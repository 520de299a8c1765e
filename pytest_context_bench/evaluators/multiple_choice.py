"""Multiple-choice answers against the correct letter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.fields import response
from pytest_context_bench.protocols import Example, Scores

if TYPE_CHECKING:
    from pytest_context_bench.scoring.choice_text import Choices

NONE_FOUND = "none found"


@dataclass(frozen=True)
class MultipleChoiceAccuracy:
    """Whether the response answers with the example's `correct_letter`.

    That is a letter from A to J, or to the last of more than ten `choices`. A reply without a letter scores
    0 like a wrong one; its note `mc_answer` tells the two apart.
    """

    name: str = "multiple_choice_accuracy"
    fields: ClassVar[Sequence[str]] = ("correct_letter",)

    def score(self, original: Example, processed: Example) -> Scores:
        """Give `mc_accuracy`, 0 or 1; nothing without a `correct_letter`."""
        gold = _gold(original)
        return {"mc_accuracy": float(_answer(original, processed) == gold)} if gold else {}

    def notes(self, original: Example, processed: Example) -> dict[str, str]:
        """Give `mc_answer`: the letter read from the response, or `none found`."""
        return {"mc_answer": _answer(original, processed) or NONE_FOUND} if _gold(original) else {}


def _answer(original: Example, processed: Example) -> str | None:
    from pytest_context_bench.scoring.choice import chosen  # compiles many patterns

    return chosen(response(processed), _choices(original))


def _gold(example: Example) -> str | None:
    value = example.get("correct_letter")
    if value is None or value == "":
        return None
    letter, letters = str(value).strip().upper(), _choices(example).letters
    if letter not in tuple(letters):
        raise InvalidValueError("correct_letter", value, f"a letter from A to {letters[-1]}")
    return letter


def _choices(example: Example) -> "Choices":
    from pytest_context_bench.scoring.choice_text import ALPHABET, Choices

    texts = _texts(example.get("choices"), ALPHABET)
    letters = "".join(letter for letter in ALPHABET if letter in texts)
    return Choices(letters, {letter: texts[letter] for letter in letters}) if texts else Choices()


def _texts(value: Any, letters: str) -> dict[str, str]:
    """Read `choices`: a list of texts, a mapping of letters to texts, or a mapping with `text` as in ARC."""
    if isinstance(value, Mapping) and isinstance(value.get("text"), list | tuple):
        value = value["text"]
    if not value:
        return {}
    if isinstance(value, list | tuple):
        return dict(zip(letters, map(str, value), strict=False))
    texts = (
        {str(key).strip().upper(): str(text) for key, text in value.items()}
        if isinstance(value, Mapping)
        else {}
    )
    if not set(texts) & set(letters):
        raise InvalidValueError("choices", value, "a list of texts or a mapping of letters A to Z to texts")
    return texts
