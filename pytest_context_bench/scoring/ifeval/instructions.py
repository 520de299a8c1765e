"""The 25 official instructions by their ids; each takes its kwargs by name and gives its check."""

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any

from pytest_context_bench.errors import UnknownNameError
from pytest_context_bench.scoring.ifeval import formats, keywords, lengths, responses
from pytest_context_bench.scoring.ifeval.arguments import READERS
from pytest_context_bench.scoring.ifeval.checks import Check

INSTRUCTIONS: Mapping[str, Callable[..., Check]] = MappingProxyType(
    {
        "change_case:capital_word_frequency": responses.capital_word_frequency,
        "change_case:english_capital": responses.english_capital,
        "change_case:english_lowercase": responses.english_lowercase,
        "combination:repeat_prompt": responses.repeat_prompt,
        "combination:two_responses": responses.two_responses,
        "detectable_content:number_placeholders": formats.number_placeholders,
        "detectable_content:postscript": formats.postscript,
        "detectable_format:constrained_response": formats.constrained_response,
        "detectable_format:json_format": formats.json_format,
        "detectable_format:multiple_sections": formats.multiple_sections,
        "detectable_format:number_bullet_lists": formats.number_bullet_lists,
        "detectable_format:number_highlighted_sections": formats.number_highlighted_sections,
        "detectable_format:title": formats.title,
        "keywords:existence": keywords.existence,
        "keywords:forbidden_words": keywords.forbidden_words,
        "keywords:frequency": keywords.frequency,
        "keywords:letter_frequency": keywords.letter_frequency,
        "language:response_language": responses.response_language,
        "length_constraints:nth_paragraph_first_word": lengths.nth_paragraph_first_word,
        "length_constraints:number_paragraphs": lengths.number_paragraphs,
        "length_constraints:number_sentences": lengths.number_sentences,
        "length_constraints:number_words": lengths.number_words,
        "punctuation:no_comma": responses.no_comma,
        "startend:end_checker": responses.end_checker,
        "startend:quotation": responses.quotation,
    }
)


def check_of(instruction: object, kwargs: Mapping[str, Any]) -> Check:
    """Return the check of *instruction* with *kwargs*, whose nulls count as not given.

    Raises UnknownNameError for an unknown instruction or kwarg, InvalidValueError for a missing or corrupt
    kwarg.
    """
    if not isinstance(instruction, str) or instruction not in INSTRUCTIONS:
        raise UnknownNameError("instruction", instruction, INSTRUCTIONS)
    make = INSTRUCTIONS[instruction]
    given = {name: value for name, value in kwargs.items() if value is not None}
    names = signature(make).parameters
    for name in given:
        if name not in names:
            raise UnknownNameError(f"kwarg of {instruction}", name, names)
    return make(**{name: READERS[name](f"{instruction}: {name}", given.get(name)) for name in names})
