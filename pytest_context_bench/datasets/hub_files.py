"""Finds the files of a data set on the hub, or in the hub's cache, and fetches them."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote

from pytest_context_bench.datasets.hub_errors import SourceError, worded

_TIMEOUT = 20.0  # seconds for one answer of the hub's API
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHARD = re.compile(r"-\d{5}-of-(\d{5})")


@dataclass(frozen=True)
class Listing:
    """The files of a data set that are wanted, by path, and their bytes where the hub says them."""

    repo: str
    revision: str
    sizes: dict[str, int | None]

    def urls(self) -> list[str]:
        """Return where `datasets` streams the files from."""
        revision = quote(self.revision, safe="")
        return [f"hf://datasets/{self.repo}@{revision}/{path}" for path in self.sizes]

    def bytes(self) -> int:
        """Return the size of all files."""
        return sum(size or 0 for size in self.sizes.values())


@dataclass(frozen=True)
class Repository:
    """A data set on the hub at *revision*; *what* names it to the user."""

    repo: str
    revision: str
    what: str

    def listing(self, pattern: str) -> Listing:
        """Return the files that match *pattern*, from the hub. Raises SourceError."""
        from huggingface_hub import HfApi

        try:
            info = HfApi().dataset_info(
                self.repo, revision=self.revision, files_metadata=True, timeout=_TIMEOUT
            )
        except Exception as error:
            raise self.failure(error) from error
        sizes = {file.rfilename: file.size for file in info.siblings or ()}
        found = {path: sizes[path] for path in sorted(_matching(sizes, pattern))}
        if not found:
            raise self._nothing(pattern, sizes)
        return Listing(self.repo, self.revision, found)

    def check_access(self, path: str) -> None:
        """Ask for the head of a file, as the hub names no reason within a stream. Raises SourceError."""
        from huggingface_hub import get_hf_file_metadata, hf_hub_url

        try:
            get_hf_file_metadata(
                hf_hub_url(self.repo, path, repo_type="dataset", revision=self.revision), timeout=_TIMEOUT
            )
        except Exception as error:
            raise self.failure(error) from error

    def fetched(self, paths: Iterable[str]) -> list[Path]:
        """Return the local copies of the files, downloaded where they are not there. Raises SourceError."""
        from huggingface_hub import hf_hub_download

        try:
            return [
                Path(hf_hub_download(self.repo, path, repo_type="dataset", revision=self.revision))
                for path in paths
            ]
        except Exception as error:
            raise self.failure(error) from error

    def cached(self, pattern: str, *, whole: bool) -> list[Path]:
        """Return the local copies of the files that match *pattern*, as far as they are there.

        None unless they are known to be all, where the *whole* is wanted.
        """
        folder = self._snapshot()
        if folder is None:
            return []
        paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        found = sorted(_matching(paths, pattern))
        if whole and not _is_whole(found, pattern):
            return []
        return [paths[path] for path in found]

    @property
    def pinned(self) -> bool:
        """Whether the files of the revision never change."""
        return _COMMIT.fullmatch(self.revision) is not None

    def failure(self, error: Exception) -> SourceError:
        """Return what *error* of the hub's libraries means to the user."""
        return SourceError(self.what, *worded(error, _endpoint(), self.repo))

    def not_cached(self) -> SourceError:
        """Return the error of a run that is offline."""
        from huggingface_hub import constants

        return SourceError(
            self.what,
            f"not in the cache ({constants.HF_HUB_CACHE}), and the run is offline",
            "run once without --context-bench-offline, HF_HUB_OFFLINE and HF_DATASETS_OFFLINE",
        )

    def _snapshot(self) -> Path | None:
        """Return the folder of the revision in the hub's cache."""
        from huggingface_hub import constants

        home = Path(constants.HF_HUB_CACHE) / f"datasets--{self.repo.replace('/', '--')}"
        commit = self.revision
        if not self.pinned:
            ref = home / "refs" / self.revision
            commit = ref.read_text(encoding="utf-8").strip() if ref.is_file() else ""
        folder = home / "snapshots" / commit
        return folder if commit and folder.is_dir() else None

    def _nothing(self, pattern: str, paths: Iterable[str]) -> SourceError:
        page = f"{_endpoint()}/datasets/{self.repo}"
        script = f"{self.repo.rpartition('/')[2]}.py"
        if script in paths:
            return SourceError(
                self.what,
                f"it is a script ({script}), which `datasets` no longer runs",
                f"name a source of plain files, or the hub's own conversion (see {page})",
            )
        return SourceError(
            self.what, f"no file matches {pattern!r}", f"see how its files are laid out at {page}"
        )


def go_offline() -> None:
    """Tell the hub's libraries, where they are not imported yet, to stay off the network."""
    if "huggingface_hub" not in sys.modules:
        os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"


def is_offline() -> bool:
    """Whether the environment says to stay off the network."""
    names = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE")
    return any(os.environ.get(name, "").upper() in {"1", "ON", "YES", "TRUE"} for name in names)


def _matching(paths: Iterable[str], pattern: str) -> list[str]:
    """Return those of *paths* that match; `*` stays within a folder."""
    depth = pattern.count("/")
    return [path for path in paths if path.count("/") == depth and fnmatchcase(path, pattern)]


def _is_whole(found: Sequence[str], pattern: str) -> bool:
    """Whether *found* is all that matches: one file by name, or every shard of those that say how many."""
    if "*" not in pattern:
        return bool(found)
    shards = {match[1] for path in found if (match := _SHARD.search(path))}
    return len(shards) == 1 and len(found) == int(shards.pop())


def _endpoint() -> str:
    from huggingface_hub import constants

    return constants.ENDPOINT
