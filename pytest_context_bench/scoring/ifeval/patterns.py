"""Keywords as patterns: the official script hands them to `re` as they are."""

import re

from pytest_context_bench.errors import InvalidValueError

_LONGEST = 200
_MOST_OPTIONAL = 4
_ESCAPED = re.compile(r"\\.", re.DOTALL)
# These can make a search take time without bound, and nobody who writes one in a keyword means a pattern.
_UNBOUNDED = re.compile(r"[*+{(\[]")


def compiled(where: str, source: str, frame: str = "{}", flags: int = 0) -> re.Pattern[str]:
    """Compile *source*, put into *frame*, to a pattern that searches in time linear in the text.

    Raises InvalidValueError, naming the place, for one that is broken or cannot be bounded.
    """
    bare = _ESCAPED.sub("", source)
    if len(source) > _LONGEST or bare.count("?") > _MOST_OPTIONAL or _UNBOUNDED.search(bare):
        raise InvalidValueError(where, source, "a plain word or phrase (put a backslash before * + { ( [ )")
    try:
        re.compile(source, flags)  # by itself first: a frame can hide a loose backslash
        return re.compile(frame.format(source), flags)
    except re.error as error:
        raise InvalidValueError(where, source, f"a pattern: {error}") from error
