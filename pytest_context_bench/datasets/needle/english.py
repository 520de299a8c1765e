"""Filler prose: paragraphs about one place and one person each."""

from collections.abc import Iterator

from pytest_context_bench.datasets.needle.draw import Draw

_ABOUT = 0.12  # share of paragraphs that are about the place which the question names


def sentences(draw: Draw, place: str | None = None) -> Iterator[str]:
    """Yield sentences without end, a paragraph's last with the blank line; some are about *place*."""
    while True:
        about = place if place and draw.random() < _ABOUT else draw.text("{place}")
        yield from paragraph(draw, about)


def paragraph(draw: Draw, place: str) -> Iterator[str]:
    """Yield the sentences of a paragraph about *place*."""
    first, surname, friend, family = draw.texts("{first}|{surname}|{first}|{surname}")
    bound = {
        "place": place,
        "hero": f"{first} {surname}",
        "name": surname,
        "other": f"{friend} {family}",
        "friend": friend,
    }
    yield draw.sentence("{opener} ", **bound)
    for _ in range(2 + draw.below(4)):
        yield draw.sentence("{middle} ", **bound)
    yield draw.sentence("{closer}\n\n", **bound)
