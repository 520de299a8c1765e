"""The systems that a user names by URLs: proxies, and a reader behind every compressor."""

from collections.abc import Iterable, Sequence

from pytest_context_bench.errors import InvalidValueError, check_distinct
from pytest_context_bench.protocols import System
from pytest_context_bench.systems.adapt import Renamed
from pytest_context_bench.systems.claude_cli import ClaudeCLI
from pytest_context_bench.systems.messages import USER
from pytest_context_bench.systems.openai_proxy import OpenAIProxy
from pytest_context_bench.systems.pipeline import Pipeline

DEFAULT_MODEL = "gpt-4o-mini"  # proxies pass it on, and most servers of one model do not look


def endpoints(
    proxies: Sequence[str] = (),
    names: Sequence[str] = (),
    model: str | None = None,
    *,
    reader: str | None = None,
    compressors: Iterable[System] = (),
    placement: str = USER,
) -> list[System]:
    """Return *compressors*, each in front of the model at *reader* if there is one, and then *proxies*.

    *names* are those of the proxies, in their order; the reader is called by its *model*. Raises
    InvalidValueError for more names than proxies, DuplicateNameError for two systems under one name.
    """
    if len(names) > len(proxies):
        unused = list(names[len(proxies) :])
        raise InvalidValueError("names", unused, f"of a proxy: there are {len(proxies)}, named in order")
    asked = model or DEFAULT_MODEL
    padded = [*names, *[""] * (len(proxies) - len(names))]
    found: list[System] = [*_read(compressors, reader, asked, placement)]
    found += [
        OpenAIProxy(url, asked, name, placement=placement) for url, name in zip(proxies, padded, strict=True)
    ]
    check_distinct("system", [system.name for system in found])
    return found


def answers(system: System) -> bool:
    """Whether *system* is known to answer by itself, under whatever name: no reader belongs behind it."""
    known = getattr(system, "system", system) if isinstance(system, Renamed) else system
    return isinstance(known, OpenAIProxy | ClaudeCLI | Pipeline)


def _read(compressors: Iterable[System], url: str | None, model: str, placement: str) -> Iterable[System]:
    if url is None:
        return compressors
    reader = OpenAIProxy(url, model, name=model, placement=placement)
    return [Pipeline(compressor, reader) for compressor in compressors]
