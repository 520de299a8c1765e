"""Saved results: a folder of them to compare with, to commit or to cache in CI."""

import os
import re
import shlex
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pytest_context_bench.errors import (
    BadBaselineError,
    ContextBenchError,
    InvalidValueError,
    MissingBaselineError,
    NoCandidateError,
    UnnamedBaselineError,
    UnwritableBaselineError,
)
from pytest_context_bench.pipeline import TEXTS
from pytest_context_bench.reports.files import put, rescued
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
        return [name.removesuffix(SUFFIX) for name in self._files() if not name.endswith(CANDIDATE)]

    def candidates(self) -> list[str]:
        """Return the names under which candidates wait in the folder, sorted."""
        return [name.removesuffix(CANDIDATE) for name in self._files() if name.endswith(CANDIDATE)]

    def _files(self) -> list[str]:
        found = self.folder.glob(f"*{SUFFIX}") if self.folder.is_dir() else ()
        return sorted(path.name for path in found)

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

    def find(self, name: str | None, *, required: bool) -> tuple[EvalResult | None, str]:
        """Return the baseline *name*, if one is named, or why it is missing.

        Raises UnnamedBaselineError and MissingBaselineError where one is *required*, and as `load` does.
        """
        if name is None:
            if required:
                raise UnnamedBaselineError(self.names())
            return None, ""
        try:
            return self.load(name), ""
        except MissingBaselineError as error:
            if required:
                raise
            return None, str(error)

    def check(self, name: str) -> None:
        """Check, before anything runs, that *name* can be saved.

        Raises InvalidValueError or UnwritableBaselineError.
        """
        path = self.path(name)
        if path.is_dir():
            raise UnwritableBaselineError(path, "it is a folder")
        folder = next(folder for folder in path.absolute().parents if folder.exists())
        if not folder.is_dir():
            raise UnwritableBaselineError(path, f"{str(folder)!r} is no folder")
        if not os.access(folder, os.W_OK):
            raise UnwritableBaselineError(path, f"{str(folder)!r} is not to be written to")

    def save(self, name: str, result: EvalResult, *, well: bool, start: Path) -> str:
        """Write *result*, without the texts of its pairs; say where it is, as seen from *start*.

        If its run did not go *well*, or was of a part, it becomes a candidate, and no baseline is touched.
        Raises UnwritableBaselineError.
        """
        if not result.rows:
            return f"nothing to save as baseline {name!r}: no pair has a row"
        why = _doubt(result, well=well)
        path = self.candidate(name) if why else self.path(name)
        self._write(path, result)
        shown = path.absolute().relative_to(start) if path.absolute().is_relative_to(start) else path
        if not why:
            return f"saved as baseline {name!r}: {shown}"
        accept = shlex.join(["context-bench", "baseline", "accept", name, *self._flags(name, start)])
        return f"not saved as baseline {name!r}, since {why}: {shown} ({accept})"

    def _write(self, path: Path, result: EvalResult) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = replace(without_texts(result), config={**result.config, "created": now})
        content = f"{kept.to_json()}\n".encode("utf-8", "backslashreplace")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path.resolve(), content)
        except (OSError, ValueError, RuntimeError) as error:  # a null byte in its name, a loop of links
            said = getattr(error, "strerror", None) or error
            raise UnwritableBaselineError(path, f"{said}{rescued('json', content)}") from error

    def _flags(self, name: str, start: Path) -> list[str]:
        """Return what a command that is given at *start* takes to find the baseline *name*."""
        usual = is_path(name) or self.folder.absolute() == start / FOLDER
        return [] if usual else ["--baseline-dir", str(self.folder)]

    def accept(self, name: str) -> Path:
        """Make the candidate the baseline; return its file. Raises NoCandidateError and as `load` does."""
        candidate, path = self.candidate(name), self.path(name)
        if not candidate.is_file():
            raise NoCandidateError(name, candidate, self.candidates())
        self.load(str(candidate))
        candidate.replace(path)
        return path


def is_path(name: str) -> bool:
    """Whether the *name* of a baseline is the path of a file."""
    return name.endswith(SUFFIX) or os.sep in name or "/" in name


def _doubt(result: EvalResult, *, well: bool) -> str:
    """Say why *result* should not become the baseline by itself, or nothing."""
    if not well or result.config.get("partial"):
        return "the run did not go well"
    return "the run was of selected pairs" if result.config.get("narrowed") else ""


def without_texts(result: EvalResult) -> EvalResult:
    """Return *result* without the texts of its pairs, which may be large and are not for everyone."""
    rows = [
        replace(row, metadata={key: value for key, value in row.metadata.items() if key != TEXTS})
        for row in result.rows
    ]
    return replace(result, rows=rows)
