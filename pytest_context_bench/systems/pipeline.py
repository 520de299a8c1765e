"""The system of two: a compressor, and a reader that answers from what it leaves."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pytest_context_bench.outputs import check_output, metadata_of, run, warm_up
from pytest_context_bench.protocols import Example, Output, System

ANSWERS = ("response", "turn_responses")
COMPRESSOR = "compressor"


@dataclass(frozen=True)
class Pipeline:
    """Any compressor in front of any reader, named `compressor+reader`.

    The tokens that count are those of the compressed context, the response is the reader's. Metadata of
    both are kept, where keys clash those of the compressor under `compressor`.
    """

    compressor: System
    reader: System
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or f"{self.compressor.name}+{self.reader.name}")

    def process(self, example: Example) -> Output:
        """Return what the compressor left and the reader's response to it. Raises what either raises."""
        compressed = _output(self.compressor, example)
        left = {key: value for key, value in compressed.items() if key not in (*ANSWERS, "metadata")}
        read = _output(self.reader, _as_asked({**example, **left}, example))
        metadata = _merged(metadata_of(compressed), metadata_of(read))
        return {**left, **read, **({"metadata": metadata} if metadata else {})}

    def warm_up(self) -> None:
        """Make both ready for their first call."""
        warm_up(self.compressor)
        warm_up(self.reader)


def _output(system: System, example: Example) -> Mapping[str, Any]:
    output = run(system, deepcopy(dict(example)))  # neither may change what the other is given
    check_output(system.name, output)
    return output  # type: ignore[no-any-return]  # checked


def _as_asked(compressed: dict[str, Any], example: Example) -> dict[str, Any]:
    """Return the *compressed* example; where the context is the question, that is compressed with it."""
    if "context" in example and example["context"] == example.get("question"):
        return {**compressed, "question": compressed["context"]}
    return compressed


def _merged(compressor: Mapping[str, Any], reader: Mapping[str, Any]) -> dict[str, Any]:
    clashing = {key: value for key, value in compressor.items() if key in reader}
    if not clashing:
        return {**compressor, **reader}
    own = {COMPRESSOR: compressor[COMPRESSOR]} if COMPRESSOR in compressor else {}
    return {**compressor, **reader, COMPRESSOR: {**own, **clashing}}
