"""A temporary folder that can be removed whatever was made of it."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def empty_folder() -> Iterator[Path]:
    """Make an empty folder; remove it, with what it then holds, at the end."""
    folder = Path(tempfile.mkdtemp(prefix="context-bench-"))
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove *folder*, however deep it is: `shutil.rmtree` recurses, and gives up on a thousand levels."""
    with suppress(OSError):  # what the system does not let us remove is left to whoever clears such folders
        while inner := _inner_folders(folder):
            for found in inner:
                for deeper in _inner_folders(found):
                    deeper.rename(folder / secrets.token_hex(8))
                found.rmdir()
        folder.rmdir()


def _inner_folders(folder: Path) -> list[Path]:
    """Remove the files of *folder*; return the folders in it."""
    folder.chmod(0o700)
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if not entry.is_dir(follow_symlinks=False):
            Path(entry.path).unlink()
    return [Path(entry.path) for entry in found if entry.is_dir(follow_symlinks=False)]
