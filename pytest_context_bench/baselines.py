"""Saved results: a folder of them to compare with, to commit or to cache in CI."""

import os
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pytest_context_bench.errors import (
    BadBaselineError,
    ContextBenchError,
    InvalidValueError,
    MissingBaselineError,
)
from pytest_context_bench.pipeline import TEXTS
from pytest_context_bench.reports.files import put
from pytest_context_bench.results import EvalResult

FOLDER = ".context-bench"
SUFFIX = ".json"
CANDIDATE = ".candidate.json"  # what a failing run saves: it becomes the baseline when somebody accepts it
_NAME = re.compile(r"[\w.@+-]+")


@dataclass(frozen=True)
class Baselines:
    """The results saved in *folder*; a name that is a path, or ends in `.json`, is a file elsewhere."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the file of the baseline *name*. Raises InvalidValueError for a name that is none."""
        if is_path(name):
            return Path(name)
        if not _NAME.fullmatch(name) or name.startswith("."):
            raise InvalidValueError(
                "name of a baseline", name, "letters, digits, '.', '-' and '_', or a path"
            )
        return self.folder / f"{name}{SUFFIX}"

    def candidate(self, name: str) -> Path:
        """Return where a failing run saves what might be the baseline *name*."""
        path = self.path(name)
        return path.with_name(path.name.removesuffix(SUFFIX) + CANDIDATE)

    def names(self) -> list[str]:
        """Return the names of the baselines in the folder, sorted."""
        files = self.folder.glob(f"*{SUFFIX}") if self.folder.is_dir() else ()
        return sorted(path.name.removesuffix(SUFFIX) for path in files if not path.name.endswith(CANDIDATE))

    def load(self, name: str) -> EvalResult:
        """Return the baseline *name*.

        Raises MissingBaselineError where there is none, BadBaselineError for a file that is none, and
        NewerSchemaError.
        """
        path = self.path(name)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise MissingBaselineError(name, path, self.names()) from error
        except (OSError, ValueError) as error:
            raise BadBaselineError(path, str(getattr(error, "strerror", None) or error)) from error
        if not text.strip():
            raise BadBaselineError(path, "the file is empty")
        try:
            return EvalResult.from_json(text)
        except ContextBenchError as error:
            raise BadBaselineError(path, str(error)) from error

    def save(self, name: str, result: EvalResult, *, good: bool) -> Path:
        """Write *result*, without the texts of its pairs; return where it is.

        One that is not *good* becomes a candidate, and no baseline is touched. Raises OSError.
        """
        path = self.path(name) if good else self.candidate(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = replace(without_texts(result), config={**result.config, "created": now})
        put(path.resolve(), f"{kept.to_json()}\n".encode("utf-8", "backslashreplace"))
        return path

    def accept(self, name: str) -> Path:
        """Make the candidate the baseline; return its file. Raises MissingBaselineError without one."""
        candidate, path = self.candidate(name), self.path(name)
        if not candidate.is_file():
            raise MissingBaselineError(name, candidate, self.names())
        candidate.replace(path)
        return path


def is_path(name: str) -> bool:
    """Whether the *name* of a baseline is the path of a file."""
    return name.endswith(SUFFIX) or os.sep in name or "/" in name


def without_texts(result: EvalResult) -> EvalResult:
    """Return *result* without the texts of its pairs, which may be large and are not for everyone."""
    rows = [
        replace(row, metadata={key: value for key, value in row.metadata.items() if key != TEXTS})
        for row in result.rows
    ]
    return replace(result, rows=rows)
