"""A temporary folder that can be removed whatever was made of it."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LEVELS = 10  # the longest names, so many levels down, still make a path that the system takes


@contextmanager
def empty_folder() -> Iterator[Path]:
    """Make an empty folder; remove it, with what it then holds, at the end."""
    folder = Path(tempfile.mkdtemp(prefix="context-bench-"))
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(top: Path) -> None:
    """Remove *top*, however deep it is: `shutil.rmtree` recurses, and gives up on a thousand levels."""
    with suppress(OSError):  # what the system does not let us remove is left to whoever clears such folders
        while inner := _without_files(top):
            for folder in inner:
                _remove_below(folder, top, _LEVELS)
        top.rmdir()


def _remove_below(folder: Path, top: Path, levels: int) -> None:
    """Remove *folder*, but move what is more *levels* down into *top*."""
    for inner in _without_files(folder):
        if levels:
            _remove_below(inner, top, levels - 1)
        else:
            inner.rename(top / secrets.token_hex(8))
    folder.rmdir()


def _without_files(folder: Path) -> list[Path]:
    """Remove the files of *folder*; return the folders in it."""
    folder.chmod(0o700)
    with os.scandir(folder) as found:
        entries = [(Path(entry.path), entry.is_dir(follow_symlinks=False)) for entry in found]
    for path, is_folder in entries:
        if not is_folder:
            path.unlink()
    return [path for path, is_folder in entries if is_folder]
