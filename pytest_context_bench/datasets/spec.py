"""What a user names: `NAME[:config][@split]`."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_context_bench.errors import UnknownNameError


@dataclass(frozen=True)
class Spec:
    """A data set by name, and the config and split of it that are wanted, where they are said."""

    name: str
    config: str | None = None
    split: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Return what *text* names."""
        rest, at, split = text.partition("@")
        name, colon, config = rest.partition(":")
        return cls(name, config if colon else None, split if at else None)

    def one_of(self, part: str, valid: Iterable[str], default: str) -> str:
        """Return the `config` or `split` that is wanted. Raises UnknownNameError unless it is *valid*."""
        wanted: str | None = getattr(self, part)
        if wanted is None:
            return default
        names = tuple(valid)
        if wanted not in names:
            raise UnknownNameError(f"{part} of {self.name}", wanted, names)
        return wanted
