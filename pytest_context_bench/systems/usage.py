"""What a call took, in tokens: as reported, else as counted here."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_context_bench.outputs import ESTIMATED
from pytest_context_bench.tokens import counter, texts


def with_usage(
    facts: Mapping[str, Any],
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Any],
    said: Sequence[Any],
) -> dict[str, Any]:
    """Return *facts* with the tokens of prompt and completion.

    Where an endpoint reported none, those of *messages* and *tools*, or of what was *said*, are counted
    in cl100k_base and `usage_estimated` is set.
    """
    spent = {"prompt_tokens": (*messages, *map(_written, tools)), "completion_tokens": said}
    missing = {key: parts for key, parts in spent.items() if not facts.get(key)}
    if not missing:
        return dict(facts)
    return {**facts, **{key: _count(parts) for key, parts in missing.items()}, ESTIMATED: True}


def _count(parts: Iterable[Any]) -> int:
    count = counter().count
    return sum(count(text) for part in parts for text in texts(part))


def _written(tool: Any) -> str:
    return json.dumps(tool, ensure_ascii=False, default=str)
