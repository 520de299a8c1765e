"""How much of a context a system may keep."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from pytest_context_bench.errors import InvalidValueError

EXPECTED = "a share in (0, 1] or a whole number of tokens"
_ROUNDING = 1e-9  # 0.29 * 100 is a little less than 29


@dataclass(frozen=True)
class Budget:
    """A share of a text's tokens for *keep* up to 1, else that number of tokens.

    Raises InvalidValueError, naming *where*, for anything else.
    """

    keep: float
    where: str = "keep"

    def __post_init__(self) -> None:
        keep: Any = self.keep
        if isinstance(keep, bool) or not isinstance(keep, Real) or not _is_share_or_count(keep):
            raise InvalidValueError(self.where, keep, EXPECTED)

    def of(self, tokens: int) -> int:
        """Return how many of so many *tokens* may be kept."""
        return min(tokens, math.floor(tokens * self.keep + _ROUNDING) if self.keep <= 1 else int(self.keep))


def _is_share_or_count(keep: Any) -> bool:
    return bool(0 < keep <= 1 or (1 < keep < math.inf and keep == int(keep)))
