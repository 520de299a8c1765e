"""The task `code`: the value of one constant of a Python module."""

import re
from collections.abc import Iterator

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw, Key

_TOKENS_PER_FACT = 120
_TOKENS_PER_MENTION = 300
_FUNCTIONS = 0.6  # share of functions and classes among the pieces of the background

_OPENING = '"""Settings and small functions of the {adjective} {noun}."""\n\nfrom typing import Final\n\n'

_FACTS = (
    '{name} = "{code}"\n',
    '{name}: Final = "{code}"\n',
    '{name} = (\n    # {Verb} the {noun} first.\n    "{code}"\n)\n',
    '{name}: Final[str] = (\n    "{code}"  # as the {noun} has it\n)\n',
)

_MENTIONS = (
    '\n\ndef {f}({a}):\n    """Sign the {a} with {name}."""\n    return {a} + {name}\n\n\n',
    "\n\ndef {f}({a}):\n    return {a}.startswith({name})\n\n\n",
    "# {name} must not be longer than {n2} characters.\n",
    "# Ask the {noun} team before {name} is changed.\n",
    "\n\ndef {f}({a}):\n    if {name} in {a}:\n        raise ValueError({a})\n    return {n2}\n\n\n",
    '\n\ndef {f}():\n    """Return {name}, checked."""\n    return {name}.strip()\n\n\n',
)


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    asked, answer = draw.new(lambda: _key(draw)), draw.code()
    others = [draw.near(asked, lambda: _key(draw)) for _ in range(size // _TOKENS_PER_FACT)]
    similar = [_fact(draw, other, draw.code()) for other in others]
    name = "_".join(asked)
    mentions = [_block(draw, draw.pick(_MENTIONS), name=name) for _ in range(size // _TOKENS_PER_MENTION)]
    return Draft(
        question=f"Which string does the module assign to the constant {name}?",
        answer=answer,
        needle=_fact(draw, asked, answer),
        decoys=similar + mentions,
        background=_background(draw),
        tokens_per_part=0.946,
        opening=draw.text(_OPENING),
        render=lambda blocks: re.sub(r"\n{4,}", "\n\n\n", "".join(blocks)),
    )


def _background(draw: Draw) -> Iterator[str]:
    while True:
        if draw.random() < _FUNCTIONS:
            yield f"\n\n{_block(draw, '{function}')}\n\n"
        else:
            yield draw.text("{setting}", NAME=draw.new(lambda: draw.text("{ADJECTIVE}_{NOUN}_{NOUN}")))


def _block(draw: Draw, template: str, **bound: str) -> str:
    f = draw.new(lambda: draw.text("{verb}_{adjective}_{noun}"))
    title = f.title().replace("_", "")
    a, b = draw.texts("{noun}|{adjective}_{noun}")
    return draw.text(template, f=f, Class=title, a=a, b=b, **bound)


def _fact(draw: Draw, key: Key, code: str) -> str:
    return draw.text(draw.pick(_FACTS), name="_".join(key), code=code)


def _key(draw: Draw) -> Key:
    return draw.texts("{ADJECTIVE}|{NOUN}|{KIND}")
