"""Functions to call, and issues to resolve."""

import json
from dataclasses import replace
from typing import Any

from pytest_context_bench.datasets.mappings.tools import tool
from pytest_context_bench.datasets.record import Record

UNANSWERED = ("irrelevance", "live_irrelevance")
_LANGUAGES = ("java", "javascript")
_TASK = (
    "Call the functions that this needs, or none if none fits. As text, a call is [name(parameter=value)]."
)


def bfcl(record: Record) -> dict[str, Any]:
    """Read a request and the functions at hand; where none fits, no call is expected."""
    functions = [dict(part.columns) for part in record.parts("function")]
    language = str(record.config) if record.config in _LANGUAGES else ""
    return {
        **_asked(_conversation(record), functions, language),
        "expected_calls": [] if record.config in UNANSWERED else record.values("ground_truth"),
    }


def apigen(record: Record) -> dict[str, Any]:
    """Read a request, the functions at hand, and the calls to make, which are JSON in texts."""
    functions, calls = _parsed(record, "tools"), _parsed(record, "answers")
    return {**_asked(record.text("query"), functions), "expected_calls": calls}


def swebench(record: Record) -> dict[str, Any]:
    """Read an issue; the tests that a solution must pass stay where they are."""
    issue = record.text("problem_statement")
    return {
        "context": f"Repository: {record.text('repo')}\n\nIssue:\n{issue}",
        "question": "Write a patch, as a unified diff, that resolves the issue.",
        "answer": record.text("patch"),
        **{name: record.text(name) for name in ("repo", "base_commit", "version")},
    }


def _asked(request: str, functions: list[dict[str, Any]], language: str = "") -> dict[str, Any]:
    """Return what a system is asked, with the functions as text, as tools of an API, and as they are."""
    return {
        "context": json.dumps(functions, ensure_ascii=False),
        "question": f"{request}\n\n{_TASK}",
        "tools": [tool(function, language) for function in functions],
        "functions": functions,
        **({"language": language} if language else {}),
    }


def _conversation(record: Record) -> str:
    """Return the messages of the first turn; who said each, where others than one user did."""
    messages = replace(record, columns={"question": record.values("question")[0]}).parts("question")
    said = [(message.text("role"), message.text("content")) for message in messages]
    if [role for role, _ in said if role != "system"] == ["user"]:
        return "\n\n".join(content for _, content in said)
    return "\n\n".join(f"[{role}]\n{content}" for role, content in said)


def _parsed(record: Record, column: str) -> list[dict[str, Any]]:
    parsed = json.loads(record.text(column))
    return [dict(part.columns) for part in replace(record, columns={column: parsed}).parts(column)]
