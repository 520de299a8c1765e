"""The file that holds the cache: one SQLite database, safe to share between threads and processes."""

import os
import sqlite3
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from pytest_context_bench.errors import CacheError, NoCacheError

FILE = "context-bench.sqlite3"
OUTPUTS, SCORES, COUNTS = TABLES = ("outputs", "scores", "counts")
_OWNER = 0x70634263  # how the file says whose it is
_FORMAT = 2
_WAIT = 10.0  # seconds to wait for another process that writes
_FAILURES = 3  # so many in a row, and no more is written: each may have waited


class Store:
    """Texts by key. A write is whole, and stays once it returned, whatever becomes of the process.

    What cannot be read is not there, and what cannot be written is not kept: *note* is told of both.
    Raises CacheError for a file that is no cache.
    """

    def __init__(self, folder: Path, note: Callable[[str], None]) -> None:
        self._path = folder / FILE
        self._note = note
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._failures = 0
        _close_for_forks(self)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for table in TABLES:
                self._run(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608 - our own names
        except (OSError, sqlite3.Error) as error:
            raise CacheError(self._path, str(getattr(error, "strerror", None) or error)) from error

    def read(self, table: str, key: str) -> str | None:
        """Return the text under *key*."""
        try:
            rows = self._run(f"SELECT content FROM {table} WHERE key = ?", key)  # noqa: S608 - our own names
        except sqlite3.Error as error:
            self._note(f"it could not be read ({error})")
            return None
        return rows[0][0] if rows else None

    def write(self, table: str, key: str, content: str, name: str = "") -> None:
        """Put *content* under *key*; *name* says for people what gave it."""
        if self._failures >= _FAILURES:
            self._note("no more is kept, after failures to write")
            return
        try:
            self._run(
                f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)",  # noqa: S608 - our own names
                key,
                content,
                name,
                int(time.time()),
            )
            self._failures = 0
        except sqlite3.Error as error:
            self._failures += 1
            self._note(f"it could not be written ({error})")

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        self.pause()
        self.resume()

    def pause(self) -> None:
        """Close the file, and let nobody open it until `resume`."""
        self._lock.acquire()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def resume(self) -> None:
        """Let the file be opened again."""
        self._lock.release()

    def _run(self, statement: str, *values: str | int) -> list[Any]:
        with self._lock:
            if self._connection is None:
                self._connection = _connect(self._path)
            return self._connection.execute(statement, values).fetchall()


def _close_for_forks(store: Store) -> None:
    """Close the file while the process forks: SQLite's records of locks are wrong in the child."""
    alive = weakref.ref(store)

    def pause() -> None:
        if (one := alive()) is not None:
            one.pause()

    def resume() -> None:
        if (one := alive()) is not None:
            one.resume()

    if hasattr(os, "register_at_fork"):  # not where processes do not fork
        os.register_at_fork(before=pause, after_in_parent=resume, after_in_child=resume)


def connected(folder: Path) -> sqlite3.Connection:
    """Open the cache in *folder*, to see or shorten it. Raises CacheError where there is none."""
    path = folder / FILE
    if not path.is_file():
        raise NoCacheError(path)
    try:
        return _connect(path)
    except sqlite3.Error as error:
        raise CacheError(path, str(error)) from error


def _connect(path: Path) -> sqlite3.Connection:
    until = time.monotonic() + _WAIT
    while True:
        try:
            return _opened(path)
        except sqlite3.OperationalError as error:
            # While others make, share or leave the file, SQLite does not always wait by itself.
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > until:
                raise
        time.sleep(0.01)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    try:
        if _format(connection) != (_OWNER, _FORMAT):
            _create(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")  # readers and a writer do not wait for each other
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _format(connection: sqlite3.Connection) -> tuple[int, int]:
    owner, version = (connection.execute(f"PRAGMA {of}") for of in ("application_id", "user_version"))
    return owner.fetchone()[0], version.fetchone()[0]


def _create(connection: sqlite3.Connection, path: Path) -> None:
    """Make a new database a cache, at once. Raises CacheError for one that is something else."""
    connection.execute("BEGIN IMMEDIATE")
    owner, version = _format(connection)
    if (owner, version) == (_OWNER, _FORMAT):  # another process was faster
        connection.execute("COMMIT")
        return
    if owner == _OWNER:
        raise CacheError(path, f"its format is {version}, and that of this release is {_FORMAT}")
    if owner or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise CacheError(path, "it is the database of something else")
    for table in TABLES:
        connection.execute(
            f"CREATE TABLE {table} (key TEXT PRIMARY KEY, content TEXT NOT NULL, name TEXT, made INTEGER)"
        )
    connection.execute(f"PRAGMA application_id = {_OWNER}")
    connection.execute(f"PRAGMA user_version = {_FORMAT}")
    connection.execute("COMMIT")
