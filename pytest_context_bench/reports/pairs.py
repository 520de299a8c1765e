"""The pairs of a result as plain data, for the script of a page to show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from pytest_context_bench.comparison import Comparison
from pytest_context_bench.gates import shown
from pytest_context_bench.metrics.quality import passes
from pytest_context_bench.metrics.selection import UNTAGGED
from pytest_context_bench.plain import to_float, to_plain
from pytest_context_bench.redact import masker
from pytest_context_bench.results import EvalResult
from pytest_context_bench.rows import EvalRow

TEXTS = "texts"  # metadata with the texts of a pair, where they were kept
KEPT = ("question", "answer", "context", "processed", "response")


@dataclass(frozen=True)
class Judged:
    """The score that tells whether a pair passes, and the threshold, if the result has one."""

    score_field: str
    threshold: float | None

    @classmethod
    def by(cls, config: Mapping[str, Any]) -> "Judged":
        """Return what the settings of a result say."""
        return cls(str(config.get("score_field") or "score"), to_float(config.get("threshold")))

    def status(self, row: EvalRow) -> str:
        """Return `error`, `below`, `pass`, or nothing for a row that cannot be judged."""
        if row.error is not None:
            return "error"
        if self.threshold is None or self.score_field not in row.scores:
            return ""
        return "pass" if passes(row, self.score_field, self.threshold) else "below"

    def worded(self, score: float | None, name: str) -> str:
        """Word the score *name*, with as many decimals as it takes not to contradict the status."""
        if score is None:
            return ""
        judging = name == self.score_field and self.threshold is not None
        return shown(score, ">=", self.threshold or 0.0) if judging else f"{score:,.3f}"


@dataclass
class Pool:
    """Texts that occur many times, each kept once and without secrets, and their places."""

    mask: Callable[[str], str]
    values: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str) -> int:
        """Return the place of *text*, a new one if it was not met before."""
        found = self._places.setdefault(text, len(self.values))
        if found == len(self.values):
            self.values.append(to_plain(text, "text", self.mask))
        return found


def to_pairs(result: EvalResult) -> dict[str, Any]:
    """Return the rows of *result* as short lists; names and texts stand once, in lists of their own."""
    judged = Judged.by(result.config)
    flips = _flips(result.comparison, judged)
    mask = masker()
    systems, datasets, texts = Pool(mask), Pool(mask), Pool(mask)
    rows = [
        [
            systems.place(row.system),
            datasets.place(row.dataset or UNTAGGED),
            *_measured(plain, judged),
            judged.status(row),
            *flips.get((row.system, row.dataset or UNTAGGED, str(row.example_id)), ("", "")),
            plain["error"],
            {key: judged.worded(value, key) for key, value in plain["scores"].items()},
            _places(row.metadata.get(TEXTS), texts),
            _finite(plain["metadata"]),
        ]
        for row in result.rows
        for plain in [_without_texts(row).to_dict()]
    ]
    return {"systems": systems.values, "datasets": datasets.values, "texts": texts.values, "rows": rows}


def _measured(plain: Mapping[str, Any], judged: Judged) -> list[Any]:
    """Return id and repeat, score and latency as numbers and in words, and tokens before and after."""
    score = plain["scores"].get(judged.score_field)
    return [
        str(plain["example_id"]),
        plain["repeat"],
        _number(score),
        judged.worded(score, judged.score_field),
        _number(plain["latency"]),
        f"{plain['latency']:,.3f}",
        plain["input_tokens"],
        plain["output_tokens"],
    ]


def _without_texts(row: EvalRow) -> EvalRow:
    """Return *row* without its texts: looking for secrets in each copy of a text would take minutes."""
    return replace(row, metadata={key: value for key, value in row.metadata.items() if key != TEXTS})


def _flips(comparison: Comparison | None, judged: Judged) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return what became of each pair that changed sides, and the score it had before."""
    return {
        (flip.system, flip.dataset or UNTAGGED, str(flip.example_id)): (
            "passes now" if flip.passes else "fails now",
            judged.worded(flip.before, judged.score_field) or "no score",
        )
        for flip in (comparison.flips if comparison is not None else ())
    }


def _places(kept: Any, texts: Pool) -> list[int | None] | None:
    """Put the texts that were *kept* into the pool; return the place of each of KEPT."""
    if not isinstance(kept, dict):
        return None
    found = [kept.get(name) for name in KEPT]
    return [texts.place(text) if isinstance(text, str) else None for text in found]


def _number(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _finite(value: Any) -> Any:
    """Return plain JSON in which a number that is not finite is its name: a page shows it, JSON does not."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return value
