"""What tells one system or evaluator from another: a digest of its code and its configuration."""

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import blake2b
from types import CodeType
from typing import Any

from pytest_context_bench.cache.code import ModuleUse
from pytest_context_bench.cache.packages import release_of_module
from pytest_context_bench.cache.parts import Parts, parts
from pytest_context_bench.cache.secrets import is_secret
from pytest_context_bench.errors import ContextBenchError

_MOST = 300_000  # objects; whoever holds more had better name what matters
# Of these, Python shares equal ones as it likes: that two are one object says nothing.
_SHARED = (tuple, frozenset, CodeType)


@dataclass(frozen=True)
class Unseen:
    """Something that cannot be seen into: the attribute that leads to it, and what it is."""

    where: str
    what: str


@dataclass(frozen=True)
class Fingerprint:
    """The digest of an object, the same in every process unless something is *unseen*."""

    digest: str
    unseen: Unseen | None = None


def fingerprint(thing: Any) -> Fingerprint:
    """Return the fingerprint of *thing*: of its class, its state and all the code that these reach."""
    walk = _Walk()
    try:
        walk.see("", thing)
    except RecursionError:
        walk.unseen = Unseen("state", "chain of too many objects")
    return Fingerprint(walk.digest(), walk.unseen)


class _Walk:
    """One walk over an object and what it leads to, each shared object met once."""

    def __init__(self) -> None:
        self.unseen: Unseen | None = None
        self._hash = blake2b(digest_size=16)
        self._met: dict[Hashable, tuple[int, Any]] = {}  # holds what it met: an id is good for its lifetime
        self._path: list[tuple[str, Any]] = []
        self._count = 0

    def digest(self) -> str:
        """Return the digest of what was seen."""
        return self._hash.hexdigest()

    def see(self, name: str, value: Any) -> None:
        """Take in *value*, which goes by *name* in what leads to it."""
        self._count += 1
        known = self._met.get(_identity(value))
        if is_secret(name, value):
            self._write("secret")
        elif known is not None:
            self._write(f"met {known[0]}")
        else:
            self._path.append((name, value))
            self._take(value, _parts(value) if self._count < _MOST else None)
            self._path.pop()

    def _take(self, value: Any, found: Parts | None) -> None:
        if found is None:
            self.unseen = self.unseen or self._told()
            self._write(f"unseen {id(value)}")
            return
        if found.children and not isinstance(value, _SHARED):
            self._met[_identity(value)] = len(self._met), value
        self._write(found.tag)
        self._write(str(len(found.children)))
        for name, child in found.children:
            self._write(name)
            self.see(name, child)

    def _write(self, content: str | bytes) -> None:
        encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        self._hash.update(b"%d " % len(encoded))
        self._hash.update(encoded)

    def _told(self) -> Unseen:
        """Tell where the walk stands: at the first object of someone else's, if one is on the way."""
        last = len(self._path) - 1
        at = next((at for at in range(1, last) if _is_foreign(self._path[at][1])), last)
        where = ".".join(name for name, _ in self._path[: at + 1] if name)
        kind = type(self._path[at][1]).__qualname__
        return Unseen(where, kind if self._count < _MOST else "heap of more objects than are read")


def _parts(value: Any) -> Parts | None:
    try:
        return parts(value)
    except (ContextBenchError, RecursionError):
        raise
    except Exception:  # noqa: BLE001 - a user's object may fail in any way when it is looked at
        return None


def _identity(value: Any) -> Hashable:
    return value if type(value) is ModuleUse else id(value)


def _is_foreign(value: Any) -> bool:
    """Whether *value* is an instance of an installed class."""
    return type(value).__module__ != "builtins" and release_of_module(type(value).__module__) is not None
