"""Report files, each written whole or not at all."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pytest_context_bench.excerpt import one_line
from pytest_context_bench.plain import worded
from pytest_context_bench.reports.formats import FORMATS
from pytest_context_bench.results import EvalResult


def write_reports(reports: Iterable[tuple[str, str]], result: EvalResult) -> list[str]:
    """Write *result* as each (format, path); return what went wrong and where the content is instead."""
    problems = []
    for kind, path in reports:
        try:
            content = FORMATS[kind](result).encode("utf-8", "backslashreplace")
        except Exception as error:  # noqa: BLE001 - one report must not cost the others
            problems.append(f"report {kind}:{path} could not be made: {worded(error)}")
            continue
        problems.extend(_written(kind, Path(path), content))
    return [one_line(problem) for problem in problems]


def _written(kind: str, path: Path, content: bytes) -> list[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path.resolve(), content)
    except (OSError, ValueError, RuntimeError) as error:  # beside the system's: a null byte, a loop of links
        said = getattr(error, "strerror", None) or error
        return [f"report {kind}:{path} could not be written ({said}){rescued(kind, content)}"]
    return []


def put(path: Path, content: bytes) -> None:
    """Put *content* in the place of *path* at once: a reader never sees half of it."""
    if path.exists() and not path.is_file():  # a pipe or a device is written to, never replaced
        path.write_bytes(content)
        return
    partial = _new(path.parent, ".tmp", content)
    try:
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def rescued(kind: str, content: bytes) -> str:
    """Keep *content*, which could not be written, in the folder for temporary files; say where."""
    try:
        kept = _new(Path(tempfile.gettempdir()), f".{kind}", content)
    except OSError as error:
        return f", nor kept elsewhere ({error.strerror or error})"
    return f"; it is kept in {kept}"


def _new(folder: Path, suffix: str, content: bytes) -> Path:
    """Write a new file, whole or not at all."""
    handle, name = tempfile.mkstemp(suffix, "context-bench-", folder)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except BaseException:  # an interrupt too leaves nothing behind
        path.unlink(missing_ok=True)
        raise
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
