"""The task `log`: the reference that one line of a log gives."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from pytest_context_bench.datasets.needle.draft import Draft
from pytest_context_bench.datasets.needle.draw import Draw, Key

_TOKENS_PER_FACT = 240
_TOKENS_PER_MENTION = 300
_UNSTAMPED = "0000-00-00T00:00:00.000Z"  # holds the place of the time, known when the order of lines is
_STEP = 4000  # longest time between two lines, in milliseconds

_FACT = "{level} {service}: {action} batch {batch} of tenant {tenant}, ref {tag}"
_QUESTION = "Which ref did {service} log when it {action} batch {batch} of tenant {tenant}?"
_MENTIONS = (
    "INFO {service}: batch {batch} of tenant {tenant} already {action}, nothing to do",
    "DEBUG {service}: no lock left on batch {batch} of tenant {tenant}, which was {action}",
    "WARN {other}: cannot ask {service} why batch {batch} of tenant {tenant} was {action}",
    "INFO {other}: {n2} mails sent about batch {batch} of tenant {tenant}, {action} by {service}",
    "INFO {service}: batch {batch} of tenant {tenant} may be {action}, no ref yet",
    "DEBUG {other}: {n3} {resource} in batch {batch} of tenant {tenant}, {action} after {n2} s in {service}",
    "ERROR {other}: {service} is down, batch {batch} of tenant {tenant} cannot be {action} again",
    "INFO {service}: user {n5} of tenant {tenant} looked up batch {batch}, now {action}",
)


def draft(draw: Draw, size: int) -> Draft:
    """Return the pieces of one example."""
    asked, answer = draw.new(lambda: _key(draw)), draw.tag()
    others = [draw.near(asked, lambda: _key(draw)) for _ in range(size // _TOKENS_PER_FACT)]
    similar = [_line(draw, _FACT, other, draw.tag()) for other in others]
    mentions = [_line(draw, draw.pick(_MENTIONS), asked) for _ in range(max(2, size // _TOKENS_PER_MENTION))]
    return Draft(
        question=_fill(draw, _QUESTION, asked),
        answer=answer,
        needle=_line(draw, _FACT, asked, answer),
        decoys=similar + mentions,
        background=_chores(draw),
        tokens_per_part=1.016,
        render=lambda lines: "".join(_stamped(draw, lines)),
    )


def _fill(draw: Draw, template: str, key: Key, tag: str = "") -> str:
    service, action, batch, tenant = key
    other = draw.text("{service}")
    return draw.text(
        template, service=service, action=action, batch=batch, tenant=tenant, tag=tag, other=other
    )


def _line(draw: Draw, template: str, key: Key, tag: str = "") -> str:
    return f"{_UNSTAMPED} {_fill(draw, template, key, tag)}\n"


def _chores(draw: Draw) -> Iterator[str]:
    while True:
        yield f"{_UNSTAMPED} {draw.text('{chore}')}\n"


def _stamped(draw: Draw, lines: list[str]) -> Iterator[str]:
    time = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=draw.below(2 * 365 * 24 * 60))
    for line in lines:
        time += timedelta(milliseconds=1 + draw.below(_STEP))
        yield (
            time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z" + line[len(_UNSTAMPED) :]
        )


def _key(draw: Draw) -> Key:
    return draw.texts("{service}|{action}|{n4}|{tenant}")
