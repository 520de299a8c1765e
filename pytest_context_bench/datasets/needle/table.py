"""The task `table`: one cell of a Markdown table."""

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw
from pytest_context_bench.datasets.needle.record_kinds import Kind
from pytest_context_bench.datasets.needle.records import Record, records, to_pieces

_TOKENS_PER_ROW = 35


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    source = records(draw, size // _TOKENS_PER_ROW)
    needle, decoys, background = to_pieces(source, _row)
    return Draft(
        question=source.question,
        answer=source.answer,
        needle=needle,
        decoys=decoys,
        background=background,
        tokens_per_part=1.073,
        opening=_header(source.kind),
    )


def _header(kind: Kind) -> str:
    names = {field: field.capitalize() for field in kind.fields}
    return f"## {kind.title}\n\n" + _row(names) + _row(dict.fromkeys(names, "---"))


def _row(record: Record) -> str:
    return "| " + " | ".join(record.values()) + " |\n"
