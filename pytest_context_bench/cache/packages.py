"""Tells code that was installed, known by its release, from code of the user's own, known by what it says."""

import os
import sys
import sysconfig
from functools import cache
from hashlib import blake2b
from importlib import metadata
from pathlib import Path

INSTALLED = ("site-packages", "dist-packages")


@cache
def release_of_module(name: str) -> str | None:
    """Return the release of the installed package that module *name* belongs to; None for the user's own."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return "python"
    module = sys.modules.get(name) or sys.modules.get(top)
    file = getattr(module, "__file__", None)
    return None if file is None else release_of_file(file)


@cache
def release_of_file(path: str) -> str | None:
    """Return the release of the installed package that the file at *path* is of; None for the user's own."""
    parts = Path(path).parts
    for folder in INSTALLED:
        if folder in parts[:-1]:
            below = parts.index(folder) + 1
            return _release(parts[below].partition(".")[0])
    standard = [f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib")]
    return "python" if path.startswith(("<frozen ", *standard)) else None


@cache
def _release(top: str) -> str:
    """Return version and content of the distributions that top-level package *top* is installed from."""
    try:
        found = [metadata.distribution(top)]
    except metadata.PackageNotFoundError:
        names = sorted(set(metadata.packages_distributions().get(top, ())))
        found = [metadata.distribution(name) for name in names]
    return " ".join([top, *(f"{one.version} {_content(one)}" for one in found)])


def _content(distribution: metadata.Distribution) -> str:
    """Digest what RECORD says of the package's files: two builds may share a version."""
    lines = (distribution.read_text("RECORD") or "").splitlines()
    # Scripts and what the installer notes down differ from one environment to the next.
    own = [line for line in lines if not line.startswith("..") and ".dist-info/" not in line]
    code = sorted(line for line in own if ".pyc," not in line)
    return blake2b("\n".join(code).encode(), digest_size=8).hexdigest()
