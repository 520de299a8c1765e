"""Loads files of the hub with the builders of `datasets`: mapped into memory, or the first few streamed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_context_bench.datasets.hub_errors import SourceError
from pytest_context_bench.datasets.hub_files import Repository
from pytest_context_bench.datasets.json_array import JsonArray, NoArrayError
from pytest_context_bench.errors import brief

LARGE = 32 << 20  # bytes from which a few records are streamed and not downloaded
FEW = 200
_BUILDERS: Mapping[str, str] = {
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "text",
}
# Kept as text, objects that differ lose or gain nothing on the way.
LINES = "lines"  # JSON lines
ARRAY = "array"  # a JSON array, of which no more is read than is asked for
_OPTIONS: Mapping[str, dict[str, Any]] = {
    "csv": {"keep_default_na": False},  # a cell that reads `NA` or `null` is that text
    "tsv": {"keep_default_na": False, "sep": "\t"},
}


@dataclass(frozen=True)
class Loading:
    """One split: the files that match *pattern*, in *member* of which it is where they are zipped."""

    repository: Repository
    pattern: str
    member: str
    split: str
    builder: str

    @classmethod
    def of(cls, repository: Repository, pattern: str, split: str, form: str | None) -> "Loading":
        """Return what *pattern*, `[zip://MEMBER::]FILES`, asks for."""
        member, _, files = pattern.rpartition("::")
        suffix = Path(member or files).suffix
        return cls(repository, files, member, split, "text" if form == LINES else form or _BUILDERS[suffix])

    def rows(self, n: int | None, *, offline: bool) -> Any:
        """Return the first *n* rows, a list or a mapped table. Raises SourceError."""
        files = self._local(offline=offline)
        if not files:
            listing = self.repository.listing(self.pattern)
            if n is not None and n <= FEW and listing.bytes() > LARGE:
                self.repository.check_access(next(iter(listing.sizes)))
                return self._streamed(listing.urls(), n)
            files = [str(path) for path in self.repository.fetched(listing.sizes)]
        table = self._built(files, streaming=False)
        return table if n is None or n >= len(table) else table.select(range(n))

    def _local(self, *, offline: bool) -> list[str]:
        if not offline and not self.repository.pinned:
            return []
        found = self.repository.cached(self.pattern, whole=not offline)
        if offline and not found:
            raise self.repository.not_cached()
        return [str(path) for path in found]

    def _streamed(self, urls: Sequence[str], n: int) -> Any:
        try:
            if self.builder == ARRAY:
                return self._first_of_array(urls[0], n)
            return list(self._built(urls, streaming=True).take(n))
        except SourceError:
            raise
        except Exception as error:
            raise self.repository.failure(error) from error

    def _built(self, files: Sequence[str], *, streaming: bool) -> Any:
        named = [f"{self.member}::{file}" if self.member else file for file in files]
        try:
            if self.builder == ARRAY:
                return JsonArray.of_file(Path(files[0]))
            import datasets

            # It would count the use of the builder, at a host that is not the hub, even offline.
            datasets.config.HF_UPDATE_DOWNLOAD_COUNTS = False
            return datasets.load_dataset(
                self.builder,
                data_files={self.split: named},
                split=self.split,
                streaming=streaming,
                **_OPTIONS.get(Path(self.pattern).suffix[1:], {}),
            )
        except Exception as error:
            raise self._unreadable(error) from error

    def _first_of_array(self, url: str, n: int) -> JsonArray:
        from huggingface_hub import HfFileSystem

        with HfFileSystem().open(url, "rb") as file:
            try:
                return JsonArray.first(n, file)
            except NoArrayError as error:
                raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> SourceError:
        cause = error.__cause__ or error
        problem = f"its files cannot be read ({type(cause).__name__}: {brief(str(cause), 200)})"
        remedy = "they may be damaged, or have another form than this release knows"
        return SourceError(self.repository.what, problem, remedy)
