"""Counts tokens as tiktoken does, each distinct text once a process."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from operator import index
from threading import RLock
from typing import TYPE_CHECKING, Any

from pytest_context_bench import vocabulary
from pytest_context_bench.errors import InvalidValueError, UnknownNameError
from pytest_context_bench.protocols import Example, TokenCounter

if TYPE_CHECKING:
    import tiktoken

DEFAULT_ENCODING = "cl100k_base"
DEFAULT_FIELDS = ("context", "turns")
EVERY_STRING = "*"
# Entries of a message or of a part of one that are no text.
TAGS = frozenset({"role", "from", "type", "image_url", "input_audio"})

# tiktoken panics at a million blanks before a word. The word takes the last of them and line ends stay with
# what is before, so that cutting there changes no token.
_LONG_BLANK = 500_000
_BLANK = r"[\t\v\f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_BLANKS_BEFORE_WORD = re.compile(rf"(?<!{_BLANK}){_BLANK}{{{_LONG_BLANK},}}+(?=[^\r\n])")

_MAKING = RLock()  # functools.cache alone may make two counters for two threads


def encoding(name: str = DEFAULT_ENCODING) -> "tiktoken.Encoding":
    """Load the encoding or model *name*.

    Raises UnknownNameError, or VocabularyError where it is neither bundled, cached nor to be downloaded.
    """
    return vocabulary.load(check_encoding(name))


def check_encoding(name: str) -> str:
    """Return the encoding that *name*, of an encoding or a model, stands for; loads no vocabulary."""
    from difflib import get_close_matches

    import tiktoken
    from tiktoken.model import MODEL_TO_ENCODING, encoding_name_for_model

    encodings = tiktoken.list_encoding_names()
    if name in encodings:
        return name
    try:
        return encoding_name_for_model(name)
    except KeyError as error:
        # only the models that are near: all of them would bury the encodings
        valid = [*encodings, *get_close_matches(name, MODEL_TO_ENCODING)]
        raise UnknownNameError("tokenizer", name, valid) from error


def encode(text: str, encoding: "tiktoken.Encoding") -> list[int]:
    """Return the tokens of *text*, in which special tokens are text like any other."""
    return [token for piece in _pieces(encodable(text)) for token in encoding.encode_ordinary(piece)]


def encodable(text: str) -> str:
    """Return *text* as valid Unicode: surrogate pairs become their character, lone surrogates U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@dataclass(frozen=True)
class TiktokenCounter:
    """Counts with a tiktoken encoding."""

    encoding: "tiktoken.Encoding"

    @property
    def name(self) -> str:
        """The name of the encoding."""
        return self.encoding.name

    def count(self, text: str) -> int:
        """Count the tokens of *text*."""
        return len(encode(text, self.encoding))


@dataclass(frozen=True)
class CachedCounter:
    """Puts each distinct text to *counter* once, also under threads; keeps digests, not texts."""

    counter: TokenCounter
    _counts: dict[bytes, int] = field(default_factory=dict, repr=False, compare=False)
    _lock: RLock = field(default_factory=RLock, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the counter within."""
        return self.counter.name

    def count(self, text: str) -> int:
        """Count the tokens of *text*. Raises InvalidValueError for a count that is no whole number."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            if digest not in self._counts:
                self._counts[digest] = self._whole(self.counter.count(encodable(text)))
            return self._counts[digest]

    def _whole(self, count: Any) -> int:
        try:
            return index(count)
        except TypeError as error:
            raise InvalidValueError(f"token counter {self.name!r}", count, "a whole number") from error


def counter(name: str = DEFAULT_ENCODING) -> CachedCounter:
    """Return the process's counter for the encoding or model *name*; raises as `encoding` does."""
    with _MAKING:
        return _counter(check_encoding(name))


@cache
def _counter(name: str) -> CachedCounter:
    return CachedCounter(TiktokenCounter(vocabulary.load(name)))


def count_value(value: Any, counter: TokenCounter) -> int:
    """Count the texts within *value*: of a message only the `content`; null and other scalars hold none."""
    if isinstance(value, str):
        return counter.count(value)
    if value is None:
        return 0
    return sum(counter.count(text) for text in texts(value))


def count_fields(example: Example, fields: Sequence[str], counter: TokenCounter) -> int:
    """Count the *fields* of *example*: `context` and `turns` if none are named, every string for `*`."""
    named = [fields] if isinstance(fields, str) else fields or DEFAULT_FIELDS
    if EVERY_STRING in named:
        return sum(counter.count(text) for text in _strings(example))
    return sum(count_value(example.get(name), counter) for name in named)


def texts(value: Any) -> Iterator[str]:
    """Yield the texts within *value*, in their order; of a message only the `content`."""
    if isinstance(value, Mapping):
        content = value.get("content")
        value = [entry for key, entry in value.items() if key not in TAGS] if content is None else [content]
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from texts(entry)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(entry)


def _pieces(text: str) -> Iterator[str]:
    start = 0
    if len(text) > _LONG_BLANK:
        for blanks in _BLANKS_BEFORE_WORD.finditer(text):
            yield text[start : blanks.start()]
            yield text[blanks.start() : blanks.end() - 1]
            start = blanks.end() - 1
    yield text[start:]
