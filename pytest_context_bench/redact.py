"""Masks secrets in text that leaves the process."""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import quote

MASK = "***"
_SHORTEST_SECRET = 8  # shorter values are words, and masking words would garble every report
_SECRET_VARIABLE = re.compile(
    r"(KEY|TOKEN|CREDENTIAL)S?(_?\d+)?$|API_?KEY|SECRET|PASSW(OR)?D|PASSPHRASE|_(PASS|PWD|PAT|AUTH)$",
    re.IGNORECASE,
)
_SECRET_FIELD = re.compile(
    r"(.*[-_])?(api[-_]?key|authorization|password|passwd|secret|(access|auth|bearer)[-_]?token|cookie)",
    re.IGNORECASE,
)
_SHAPES = re.compile(
    r"""(?<=://)[^\s/?#"<>\\^`{|}]+(?=@)  # credentials of a URL
    |\b(?:
        (?:[spr]k-|[spr]k_(?:live|test)_|hf_|gsk_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AIza)[\w-]{16,}
        |AKIA[0-9A-Z]{16}
        |eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*  # a JSON web token
        |(?P<label>
            bearer\s+(?=\S{8})
            |authorization['"]?\s*[:=]\s*['"]?(?:(?:basic|bearer|token|digest|apikey)\s+)?+
            |(?:x-)?(?:api[-_]?|access[-_]?)(?:key|token)['"]?\s*[:=]\s*['"]?
            |(?:password|passwd|secret|(?<=[?&])(?:key|token|sig|signature))=
        )[^\s'",;&]{6,}
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def redact(text: str) -> str:
    """Return *text* with keys, bearer tokens, URL credentials and secret environment values masked."""
    return masker()(text)


def masker() -> Callable[[str], str]:
    """Return what redacts many texts, by the secrets that the environment holds at the first."""
    secrets: tuple[str, ...] | None = None

    def masked(text: str) -> str:
        nonlocal secrets
        if len(text) < _SHORTEST_SECRET:
            return text
        if secrets is None:  # not before: most values are short, and reading the environment takes longer
            names = _secret_variables(tuple(os.environ))
            secrets = _forms(tuple(os.environ.get(name, "") for name in names))
        for secret in secrets:
            text = text.replace(secret, MASK)
        return _SHAPES.sub(_masked, text)

    return masked


def names_secret(field: str) -> bool:
    """Whether a *field* of that name holds a secret, as `api_key` and `Authorization` do."""
    return _SECRET_FIELD.fullmatch(field) is not None


def _masked(match: re.Match[str]) -> str:
    return f"{match['label'] or ''}{MASK}"


@lru_cache(maxsize=8)
def _secret_variables(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if _SECRET_VARIABLE.search(name)]


@lru_cache(maxsize=4)
def _forms(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the secrets as they are written, in URLs and quotes too; one may hold another: longer first."""
    secrets = {value for value in values if len(value) >= _SHORTEST_SECRET}
    written = {
        form
        for value in secrets
        for form in (value, quote(value, safe="", errors="surrogateescape"), repr(value)[1:-1])
    }
    return tuple(sorted(written, key=lambda secret: (-len(secret), secret)))
