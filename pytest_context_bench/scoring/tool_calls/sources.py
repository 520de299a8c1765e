"""Takes code of Java and JavaScript apart at its commas, without reading more of it."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"\"(?:\\.|[^\"\\])*+\"|'(?:\\.|[^'\\])*+'|`[^`]*+`|(?<=\w)<[\w\s,.?\[\]<]*+>++"
    r"|(?P<opening>[(\[{])|(?P<closing>[)\]}])|(?P<comma>[,;])",
    re.DOTALL,
)
_TEXT = re.compile(r"\"((?:\\.|[^\"\\])*+)\"|'((?:\\.|[^'\\])*+)'", re.DOTALL)


def end_of(code: str, place: int = 0, comma: str = ",") -> int | None:
    """Return where the comma or bracket is that ends what begins at *place*, None where there is none."""
    depth = 0
    for token in _TOKEN.finditer(code, place):
        if depth == 0 and (token["closing"] or token["comma"] == comma):
            return token.start()
        depth += bool(token["opening"]) - bool(token["closing"])
    return None


def parts(code: str, comma: str = ",") -> Iterator[str]:
    """Yield what stands between the commas of *code*, those within brackets aside."""
    place = 0
    while place < len(code):
        end = end_of(code, place, comma)
        if part := code[place:end].strip():
            yield part
        place = len(code) if end is None else end + 1


def unquoted(code: str) -> str:
    """Return what *code* says if it is a text, else itself."""
    text = _TEXT.fullmatch(code)
    return (text[1] or text[2] or "") if text else code
