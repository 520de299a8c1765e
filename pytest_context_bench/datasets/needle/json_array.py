"""The task `json`: one field of one record in a JSON array, as a tool would return it."""

import json

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw
from pytest_context_bench.datasets.needle.records import Record, records, to_pieces

_TOKENS_PER_RECORD = 60


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    source = records(draw, size // _TOKENS_PER_RECORD)
    needle, decoys, background = to_pieces(source, _row)
    return Draft(
        question=source.question,
        answer=source.answer,
        needle=needle,
        decoys=decoys,
        background=background,
        tokens_per_part=1.068,
        opening="[\n",
        render=lambda rows: "".join(rows).removesuffix(",\n") + "\n]",
    )


def _row(record: Record) -> str:
    typed = {field: int(value) if value.isdigit() else value for field, value in record.items()}
    return f"  {json.dumps(typed)},\n"
