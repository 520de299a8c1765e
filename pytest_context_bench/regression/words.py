"""Words what a comparison says, so that no number as printed contradicts the verdict."""

from math import floor, isfinite, log10

from pytest_context_bench.regression.comparison import Comparison
from pytest_context_bench.stats.paired import ROUNDING

SMALL = 0.001  # p-values below are not told apart


def nothing(comparison: Comparison) -> str:
    """Say why there is no comparison."""
    return "there is no number to compare" if comparison.n else "no example has a value in both runs"


def no_drop(comparison: Comparison) -> str:
    """Say that no drop beyond the margin was observed."""
    return f"{_observed(comparison)}{_margin(comparison, 'within')}"


def proven_drop(comparison: Comparison, adjusted_p: float) -> str:
    """Say how large the drop is at least."""
    bound = f"{_at_least(comparison)}{_margin(comparison, 'beyond')}"
    return f"{_observed(comparison)}, {bound} ({_p(comparison, adjusted_p)})"


def unproven_drop(comparison: Comparison, adjusted_p: float) -> str:
    """Say that the drop may be chance, what so many examples could show, and how many would show it."""
    doubt = f"which {comparison.n:,} examples do not prove ({_p(comparison, adjusted_p)})"
    least = comparison.detectable
    power = "they could show none" if least is None else f"they could show one of {_number(least)}"
    needed = f", about {_about(comparison.needed)} would show this one" if comparison.needed else ""
    return f"{_observed(comparison)}{_margin(comparison, 'beyond')}, {doubt}; {power}{needed}"


def proven_equal(comparison: Comparison) -> str:
    """Say how large the drop is at most."""
    return f"{_observed(comparison)}, {_at_most(comparison)}{_margin(comparison, 'within')}"


def inconclusive(comparison: Comparison) -> str:
    """Say how large a drop is not ruled out, and how many examples would decide."""
    needed = f"n of about {_about(comparison.needed)} needed" if comparison.needed else "no n would do"
    doubt = f"{_at_most(comparison)}{_margin(comparison, 'not within')}"
    return f"inconclusive: {_observed(comparison)}, {doubt}; {needed}"


def _observed(comparison: Comparison) -> str:
    """Word the difference: how much lower or higher than what."""
    drop, margin = comparison.drop, _told_margin(comparison)
    baseline = f"the baseline's {_number(comparison.baseline)}"
    if abs(drop - comparison.margin) <= ROUNDING:
        drop = margin  # 0.9 - 0.88 is no more than 0.02
    if not drop:
        return f"the same as {baseline}"
    side = _worse(comparison) if drop > 0 else _better(comparison)
    return f"{_number(abs(drop), abs(margin) if drop * margin > 0 else 0)} {side} than {baseline}"


def _at_least(comparison: Comparison) -> str:
    """Word the bound on the side of no drop."""
    least, margin, sure = comparison.least_drop, _told_margin(comparison), _confidence(comparison)
    if least < 0:
        return f"at most {_number(-least, -margin)} {_better(comparison)} with {sure}"
    return f"at least {_number(least, margin)} with {sure}"


def _at_most(comparison: Comparison) -> str:
    """Word the bound on the side of the drop."""
    greatest, margin, sure = comparison.greatest_drop, _told_margin(comparison), _confidence(comparison)
    if greatest < 0:
        return f"at least {_number(-greatest, -margin)} {_better(comparison)} with {sure}"
    return f"at most {_number(greatest, margin)} {_worse(comparison)} with {sure}"


def _margin(comparison: Comparison, side: str) -> str:
    """Word on which side of the margin that is; one below 0 asks for a gain."""
    margin = _told_margin(comparison)
    if margin < 0:
        return f", {'with' if side == 'within' else 'short of'} the gain of {-margin:.12g} that is asked for"
    return f", {side} the margin {margin:.12g}" if margin else ""


def _told_margin(comparison: Comparison) -> float:
    """Return the margin as it is printed: rounded as far as nothing else changes its side by that."""
    margin = comparison.margin
    others = comparison.drop, comparison.least_drop, comparison.greatest_drop
    rounded = (float(f"{margin:.{digits}g}") for digits in range(3, 13))
    kept = (
        each
        for each in rounded
        if all(
            _side(other, each) == _side(other, margin) or abs(other - margin) <= ROUNDING for other in others
        )
    )
    return next(kept, float(f"{margin:.12g}"))


def _confidence(comparison: Comparison) -> str:
    return f"{100 * (1 - comparison.alpha):.12g} % confidence"


def _p(comparison: Comparison, adjusted_p: float) -> str:
    alone = _probability(comparison.p_value, comparison.alpha)
    among = _probability(adjusted_p, comparison.alpha)
    return alone if among == alone else f"{among} among all comparisons, {alone} alone"


def _probability(p: float, alpha: float) -> str:
    return "p < 0.001" if p < SMALL <= alpha else f"p = {_number(p, alpha)}"


def _worse(comparison: Comparison) -> str:
    return "lower" if comparison.higher_is_better else "higher"


def _better(comparison: Comparison) -> str:
    return "higher" if comparison.higher_is_better else "lower"


def _about(count: int) -> str:
    """Round *count* to two digits."""
    return f"{float(f'{count:.2g}'):,.0f}"


def _number(value: float, limit: float = 0.0) -> str:
    """Word *value* with as many decimals as it takes to stand on its side of *limit*.

    There are three at least, and of less than a thousandth two that count.
    """
    if not isfinite(value):
        return str(value)
    first = 1 - floor(log10(abs(value))) if 0 < abs(value) < SMALL else 3
    texts = [f"{value:.{places}f}" for places in range(first, max(17, first + 1))]
    kept = (text for text in texts if _side(float(text), limit) == _side(value, limit))
    return next(kept, repr(value))


def _side(value: float, limit: float) -> int:
    return (value > limit) - (value < limit)
