"""The chances of one example: everything random about it is drawn here."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from pytest_context_bench.datasets.needle import (
    code_rules,
    english_phrases,
    english_rules,
    log_rules,
    record_rules,
    words,
)

T = TypeVar("T")
Made = TypeVar("Made", bound=Hashable)
Key = tuple[str, ...]

RULES: Mapping[str, Sequence[Any]] = {
    **words.RULES,
    **english_phrases.RULES,
    **english_rules.RULES,
    **record_rules.RULES,
    **log_rules.RULES,
    **code_rules.RULES,
}
_NESTED = frozenset(
    name
    for name, choices in RULES.items()
    if any(isinstance(choice, str) and "{" in choice for choice in choices)
)
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # without vowels: no tag is a word
_KEPT = 0.5  # share of a key's parts that a near-duplicate keeps


class Draw:
    """Draws the words of one example, the same for one *seed* in every process.

    Only `random()` of the standard generator is used: no other method of it is promised to give the
    same numbers in every Python version.
    """

    def __init__(self, seed: str) -> None:
        self.random = Random(seed).random  # noqa: S311 - repeatable numbers are the aim, not secrets
        self._made: set[Hashable] = set()

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to *bound* - 1."""
        return int(self.random() * bound)

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of *choices*."""
        return choices[int(self.random() * len(choices))]

    def text(self, template: str, **bound: object) -> str:
        """Return *template* with each slot filled: by its *bound* value, else by the rule of its name."""
        return template.format_map(_Slots(self.random, bound))

    def texts(self, templates: str, **bound: object) -> tuple[str, ...]:
        """Return the text of each of *templates*, which `|` parts."""
        return tuple(templates.format_map(_Slots(self.random, bound)).split("|"))

    def sentence(self, template: str, **bound: object) -> str:
        """Return the text of *template*, starting with a capital."""
        text = template.format_map(_Slots(self.random, bound))
        return text[0].upper() + text[1:]

    def new(self, make: Callable[[], Made]) -> Made:
        """Return the first thing that *make* gives and that this example has not had yet."""
        while (made := make()) in self._made:
            pass
        self._made.add(made)
        return made

    def near(self, key: Key, other: Callable[[], Key]) -> Key:
        """Return a new key that shares some of its parts with *key* and has the rest from *other*."""
        return self.new(
            lambda: tuple(
                mine if self.random() < _KEPT else theirs for mine, theirs in zip(key, other(), strict=True)
            )
        )

    def code(self) -> str:
        """Return a new answer such as `KESTREL-4471`."""
        return self.new(lambda: f"{self.pick(words.CODE_WORDS)}-{1000 + self.below(9000)}")

    def tag(self) -> str:
        """Return a new answer such as `LQ-48213`."""
        return self.new(lambda: f"{self.pick(_LETTERS)}{self.pick(_LETTERS)}-{10_000 + self.below(90_000)}")


class _Slots:
    """The slots of one text, each filled when it is met; what fills one may have slots of its own."""

    __slots__ = ("_bound", "_random")

    def __init__(self, random: Callable[[], float], bound: Mapping[str, object]) -> None:
        self._random = random
        self._bound = bound

    def __getitem__(self, name: str) -> object:
        if name in self._bound:
            return self._bound[name]
        choices = RULES[name]
        chosen = choices[int(self._random() * len(choices))]
        return chosen.format_map(self) if name in _NESTED else chosen
