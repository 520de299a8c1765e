"""Which scripts are written without spaces between words."""

import re

# The inside of a character class: Thai and Lao, Burmese, Khmer, kana, Han with its extensions.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_ONE = re.compile(f"[{UNSPACED}]")


def is_unspaced(character: str) -> bool:
    """Tell whether *character* is of a script that marks no words: each character stands for itself."""
    return _ONE.match(character) is not None
