"""The rows of a result as CSV, for spreadsheets and data frames."""

import re
from math import isfinite
from typing import Any

from pytest_context_bench.flat import flatten
from pytest_context_bench.plain import dumps, finite, name_of
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

# A spreadsheet runs text that starts so, in some languages with signs of full width. An apostrophe before it
# makes it text again; apostrophes that were there count, so that taking one away gives back what was written.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def to_csv(result: EvalResult) -> str:
    """Return one record a row (RFC 4180): its fields, scores and metadata, in the columns of `flatten`.

    Text is quoted, so that `"18"` is not 18 and an empty text is not the empty cell of what is missing.
    Lists and dicts are JSON; numbers that are not finite are `NaN`, `Infinity` and `-Infinity`.
    """
    flat = flatten([EvalRow.from_dict(row.to_dict()) for row in result.rows])
    records: list[list[Any]] = [
        flat.columns,
        *([line.get(column) for column in flat.columns] for line in flat.lines),
    ]
    return "".join(f"{','.join(map(_cell, record))}\r\n" for record in records)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict | list):
        return _quoted(dumps(finite(value, name_of)))
    if isinstance(value, float) and not isfinite(value):
        return name_of(value)
    return dumps(value)


def _quoted(text: str) -> str:
    guarded = f"'{text}" if _FORMULA.match(text) else text
    # Readers end a text at a NUL, or refuse the file.
    escaped = guarded.replace("\0", "\\x00").replace('"', '""')
    return f'"{escaped}"'
