"""Elements of SVG as markup, in which all that is text is escaped."""

from collections.abc import Iterable
from unicodedata import east_asian_width

from markupsafe import Markup, escape

LETTER = 7.2  # units that a letter of a label is wide, at most: 12 units high, 14 on a small screen


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """Return an element; `text_anchor=` is the attribute `text-anchor`, `class_=` is `class`."""
    named = (
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), value)
        for name, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(tag, Markup("").join(named), joined(children))


def joined(children: Iterable[str]) -> Markup:
    """Return *children* one after the other; those that are no markup are text."""
    return Markup("").join(map(escape, children))


def picture(name: str, said: str, size: tuple[float, float], *children: str) -> Markup:
    """Return a whole chart, called *name* and told in words by *said*, to readers who cannot see it."""
    width, height = size
    return element(
        "svg",
        element("title", name),
        element("desc", said),
        *children,
        class_="chart",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_label=f"{name}. {said}",
    )


def text(content: str, x: float, y: float, class_: str = "label", anchor: str = "start") -> Markup:
    """Return *content* at a point of its base line."""
    return element("text", content, x=number(x), y=number(y), class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return element("line", x1=number(x1), y1=number(y1), x2=number(x2), y2=number(y2), class_=class_)


def number(value: float) -> str:
    """Write a coordinate: a tenth of a unit is less than anybody sees."""
    return f"{value:.1f}".removesuffix(".0")


def cells(content: str) -> int:
    """Return how many letters wide *content* is; those of East Asia take the room of two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in content)


def shortened(name: str, limit: int) -> str:
    """Leave out the middle of a *name* wider than *limit* letters: variants often differ at the end."""
    if cells(name) <= limit:
        return name
    return f"{_fitting(name, (limit - 1) // 2)}…{_fitting(name[::-1], limit // 2 - 1)[::-1]}"


def _fitting(name: str, limit: int) -> str:
    kept, room = [], limit
    for letter in name[:limit]:
        room -= cells(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept)
