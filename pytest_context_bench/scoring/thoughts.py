"""The reasoning that some models put before what they say."""

import re

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHTS = re.compile(r"</think>[ \t]*(?:\n|\Z)")


def without_thoughts(text: str) -> str:
    """Return *text* without thoughts, also where their opening mark was part of the prompt."""
    rest = _THOUGHTS.sub("", text, count=1)
    return rest if "<think>" in rest else _END_OF_THOUGHTS.split(rest)[-1]
