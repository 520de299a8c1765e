"""Records of tool output, whichever way they are written down."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pytest_context_bench.datasets.needle.draw import Draw, Key
from pytest_context_bench.datasets.needle.record_kinds import KINDS, Kind

Record = dict[str, str]


@dataclass(frozen=True)
class Records:
    """One needle among records of its kind."""

    kind: Kind
    question: str
    answer: str
    needle: Record
    decoys: list[Record]
    background: Iterator[Record]


def records(draw: Draw, count: int) -> Records:
    """Return a needle, and decoys that suit a context of *count* records."""
    kind, answer = draw.pick(KINDS), draw.tag()
    asked = draw.new(lambda: _key(draw, kind))
    named = dict(zip(kind.keys, asked, strict=True))
    others = [draw.near(asked, lambda: _key(draw, kind)) for _ in range(count // 4)]
    mentions = [draw.text(draw.pick(kind.mentions), **named) for _ in range(max(2, count // 11))]
    return Records(
        kind=kind,
        question=draw.text(kind.question, **named),
        answer=answer,
        needle=_record(draw, kind, asked, **{kind.target: answer}),
        decoys=[_record(draw, kind, other) for other in others]
        + [_record(draw, kind, _unrelated(draw, kind), **{kind.remark: mention}) for mention in mentions],
        background=_background(draw, kind),
    )


def to_pieces(source: Records, row: Callable[[Record], str]) -> tuple[str, list[str], Iterator[str]]:
    """Return needle, decoys and background as the pieces that *row* makes of them."""
    return row(source.needle), [row(decoy) for decoy in source.decoys], map(row, source.background)


def _record(draw: Draw, kind: Kind, key: Key, **known: str) -> Record:
    known = {kind.target: draw.tag(), **dict(zip(kind.keys, key, strict=True)), **known}
    values = draw.texts(kind.row_template, **known)
    return dict(zip(kind.fields, values, strict=True))


def _background(draw: Draw, kind: Kind) -> Iterator[Record]:
    while True:
        yield _record(draw, kind, _unrelated(draw, kind))


def _unrelated(draw: Draw, kind: Kind) -> Key:
    return draw.new(lambda: _key(draw, kind))


def _key(draw: Draw, kind: Kind) -> Key:
    return draw.texts(kind.key_template)
