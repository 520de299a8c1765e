"""Instructions about the response as a whole: its beginning and end, its case, its language."""

from pytest_context_bench.scoring.ifeval import words
from pytest_context_bench.scoring.ifeval.checks import Check, Relation, counted
from pytest_context_bench.scoring.ifeval.language import is_in

_BETWEEN_RESPONSES = "******"


def two_responses() -> Check:
    """Require two different responses, parted by six asterisks."""

    def check(text: str) -> bool:
        parts = [part.strip() for part in text.split(_BETWEEN_RESPONSES)]
        match [part for part in parts if part]:
            case [one, other]:
                return one != other and all(parts[1:-1])
            case _:
                return False

    return check


def repeat_prompt(prompt_to_repeat: str) -> Check:
    """Require the request first, in any case."""
    return lambda text: text.strip().lower().startswith(prompt_to_repeat)


def end_checker(end_phrase: str) -> Check:
    """Require the phrase last, in any case; double quotes around the whole do not count."""
    return lambda text: text.strip().strip('"').lower().endswith(end_phrase)


def quotation() -> Check:
    """Require double quotes around the whole."""

    def check(text: str) -> bool:
        body = text.strip()
        return len(body) > 1 and body[0] == body[-1] == '"'

    return check


def no_comma() -> Check:
    """Require that there is no comma."""
    return lambda text: "," not in text


def response_language(language: str) -> Check:
    """Require one language."""
    return lambda text: is_in(text, language)


def english_capital() -> Check:
    """Require English in capitals."""
    return lambda text: text.isupper() and is_in(text, "en")


def english_lowercase() -> Check:
    """Require English without capitals."""
    return lambda text: text.islower() and is_in(text, "en")


def capital_word_frequency(capital_frequency: int, capital_relation: Relation) -> Check:
    """Require so many words in capitals."""
    return counted(words.count_capitals, capital_relation, capital_frequency)
