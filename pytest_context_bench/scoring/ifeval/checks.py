"""What an instruction comes down to: a question about one text, answered yes or no."""

from collections.abc import Callable
from typing import TypeAlias

Check: TypeAlias = Callable[[str], bool]
Relation: TypeAlias = Callable[[int, int], bool]


def counted(count: Callable[[str], int], relation: Relation, bound: int) -> Check:
    """Return the check that what *count* finds in a text stands in *relation* to *bound*."""
    return lambda text: relation(count(text), bound)
