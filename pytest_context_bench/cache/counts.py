"""Token counts that are kept: counting a long text takes longer than all else that a replay does."""

from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

from pytest_context_bench.cache.store import COUNTS, Store
from pytest_context_bench.protocols import TokenCounter
from pytest_context_bench.tokens import CachedCounter, TiktokenCounter

_LONG = 400  # characters; a shorter text is counted before it is looked up


@dataclass(frozen=True)
class Counts:
    """The counters of a run, over those of *store*; threads may share it."""

    store: Store
    _counters: dict[str, CachedCounter] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def kept(self, counter: TokenCounter) -> TokenCounter:
        """Return *counter* with counts that are kept, if it is one of tiktoken: others may change."""
        if not isinstance(counter, CachedCounter) or not isinstance(counter.counter, TiktokenCounter):
            return counter
        with self._lock:
            if counter.name not in self._counters:
                self._counters[counter.name] = CachedCounter(_Kept(counter.counter, self.store))
            return self._counters[counter.name]


@dataclass(frozen=True)
class _Kept:
    counter: TokenCounter
    store: Store

    @property
    def name(self) -> str:
        return self.counter.name

    def count(self, text: str) -> int:
        if len(text) < _LONG:
            return self.counter.count(text)
        key = blake2b(f"{self.name}\0{text}".encode(), digest_size=20).hexdigest()
        kept = self.store.read(COUNTS, key)
        if kept is not None and kept.isdecimal():
            return int(kept)
        count = self.counter.count(text)
        self.store.write(COUNTS, key, str(count), self.name)
        return count
