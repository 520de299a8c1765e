"""The keys by which the cache knows systems and evaluators."""

from threading import RLock
from typing import Any

from pytest_context_bench.cache.fingerprint import fingerprint
from pytest_context_bench.errors import NotCacheableError

# What work made of a fingerprint -> what it was before, in this process: a system that counts its calls is
# no other system in the next run.
_WORN: dict[str, str] = {}


class Identities:
    """The keys of what one run uses, each taken once, before the thing does any work."""

    def __init__(self) -> None:
        self._taken: dict[int, tuple[Any, str]] = {}
        self._lock = RLock()

    def of(self, kind: str, thing: Any) -> str:
        """Return the key of *thing*, of a kind. Raises NotCacheableError or InvalidValueError."""
        with self._lock:
            if id(thing) not in self._taken:
                self._taken[id(thing)] = thing, _key(kind, thing)
            return self._taken[id(thing)][1]

    def settle(self) -> None:
        """Remember what the run made of the things, so that the next one in this process knows them again."""
        with self._lock:
            for thing, key in self._taken.values():
                after = fingerprint(thing).digest
                if after != key:
                    _WORN[after] = key


def _key(kind: str, thing: Any) -> str:
    seen = fingerprint(thing)
    if seen.digest in _WORN:
        return _WORN[seen.digest]
    if seen.unseen is not None:
        where = seen.unseen.where or f"its {type(thing).__qualname__}"
        raise NotCacheableError(kind, thing.name, where, seen.unseen.what)
    return seen.digest
