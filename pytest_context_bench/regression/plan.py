"""What the examples of a comparison can show, and how many would decide it."""

import math
from dataclasses import dataclass

from pytest_context_bench.stats import power
from pytest_context_bench.stats.evidence import Evidence
from pytest_context_bench.stats.paired import ROUNDING


@dataclass(frozen=True)
class Plan:
    """*n* examples whose differences have this *deviation*.

    Where too few changed to tell, *hidden* is what an example can lose all the same; *most* is what it can
    lose at all.
    """

    n: int
    deviation: float
    margin: float
    alpha: float
    hidden: float = 0.0
    most: float = math.inf

    def detectable(self) -> float | None:
        """Return the least drop that is shown with 80 % power; None where none is."""
        if self.n < power.fewest(self.alpha):
            return None
        beyond = max(
            power.detectable(self.deviation, self.n, self.alpha),
            power.detectable_loss(self.hidden, self.n, self.alpha),
        )
        return self.margin + beyond if self.margin + beyond <= self.most and math.isfinite(beyond) else None

    def needed(self, gain: float, evidence: Evidence) -> int | None:
        """Return how many examples would decide with 80 % power; None where it is decided or none would do.

        They would prove the drop beyond the margin to be as observed; or, within it, that there is none, or
        the gain that was observed. Where so many did not prove that, the truth is taken to be as observed.
        """
        if evidence.p_value < self.alpha or evidence.low > -self.margin or not math.isfinite(gain):
            return None
        count = self._to_show(abs(gain + self.margin))
        if gain >= -self.margin - ROUNDING:
            hoped = self._to_show(self.margin + max(gain, 0.0))
            count = hoped if hoped > self.n else count
        return max(math.ceil(count), self.n + 1) if math.isfinite(count) else None

    def _to_show(self, difference: float) -> float:
        return max(
            power.needed(self.deviation, difference, self.alpha),
            power.needed_for_loss(self.hidden, difference, self.alpha),
            power.fewest(self.alpha),
        )
