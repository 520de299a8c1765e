"""What a task makes of its draws, before it is laid out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Draft:
    """The pieces of one context: each ends with its own white space, so that any order of them reads well.

    The *needle* holds the answer; *decoys* are near-duplicates of it, and mentions of what the question
    asks for; *background* never ends. A part, as `layout.parts` counts them, has *tokens_per_part* tokens of
    cl100k_base.
    """

    question: str
    answer: str
    needle: str
    decoys: Sequence[str]
    background: Iterator[str]
    tokens_per_part: float
    opening: str = ""
    render: Callable[[list[str]], str] = "".join
