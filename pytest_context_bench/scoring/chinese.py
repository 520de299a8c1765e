"""Chinese answers by their characters, after `compute_scores.py` of InfiniteBench."""

import string

from pytest_context_bench.scoring.squad import Answer

_MARKS = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿"
    "–—‘’‛“”„‟…‧﹏"
)
_PUNCTUATION = str.maketrans("", "", string.punctuation + _MARKS)


def normalize(text: str) -> str:
    """Lowercase, drop punctuation and white space, and set the characters apart: each is a token."""
    return " ".join("".join(text.lower().translate(_PUNCTUATION).split()))


def read(text: str) -> Answer:
    """Return *text* as an answer whose tokens are characters."""
    return Answer(text, normalize)
