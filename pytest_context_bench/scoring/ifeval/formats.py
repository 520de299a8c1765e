"""Instructions about marks that can be counted: bullets, sections, placeholders, titles, JSON."""

import json
import re

from pytest_context_bench.scoring.ifeval.checks import Check

_OPTIONS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_FENCES = ("```json", "```Json", "```JSON", "```")
# The possessive and optional parts keep these linear in texts of brackets, stars or blank lines alone.
_PLACEHOLDER = re.compile(r"\[[^\]\n]*+(\]?)")
_STAR_BULLET = re.compile(r"^[^\S\n]*\*[^*].*", re.MULTILINE)
_DASH_BULLET = re.compile(r"^[^\S\n]*-", re.MULTILINE)
_HIGHLIGHT = re.compile(r"\*([^\n*]*)\*")
_DOUBLE_HIGHLIGHT = re.compile(r"\*\*([^\n*]*)\*\*")


def number_placeholders(num_placeholders: int) -> Check:
    """Require at least so many `[placeholders]`, each within a line."""
    return lambda text: sum(map(bool, _PLACEHOLDER.findall(text))) >= num_placeholders


def postscript(postscript_marker: re.Pattern[str]) -> Check:
    """Require the mark of a postscript, in any case and wherever it stands."""
    return lambda text: postscript_marker.search(text.lower()) is not None


def number_bullet_lists(num_bullets: int) -> Check:
    """Require just so many lines that begin with one `*` or with `-`."""
    return lambda text: (
        sum(len(bullet.findall(text)) for bullet in (_STAR_BULLET, _DASH_BULLET)) == num_bullets
    )


def number_highlighted_sections(num_highlights: int) -> Check:
    """Require at least so many `*highlights*` or `**highlights**` that are not blank."""
    patterns = (_HIGHLIGHT, _DOUBLE_HIGHLIGHT)
    return lambda text: (
        sum(bool(inner.strip()) for pattern in patterns for inner in pattern.findall(text)) >= num_highlights
    )


def multiple_sections(section_spliter: re.Pattern[str], num_sections: int) -> Check:
    """Require at least so many marks of sections, each with its number."""
    return lambda text: len(section_spliter.split(text)) > num_sections


def constrained_response() -> Check:
    """Require one of the three answers."""
    return lambda text: any(option in text for option in _OPTIONS)


def title() -> Check:
    """Require a `<<title>>` that is not blank, within a line."""
    return lambda text: any(map(_has_title, text.split("\n")))


def json_format() -> Check:
    """Require JSON, in a Markdown fence or without."""

    def check(text: str) -> bool:
        try:
            json.loads(_unfenced(text))
        except (ValueError, RecursionError):  # what the parser cannot follow to its end is not read as JSON
            return False
        return True

    return check


def _has_title(line: str) -> bool:
    start, end = line.find("<<"), line.rfind(">>")
    return 0 <= start < end - 2 and bool(line[start:end].lstrip("<").rstrip(">").strip())


def _unfenced(text: str) -> str:
    body = text.strip()
    for fence in _FENCES:
        body = body.removeprefix(fence)
    return body.removesuffix("```").strip()
