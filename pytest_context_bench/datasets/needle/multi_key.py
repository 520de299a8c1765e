"""The task `multi-key`: one of many facts, all of one form, whose keys differ in a part or two."""

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw, Key
from pytest_context_bench.datasets.needle.english import sentences

_TOKENS_PER_FACT = 36
_TOKENS_PER_MENTION = 180

_ATTRIBUTES = ("release code", "signal", "ticket", "seal", "pass phrase", "stock mark", "radio name")
_UNITS = (
    "bay",
    "berth",
    "crane",
    "gate",
    "tank",
    "locker",
    "oven",
    "pier",
    "platform",
    "pump",
    "shed",
    "wagon",
)

_FORMS = (
    "The {attribute} of {unit} {number} at {place} is {code}. ",
    "At {place}, the {attribute} of {unit} {number} is {code}. ",
    "For {unit} {number} at {place} the {attribute} is {code}. ",
    "At {place}, {unit} {number} has the {attribute} {code}. ",
    "{code} is the {attribute} of {unit} {number} at {place}. ",
)

_MENTIONS = (
    "The {attribute} of {unit} {number} at {place} was chosen by {who} {when}. ",
    "{who} asked for the {attribute} of {unit} {number} at {place} {when}. ",
    "{unit} {number} at {place} stood idle {when}, so {who} left its {attribute} as it was. ",
    "Of all the places that have a {attribute}, {who} liked {unit} {number} at {place} best. ",
    "{who} had the {attribute} of {unit} {number} at {place} printed on a card and lost it {when}. ",
)


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    attribute, form = draw.pick(_ATTRIBUTES), draw.pick(_FORMS)
    asked, answer = draw.new(lambda: _key(draw)), draw.code()
    others = [draw.near(asked, lambda: _key(draw)) for _ in range(size // _TOKENS_PER_FACT)]

    def tell(template: str, key: Key, code: str) -> str:
        unit, number, place = key
        return draw.sentence(template, attribute=attribute, unit=unit, number=number, place=place, code=code)

    similar = [tell(form, other, draw.code()) for other in others]
    mentions = [tell(draw.pick(_MENTIONS), asked, "") for _ in range(size // _TOKENS_PER_MENTION)]
    return Draft(
        question=tell("What is the {attribute} of {unit} {number} at {place}?", asked, ""),
        answer=answer,
        needle=tell(form, asked, answer),
        decoys=similar + mentions,
        background=sentences(draw, asked[2]),
        tokens_per_part=1.073,
    )


def _key(draw: Draw) -> Key:
    return draw.pick(_UNITS), *draw.texts("{n2}|{place}")
