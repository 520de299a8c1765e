"""What GitHub Actions shows of a run: the summary of its step, and annotations for gates that are not met."""

import os
from pathlib import Path

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.plain import worded
from pytest_context_bench.reports.markdown import to_markdown
from pytest_context_bench.reports.terminal import verdict_line
from pytest_context_bench.results import EvalResult

SUMMARY = "GITHUB_STEP_SUMMARY"  # the variable with the path of the file that a step's summary is read from
LARGEST = 1024 * 1024 - 1  # bytes: GitHub refuses a file of 1 MiB, whoever wrote into it before
ANNOTATIONS = 10  # GitHub shows no more of a step
CUT = "\n\nThe rest is cut: GitHub shows less than 1 MiB of a step.\n"


def add_summary(result: EvalResult) -> list[str]:
    """Add *result* to the summary of the step, where there is one; say what went wrong.

    Nobody asked for it by name, as for a report: that it cannot be written is no failure of the run.
    """
    path = os.environ.get(SUMMARY)
    if not path:
        return []
    try:
        content = f"\n{to_markdown(result)}".encode("utf-8", "backslashreplace")
        _append(Path(path), content)
    except Exception as error:  # noqa: BLE001 - see above
        return [one_line(f"the summary of the step could not be written: {worded(error)}")]
    return []


def annotations(result: EvalResult) -> list[str]:
    """Return a workflow command for each gate that is not met, where GitHub runs this; the last may count."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return []
    said = [verdict_line(verdict) for verdict in result.verdicts if not verdict.passed]
    if len(said) > ANNOTATIONS:
        kept = said[: ANNOTATIONS - 1]
        said = [*kept, f"{len(said) - len(kept)} more gates are not met"]
    return [
        f"::error title={_escaped('context-bench: gate not met', ':,')}::{_escaped(text)}" for text in said
    ]


def _append(path: Path, content: bytes) -> None:
    room = LARGEST - (path.stat().st_size if path.exists() else 0)
    with path.open("ab") as file:
        file.write(_shortened(content, room))


def _shortened(content: bytes, room: int) -> bytes:
    """Return *content*, or as many of its lines as there is *room* for, and a mark."""
    if len(content) <= room:
        return content
    mark = CUT.encode()
    if room < len(mark):
        raise OSError(f"there is no room left in the {LARGEST + 1:,} bytes that GitHub shows")
    kept = content[: room - len(mark)]
    return kept[: kept.rfind(b"\n") + 1] + mark


def _escaped(text: str, beyond: str = "") -> str:
    """Return *text* as a workflow command takes it; in a property it has no sign of *beyond*."""
    return "".join(f"%{ord(sign):02X}" if sign in f"%\r\n{beyond}" else sign for sign in text)
