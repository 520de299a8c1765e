"""The task `trace`: a chain of assignments, asked for its last name; the code stands at its head.

Head and links lie anywhere in the context, in any order, among chains of the same form. A system that keeps
what resembles the question finds the last link alone: which head to keep, only the whole chain tells.
"""

from collections.abc import Iterable
from itertools import pairwise

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw, Key
from pytest_context_bench.datasets.needle.english import sentences

_TOKENS_PER_CHAIN = 190
_TOKENS_PER_MENTION = 500
_LENGTHS = range(3, 7)  # names in a chain, its head and the one that is asked for among them

_FORMS = (
    "Set {name} to {value}. ",
    "{name} is set to {value}. ",
    "The value of {name} is set to {value}. ",
    "In the plan, {name} is set to {value}. ",
)

_MENTIONS = (
    "Nobody could tell {who} what {name} was set to. ",
    "{who} wondered {when} what {name} was for. ",
    "It was {who} who had chosen {name} as a name, {late}. ",
    "Much of what {who} wrote down {when} depended on the value of {name}. ",
)


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    form, answer = draw.pick(_FORMS), draw.code()
    keys = [draw.new(lambda: _key(draw)) for _ in range(draw.pick(_LENGTHS))]
    asked = _name(keys[-1])
    needle, *links = _chain(draw, form, answer, keys)
    others = [
        step
        for _ in range(size // _TOKENS_PER_CHAIN)
        for step in _chain(draw, form, draw.code(), _near(draw, keys))
    ]
    mentions = [draw.text(draw.pick(_MENTIONS), name=asked) for _ in range(size // _TOKENS_PER_MENTION)]
    return Draft(
        question=f"Each name is set once. Following other names, which value is {asked} set to?",
        answer=answer,
        needle=needle,
        decoys=links + others + mentions,
        background=sentences(draw),
        tokens_per_part=1.076,
    )


def _chain(draw: Draw, form: str, head: str, keys: Iterable[Key]) -> list[str]:
    values = [head, *map(_name, keys)]
    return [draw.text(form, name=name, value=value) for value, name in pairwise(values)]


def _near(draw: Draw, keys: list[Key]) -> list[Key]:
    return [draw.near(draw.pick(keys), lambda: _key(draw)) for _ in range(draw.pick(_LENGTHS))]


def _name(key: Key) -> str:
    return "_".join(key)


def _key(draw: Draw) -> Key:
    return draw.texts("{adjective}|{noun}|{n2}")
