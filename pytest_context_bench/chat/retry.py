"""Which failed calls are tried again, and after how long."""

import math

_TRANSIENT = frozenset({408, 409, 429})
_SERVER_ERRORS = range(500, 600)
_FIRST_WAIT, _LONGEST_BACKOFF = 0.5, 8.0


def transient(status: int) -> bool:
    """Whether a call that brought *status* may succeed when repeated as it is."""
    return status in _TRANSIENT or status in _SERVER_ERRORS


def wait_before(attempt: int, retry_after: str | None, longest: float, now: float) -> float:
    """Return the seconds to wait before repeating *attempt*, counted from 1; never more than *longest*.

    The server's `Retry-After`, in seconds or as a date, goes before our doubling waits if it can be read.
    """
    asked = None if retry_after is None else _seconds(retry_after, now)
    if asked is None or not asked >= 0:  # also true of NaN
        asked = min(_FIRST_WAIT * 2 ** min(attempt - 1, 10), _LONGEST_BACKOFF)
    return min(asked, longest)


def _seconds(retry_after: str, now: float) -> float | None:
    try:
        return float(retry_after)
    except ValueError:
        return _seconds_until(retry_after, now)


def _seconds_until(date: str, now: float) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        seconds = parsedate_to_datetime(date).timestamp() - now
    except (ValueError, TypeError, OverflowError, IndexError, OSError):
        return None
    return seconds if math.isfinite(seconds) else None
