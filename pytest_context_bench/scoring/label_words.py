"""The words of verdicts on a claim, and those that deny, concede, contrast and conclude; in lower case."""

import re


def _any(words: str) -> str:
    """Word a pattern for any of the blank-separated *words*; `_` stands for a blank."""
    return "(?:" + "|".join(word.replace("_", r"\s") for word in words.split()) + ")"


_EVIDENCE = _any("evidence info(?:rmation)? data details? context support basis proof")
_ENOUGH = _any("enough sufficient adequate")
_NOT = r"(?:not|\w+n't|never)"
_CANNOT = _any(
    "cannot can't couldn't could_not can_not unable_to impossible_to not_possible_to no_way_to difficult_to"
)
_FIND_OUT = _any(
    r"determined? verif(?:y|ied|iable) tell infer(?:red)? known? decided? ascertain(?:ed)? judged?"
    r" assess(?:ed)? (?:say|said|concluded?|confirm(?:ed)?)(?!_that)"
)
_NEUTRAL = "|".join(
    (
        r"neutral|nei|no\s?info|unmentioned|undetermined|indeterminate|inconclusive|unverifiable|not\sverifiable",
        rf"not\s?(?:mentioned|given|enough\s?{_EVIDENCE})|insufficient(?:ly)?|neither(?=\s?$|\sof\b)",
        rf"{_NOT}\s(?:\w+\s){{0,4}}?{_ENOUGH}(?:\s(?:\w+\s)?{_EVIDENCE})?",
        rf"(?:lack(?:s|ing)?|without|no)\s(?:of\s)?(?:\w+\s)?{_ENOUGH}\s(?:\w+\s)?{_EVIDENCE}",
        rf"lack(?:s|ing)?\s(?:of\s)?(?:\w+\s)?(?!support){_EVIDENCE}|{_EVIDENCE}\s(?:is|are)\slacking",
        rf"(?:more|further|additional)\s{_EVIDENCE}\s(?:is|would\sbe)\s(?:needed|required|necessary)",
        rf"{_CANNOT}\s(?:be\s)?(?:\w+ly\s)?{_FIND_OUT}(?:\sor\s\w+)?|(?:not|n't)\sknow\s(?:whether|if)",
    )
)
_UNSAID = _any(
    "mentions? states? specif(?:y|ies) says? address(?:es)? discuss(?:es)? provides? contains? includes?"
    " indicates? covers? gives? mentioned stated specified addressed discussed provided covered included"
    " determined clear known certain related"
)
_TOLD = _any("mention evidence information indication reference")
_SILENT = "|".join(
    (
        rf"{_NOT}\s(?:\w+ly\s)?{_UNSAID}|unrelated|irrelevant|unclear|unknown|uncertain|silent",
        rf"no\s(?!further|more|additional|other)(?:\w+\s)?{_TOLD}(?!\s(?:is\s|are\s)?(?:needed|required|necessary))",
    )
)
_SUPPORTED = _any(
    "support(?:s|ed|ing)? entail(?:s|ed|ing|ment)? confirm(?:s|ed|ing)? corroborat(?:es?|ed|ing)"
    " substantiat(?:es?|ed) prove[sn]? proved verif(?:ies|ied|y) validat(?:es?|ed) impl(?:ies|ied)"
    " follows_(?:logically_)?from back(?:s|ed)_up agrees?_with aligns?_with"
)
_UNSUPPORTED = _any("unsupported unproven unsubstantiated unconfirmed unverified non_?entail(?:ed|ment)")
_REFUTED = _any(
    r"refut(?:es?|ed|ing|ation) contradict(?:s|ed|ing|ions?|ory)? disprov(?:es?|ed|en|ing) debunk(?:s|ed)?"
    r" rebut(?:s|ted)? falsif(?:ies|ied) conflict(?:s|ed|ing)?_with in_conflict inconsistent incompatible"
    r" contrary_to den(?:y|ies|ied) prove[sn]?_(?:\w+_){0,3}?(?:wrong|false|incorrect)"
)
_TRUE, _FALSE = (
    _any("true correct accurate right valid"),
    _any("false untrue incorrect inaccurate wrong invalid"),
)
# A predicate, not an adjective before a noun ("a true story"), nor what opens a clause ("true that …").
_ENDS = r"(?=\s?$|\s(?:by|according|given|based|in|per|and|or|nor|for|with|under)\b)"
_VERDICT = (
    rf"(?P<neutral>{_NEUTRAL})|(?P<silent>{_SILENT})|(?P<unsupported>{_UNSUPPORTED})|(?P<refuted>{_REFUTED})"
    rf"|(?P<supported>{_SUPPORTED})"
)
MENTION = re.compile(rf"\b(?:{_VERDICT}|(?P<true>{_TRUE}{_ENDS})|(?P<false>{_FALSE}{_ENDS}))(?!\w)")

