"""Why one attempt at a chat call brought no usable reply."""

from pytest_context_bench.errors import ContextBenchError


class AttemptError(ContextBenchError):
    """What was wrong; *transient* if another attempt may do better, *message* in the server's words."""

    def __init__(self, problem: str, *, transient: bool = False, message: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.transient = transient
        self.message = message
