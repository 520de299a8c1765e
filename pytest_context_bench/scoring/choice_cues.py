"""The phrases that announce an answer, and the words that may stand between them and the letter.

Patterns are matched against lower case. English phrases are those that MMLU-Pro and simple-evals look
for, and what else replies were seen to say.
"""

import re

from pytest_context_bench.scoring.choice_text import Lettered
from pytest_context_bench.scoring.choice_words import (
    ANSWER_ABROAD,
    BETWEEN,
    OPTION_ABROAD,
    PICKED_ABROAD,
    RIGHT_ABROAD,
    any_of,
)

MAX_FILLERS = 12

_RIGHT = any_of(
    r"correct right best final chosen selected proper appropriate accurate suitable remaining my our"
    r" (?:most|only)_\w+"
)
_KIND = any_of(
    "one option choice selection response letter alternative solution conclusion statement pick guess verdict"
    " decision match candidate"
)
_HEADING = any_of(
    "correct choice option verdict selection selected prediction output response solution result label letter"
    " final correct[ae] correcte richtig"
)
_NOUN = (
    rf"(?<![^\W_])(?:ans\.?|answers?\b(?!\s(?:choices|options|keys?)\b)|{_RIGHT}\s(?:{_RIGHT}\s)?(?:answer\s)?{_KIND}\b"
    rf"|{_HEADING}(?=\s?:)|(?:letter|option|choice)(?=\sis\s))"
)
_BE = any_of("is was be becomes remains equals seems")
_FOR = r"(?:\s?\([^()\n]{1,20}\)|\s(?:to|for)\s[^\n:.]{1,60})?"
_SIGN = r"\s?['\"]?\s?(?:[:=→⇒–—]|-+>?)"
NAMED = re.compile(
    rf"{_NOUN}(?:{BETWEEN}(?:'s|\s{_BE})\b|{_FOR}{_SIGN}|\s?(?=[(\[\"']))"
    rf"|(?:^|\n)(?:(?:the|my|final|correct)\s){{0,3}}answer\s?\n|{ANSWER_ABROAD}"
)
PICKED = re.compile(
    r"\b(?:choos(?:e|ing)|pick(?:ing)?|select(?:ing)?|(?:i|we)\s(?:chose|picked|selected)"
    r"|(?:go|going|went)\s(?:with|for)|opt(?:ed|ing)?\sfor|settled?\son|lean(?:ing)?\stowards?|vote\sfor"
    r"|(?:i|we)(?:'d|'ll|\swould|\swill)?\s(?:say|guess|answer|respond))\b"
    rf"|\b{PICKED_ABROAD}(?!\w)"
)
CORRECTED = re.compile(
    r"\b(?:wait|actually|correction|sorry|oops|hold\son|scratch\sthat|make\sthat|no(?=\s?[,.:!–—]))\b"
    r"(?: ?[,.:!–—-]){0,4}"
    r"(?: ?(?:no|wait|actually|rather|it's|it\sis|that's|make\sthat|(?:it\s)?(?:should"
    r"|must)\sbe|i\smean)\b,?){0,4}"
)
STATED = re.compile(
    r"\b(?:it|that|this|which)(?:'s|\sis|\swas|\sseems\sto\sbe)\b"
    r"|\b(?:must|should|would|will|ha(?:s|ve)\sto|only|got\sto|gotta)\sbe\b"
    r"|\b(?:leav(?:es?|ing)|left(?:\swith)?|think|believe|conclude|guess|suspect|feel|determine|namely|i\.e\."
    r"|points?\sto|corresponds?\sto|match(?:es)?|indicates?|suggests?"
    r"|thus|therefore|hence|so|consequently|definitely|probably|clearly|certainly|likely"
    r"|rather|instead|sondern|sino|mais|ma|es|ist|est|é|è)\b|而是"
    r"|(?<!anything )(?<!nothing )(?<!everything )(?<!all )(?<!none )\bbut(?:\srather|\sinstead)?\b"
)
HEDGED = re.compile(r"\b(?:could|might|may|can|perhaps|maybe|possibly)(?:\swell)?(?:\sbe)?\b")

_SURELY = any_of(
    "the my our a therefore thus clearly definitely indeed probably likely also only most"
    " single best correct right"
    " final appropriate accurate suitable logical plausible reasonable obviously certainly actually"
)
VERDICT = re.compile(
    r"\s?,?(?:\s(?:which|therefore|thus))?"
    r"\s(?:is|(?:would|must|should|has\sto|will)\sbe|(?:seems|appears)(?:\sto\sbe)?|looks)"
    rf"(?:\s{_SURELY}){{0,5}}\s(?:correct|right|best|answer|choice|option|solution|plausible|likely)(?!\w|\sto\b)"
    r"|\s(?:makes\sthe\smost\ssense|(?:fits|works)\sbest|is\sthe\sbest\sfit)(?!\w)"
    rf"|,?\s(?:it\sis|for\ssure|is(?:\sleft)?|does|remains)(?=\s?[.!,]|$)|{RIGHT_ABROAD}"
)
SUBJECT = Lettered(
    r"(?P<before>^|[\n,.;:!?–—-]\s?|\b(?:option|choice|answer|letter|statement|so|thus|therefore|hence|only|that"
    rf"|because|since|and|but|think|believe|say|conclude|is|{OPTION_ABROAD}|选项)\s)?"
    r"(?P<open>(?<!\w)[(\[\"']{1,4})?(?P<letter>[a-j])[)\]\"'.:,]{0,4}$"
)
FAVOURED = re.compile(
    r"\s(?:alone\s)?(?:fits|matches|works|holds"
    r"|is\s(?:the\sonly\s)?(?:\w+ly\s)?(?:true|supported|consistent|valid|accurate|plausible))\b"
)
MARKED_RIGHT = re.compile(
    r"(?:[:–—(]\s?|\s-\s|\bis\s(?:the\s)?)(?:correct|right|yes|true)\b(?!\s(?:that|but|only))|[✓✔✅☑]"
)
MARKED_WRONG = re.compile(
    r"(?:^\s?|[:–—(]\s?|\s-\s|\bis\s(?:the\s)?)(?:incorrect|wrong|false|not|no|invalid|eliminated|ruled\sout)\b|[✗✘❌]"
)

_FILLER = re.compile(
    r"[\s:=→⇒>,'\"*–—】」\]]|->?|(?:"
    + any_of(
        "is be was the a an option choice letter answer answers statement alternative most"
        " likely probably clearly"
        " definitely certainly indeed therefore thus hence then actually simply just obviously"
        " still again of course"
        " in fact number us me we i i'd you with only would must should to as follows also it"
        " it's that think believe"
        " say guess have both either la le el les der die das den donc daher por_tanto dunque então это"
    )
    + rf"(?!\w)|{OPTION_ABROAD}(?!\w))|选项|選項|선택지"
)


def skip_filler(lower: str, position: int, *, across_lines: bool) -> int:
    """Return where the filler at *position* ends, or -1 where none stands."""
    filler = _FILLER.match(lower, position)
    return filler.end() if filler and (across_lines or filler[0] != "\n") else -1
