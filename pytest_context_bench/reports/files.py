"""Report files, each written whole or not at all."""

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pytest_context_bench.plain import dumps
from pytest_context_bench.results import EvalResult


def to_jsonl(result: EvalResult) -> str:
    """Return one JSON line a row."""
    return "".join(f"{dumps(row.to_dict())}\n" for row in result.rows)


FORMATS: Mapping[str, Callable[[EvalResult], str]] = {
    "json": lambda result: result.to_json() + "\n",
    "jsonl": to_jsonl,
}


def write_reports(reports: Iterable[tuple[str, str]], result: EvalResult) -> list[str]:
    """Write *result* as each (format, path); return what went wrong and where the content is instead."""
    problems = []
    for kind, path in reports:
        try:
            content = FORMATS[kind](result)
        except Exception as error:  # noqa: BLE001 - one report must not cost the others
            problems.append(f"report {kind}:{path} could not be made: {type(error).__name__}: {error}")
            continue
        problems.extend(_written(kind, Path(path), content))
    return problems


def _written(kind: str, path: Path, content: str) -> list[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
    except OSError as error:
        return [
            f"report {kind}:{path} could not be written ({error.strerror or error}){_rescued(content, path)}"
        ]
    return []


def _replace(path: Path, content: str) -> None:
    """Put *content* in the place of *path* at once: a reader never sees half of it."""
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
        Path(partial).chmod(0o666 & ~_umask())
        Path(partial).replace(path)
    except OSError:
        Path(partial).unlink(missing_ok=True)
        raise


def _rescued(content: str, path: Path) -> str:
    """Keep *content* in the folder for temporary files; say where."""
    try:
        handle, kept = tempfile.mkstemp(prefix="context-bench-", suffix=path.suffix)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError:
        return ""
    return f"; it is kept in {kept}"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
