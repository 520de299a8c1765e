"""Makes the examples: example *i* of a task and size is a pure function of the three."""

from collections.abc import Callable
from typing import Any

from pytest_context_bench.datasets.needle import (
    json_array,
    log,
    multi_key,
    prose,
    python_module,
    table,
    trace,
)
from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw
from pytest_context_bench.datasets.needle.layout import lay_out
from pytest_context_bench.errors import UnknownNameError

_DRAFTS: dict[str, Callable[[Draw, int], Draft]] = {
    "prose": prose.draft,
    "multi-key": multi_key.draft,
    "trace": trace.draft,
    "json": json_array.draft,
    "log": log.draft,
    "table": table.draft,
    "code": python_module.draft,
}


def generate(task: str, size: int, index: int) -> dict[str, Any]:
    """Return example *index* of *task*: a context of *size* tokens that holds its answer once.

    Raises UnknownNameError for a task that is none of TASKS.
    """
    if task not in _DRAFTS:
        raise UnknownNameError("needle task", task, _DRAFTS)
    draw = Draw(f"{task}/{size}/{index}")
    draft = _DRAFTS[task](draw, size)
    context = lay_out(draft, size, index, draw)
    return {"id": index, "context": context, "question": draft.question, "answer": draft.answer}
