"""Instructions whose following can be checked."""

from typing import Any

from pytest_context_bench.datasets.record import Record


def ifeval(record: Record) -> dict[str, Any]:
    """Read a prompt and its checks; a null is an argument that a check does not have."""
    prompt = record.text("prompt")
    checks = record.texts("instruction_id_list")
    arguments = [
        {name: value for name, value in part.columns.items() if value is not None}
        for part in record.parts("kwargs")
    ]
    if len(arguments) != len(checks):
        raise record.problem(f"{len(checks)} instructions with arguments for {len(arguments)}")
    return {
        "question": prompt,
        "prompt": prompt,
        "instruction_id_list": checks,
        "kwargs": arguments,
    }
