"""Facts told in prose: a code that belongs to a thing at a place."""

from collections.abc import Sequence

from pytest_context_bench.datasets.needle.draw import Draw, Key

# What the code is, and how a sentence says so without the words of the question.
ATTRIBUTES = {
    "access code": "opens to {code}",
    "registry number": "was entered in the books as {code}",
    "call sign": "answers on the radio to {code}",
    "seal number": "was closed with {code} on the lead",
    "inventory tag": "carries {code} on a brass plate",
    "shelf mark": "is filed under {code}",
    "permit number": "may be used under {code}",
    "survey mark": "stands on the maps as {code}",
    "account code": "is billed to {code}",
    "fuse label": "hangs on the circuit marked {code}",
}

QUESTIONS = (
    "What is the {attribute} of the {thing} at {place}?",
    "Which {attribute} does the {thing} at {place} have?",
    "What {attribute} belongs to the {thing} of {place}?",
)

# Each states that the code belongs to the thing at the place.
STATEMENTS = (
    "The {attribute} of the {thing} at {place} is {code}. ",
    "{code} is the {attribute} of the {thing} at {place}, as {who} noted {when}. ",
    "At {place}, the {thing} has had the {attribute} {code} since {year}. ",
    "{who} gave {code} as the {attribute} when the {thing} at {place} was inspected {when}. ",
    "The {thing} at {place}, {who} explained, {phrase}. ",
    "The {thing} at {place} {phrase}, and since {year} {who} has seen no reason to change that. ",
    "{who} checked it {when}: the {thing} of {place} {phrase}. ",
    "{when} {who} went through the {thing} at {place}. The {attribute} was still {code}. ",
    "{who} spent the {season} on the {thing} at {place}, which was {state}. It {phrase}. ",
)

# Each names what the question asks for, and gives no value or one that never came into use.
MENTIONS = (
    "Questions about the {attribute} of the {thing} at {place} were passed on to {who}. ",
    "{who} asked twice for the {attribute} of the {thing} at {place} and was told to wait until {weekday}. ",
    "Nobody at {place} would tell {who} who had chosen the {attribute} of the {thing}, or why. ",
    "{who} wondered why the {thing} at {place} should need its own {attribute} at all. ",
    "The {thing} at {place} was due to be given a new {attribute} in {year}, but {who} let it be. ",
    "A draft had {code} as the {attribute} of the {thing} at {place}; {who} struck it out in time. ",
    "{code} was proposed as {attribute} for the {thing} at {place}, and the {body} said no. ",
)


def key(draw: Draw) -> Key:
    """Return an attribute, a thing and a place."""
    return draw.pick(tuple(ATTRIBUTES)), *draw.texts("{thing}|{place}")


def tell(draw: Draw, templates: Sequence[str], about: Key, code: str) -> str:
    """Return the sentence of one of *templates* that gives *code* for the key *about*."""
    attribute, thing, place = about
    phrase = ATTRIBUTES[attribute].format(code=code)
    template = draw.pick(templates)
    return draw.sentence(template, attribute=attribute, thing=thing, place=place, code=code, phrase=phrase)
