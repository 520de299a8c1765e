"""The system that changes nothing: what the others are compared with."""

from dataclasses import dataclass

from pytest_context_bench.protocols import Example, Output


@dataclass(frozen=True)
class Identity:
    """Leaves the example as it is."""

    name: str = "identity"

    def process(self, example: Example) -> Output:  # noqa: ARG002 - the protocol's signature
        """Return nothing: nothing changes."""
        return {}
