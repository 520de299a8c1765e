"""The terms on which the pairs of one test are measured and judged."""

import json
from dataclasses import asdict, dataclass
from functools import cache


@dataclass(frozen=True)
class Terms:
    """What one test asks of its pairs.

    *gates* and *must_pass* judge its rows alone, *own_minima* replace the run's. *data* tells what its shards
    were cut from.
    """

    score_field: str
    threshold: float
    strict: bool = False
    tolerant: bool = False
    allow_code: bool = False
    text_fields: tuple[str, ...] = ()
    keep_texts: int = 0
    fingerprint: bool = False
    gates: tuple[str, ...] = ()
    own_minima: tuple[str, ...] = ()
    must_pass: tuple[str, ...] = ()
    data: tuple[str, ...] = ()

    @cache  # noqa: B019 - a run has a handful of terms, and every report carries them
    def to_json(self) -> str:
        """Return the terms as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    @cache
    def from_json(cls, text: str) -> "Terms":
        """Return the terms that `to_json` wrote."""
        values = json.loads(text)
        for key, value in values.items():
            values[key] = tuple(value) if isinstance(value, list) else value
        return cls(**values)
