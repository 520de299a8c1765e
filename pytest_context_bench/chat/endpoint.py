"""Where a chat call goes: what users give as a base URL, and what of it may be shown."""

import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pytest_context_bench.errors import InvalidValueError
from pytest_context_bench.redact import MASK

_VERSION = re.compile(r"v\d+\w*")


@dataclass(frozen=True)
class Endpoint:
    """The address of the chat completions; *shown* is the part of it that messages may quote."""

    url: str = field(repr=False)
    shown: str
    host: str
    secure: bool
    credentials: tuple[str, str] | None = field(default=None, repr=False)
    query_values: tuple[str, ...] = field(default=(), repr=False)

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine, which no proxy may be asked to reach."""
        return is_loopback(self.host)


def endpoint(base_url: str) -> Endpoint:
    """Return the endpoint of *base_url*: a host, a path with or without a version, or the full address."""
    parts = _split(base_url)
    authority = parts.netloc.rpartition("@")[2]
    shown = f"{parts.scheme}://{authority}{_path(parts.path)}"
    credentials = (
        (unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None
    )
    return Endpoint(
        url=f"{shown}?{parts.query}" if parts.query else shown,
        shown=shown,
        host=parts.hostname or "",
        secure=parts.scheme == "https",
        credentials=credentials,
        query_values=tuple(sorted(_query_values(parts.query))),
    )


def is_loopback(host: str) -> bool:
    """Whether *host* names this machine."""
    from ipaddress import ip_address

    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


def _split(base_url: str) -> SplitResult:
    text = base_url.strip()
    try:
        parts = urlsplit(text)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not text.isprintable() or " " in text:
        shown = re.sub(r"^([a-zA-Z][a-zA-Z0-9+.-]*://)?.*@", rf"\g<1>{MASK}@", text.partition("?")[0])
        raise InvalidValueError("base URL", shown, "an address such as http://localhost:8000/v1")
    return parts


def _query_values(query: str) -> set[str]:
    """Return the values in *query*, also as they are written: a server may repeat either."""
    written = {part.partition("=")[2] for part in query.split("&")}
    return {value for value in written if value} | {value for _, value in parse_qsl(query)}


def _path(path: str) -> str:
    segments = [segment for segment in path.split("/") if segment]
    for known in ("completions", "chat"):
        if segments and segments[-1] == known:
            segments.pop()
    # Some services mount the API below their version: /v1beta/openai
    if not any(_VERSION.fullmatch(segment) for segment in segments):
        segments.append("v1")
    return "/".join(["", *segments, "chat", "completions"])
