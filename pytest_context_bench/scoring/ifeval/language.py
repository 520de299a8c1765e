"""Which language a text is in, by langdetect with a fixed seed."""

from functools import cache
from pathlib import Path
from typing import Any

from pytest_context_bench.errors import MissingExtraError

_CODES = """
af ar bg bn ca cs cy da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk ml mr ne nl no pa pl
pt ro ru sk sl so sq sv sw ta te th tl tr uk ur vi zh-cn zh-tw
"""
LANGUAGES = tuple(_CODES.split())
_SEED = 0


def is_in(text: str, language: str) -> bool:
    """Whether *text* is in *language*; one that gives no hint counts as if it were, as officially."""
    factory, undecidable = _langdetect()
    detector = factory.create()
    detector.append(text)
    try:
        return bool(detector.detect() == language)
    except undecidable:
        return True


@cache
def _langdetect() -> tuple[Any, type[Exception]]:
    """Return a detector factory of our own, which leaves the seed of the shared one alone."""
    try:
        from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory
        from langdetect.lang_detect_exception import LangDetectException
    except ImportError as error:
        raise MissingExtraError("ifeval", "langdetect", "the language of a response") from error
    factory = DetectorFactory()
    factory.set_seed(_SEED)
    # sorted: the order of the profiles shows in the last digits of the probabilities
    profiles = sorted(path for path in Path(PROFILES_DIRECTORY).iterdir() if path.is_file())
    factory.load_json_profile([path.read_text(encoding="utf-8") for path in profiles])
    return factory, LangDetectException