LABEL = re.compile(
    rf"(?:{_VERDICT}|(?P<true>true|correct)|(?P<false>false|incorrect)"
    r"|(?P<yes>yes|yep|yeah|yup)|(?P<no>no|nope|nah))(?!\w)"
)
LABEL_ENDS = re.compile(
    r"['\")\]]{0,3}\s?(?:$|[.,;:!)\n—–{}]|- |"
    + _any("because since as by according given based due the this it there in with")
    + r"\b)"
)
ANOTHER_LABEL = re.compile(r"['\")\]]{0,3}\s?(?:,|/|\bor\b|\band\b|\|)\s?(?:or\s|and\s)?['\"(]{0,3}")
SUPPOSED_AFTER = re.compile(r"[^.\n]{0,40}?\b(?:if|unless|had)\b")
YES_OR_NO = re.compile(r"(?:yes|no)\s?[,.:;!—–]\s?")
CUE = re.compile(
    r"\b(?:label|answer|verdict|classification|prediction|conclusion|relation(?:ship)?|judge?ment|result|output"
    r"|decision|stance|category|class|inference|determination|response)\b"
    r"(?:\s(?:between|of|for|to)\s[^.:\n]{0,60}?)?"
    r"(?:['\"]?\s?(?P<sign>[:=→])|\s(?P<is>(?:is|would\sbe|should\sbe|must\sbe)\b:?))"
    r"|\b(?P<verb>classif(?:y|ied)|label(?:l?ed)?|categori[sz]ed?|marked|judged|rated)\s(?:[\w']+\s){0,3}?as\b"
)
FILLER = re.compile(
    r"[\s:=→'\"*(\[—–>-]|(?:[a-e]|\d)[).:](?=\s)|"
    + _any(
        "the a an that is most likely probably clearly therefore thus definitely simply option label case of"
    )
    + r"(?!\w)"
)

_TOPICS = (
    "evidence premise text passage context document source article abstract sentences? contract nda paper"
    " study information data facts? it this that they these there which nothing none claim statement"
    " hypothesis label"
)
_IS_OR_DOES = "is are was were be been being remains? seems? appears? would can cannot could do does did to"
_DEED = _any(f"{_IS_OR_DOES} neither nor or {_TOPICS}")
TOPIC = re.compile(rf"\b{_any(_TOPICS)}\b")
# What a verdict is about, next to it: "the claim is refuted", "the text supports it", "refuted by".
ABOUT_BEFORE = re.compile(
    rf"(?:\b(?:it|that|this|there)'s|n't|\b(?!that\b){_DEED})\s(?:(?!that\b)[\w']+\s){{0,3}}$|^\s?$"
)
ABOUT_AFTER = re.compile(
    r"\s?(?:[\w']+\s){0,2}(?:claim|hypothesis|statement|assertion|premise|proposition|it|this|by)\b|\s?$"
)
IS = re.compile(
    r"(?:'s|n't|\b"
    + _any("is are was were be been being remains? seems? appears? considered deemed neither nor or and not")
    + r")\s(?:(?:\w+ly|not|also|therefore|thus|indeed|either|neither|both|most|likely)\s){0,3}$"
    r"|^(?:\w+ly\s|not\s)?$|\b(?:makes?|renders?)\s(?:\w+\s){1,2}$"
)
CLAIM = re.compile(
    r"\b(?:claim|statement|hypothesis|assertion|proposition|premise|sentence|answer|it|this|that)\b"
)
BARE = re.compile(r"(?:\s|not\s|\w+ly\s)*")
# In "the claim that … is not refuted", what the claim says is left out.
CLAIM_THAT = re.compile(
    r"\b((?:claim|statement|hypothesis|assertion|idea)\s)that\s.*?"
    r"((?:\b(?:is|are|was|were|has|have|can|could|cannot|does|do|did|seems?|appears?|must|should)|n't)\s"
    r"(?:(?:not|be|been|also|never|neither|both|either|most|likely|\w+ly)\s)*)$"
)
SAYS_THAT = re.compile(r"\s(?:that|the\s(?:conclusion|idea|view|fact|opposite)|our\s)\b")

DOUBTED = re.compile(
    r"\b(?:partial(?:ly)?|partly|somewhat|mostly|half|some|parts?|may|might|could|if|whether)\s(?:[\w']+\s){0,3}$"
    r"|\b(?:doubt|doubtful|unlikely)\b"
)
NOT_A_DENIAL = re.compile(
    r"\b(?:not\s(?:only|just|merely|surprising(?:ly)?)|no\s(?:doubt|question)|without\s(?:a\s)?doubt)\b ?"
)
DENIAL = re.compile(
    r"\b(?:not|never|no|none|nothing|neither|cannot|without|hardly|fail(?:s|ed)?\sto|unable\sto|lack(?:s|ing)?"
    r"|rather\sthan|instead\sof|opposed\sto|(?:false|untrue|incorrect|wrong|inaccurate)\s(?:that|to))\b|n't\b"
)
LABEL_NAMES = ("entailment", "contradiction", "support", "refutation")
NAME_DENIED = re.compile(r"\s(?:(?:is|was|has|can|could)(?:\snot|n't)|not|cannot)\b")
NOTHING = re.compile(r"\b(?:nothing|none|no)\b")
INFINITIVE = re.compile(r"support|entail|confirm|prove|verify|refute|contradict|disprove|deny|rebut")
COORDINATOR = re.compile(r"\b(?:and|or|nor)\b")
LACKING_FOR = re.compile(r"\b(?:to|that|whether|if|for|which|of)\b")

SENTENCE = re.compile(r"(?<![.!?])[.!?]++(?=\s|$)|\n|$")
IMAGINED = re.compile(r"\bif\b.*\bwould\b|\bwould\b.*\bif\b")
CLAUSE = re.compile(
    r"(?P<concession>\b(?:although|though|even\s(?:though|if)|while|whilst|whereas|despite|in\sspite\sof|unless|if)\b)"
    r"|(?P<contrast>\b(?:but|however|yet|nevertheless|nonetheless|instead(?!\sof))\b)"
    r"|(?P<conclusion>\b(?:therefore|thus|hence|consequently|overall|so|in\s(?:conclusion|summary|short)|ultimately"
    r"|accordingly|as\sa\sresult)\b)"
    r"|(?P<reason>\b(?:because|since)\b)|(?P<plain>[,;:()\[\]—–])"
)
