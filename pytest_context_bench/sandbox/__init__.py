"""Runs code that nobody has read: contained, in bounded time and memory, with nothing left running.

This is containment, not a security boundary. It keeps mistakes and simple mischief from the machine and from
the score. It does not hide files that the user can read, and it does not judge honesty: the code runs in one
interpreter with its tests, and code written against this very sandbox can lie about them.
"""

from pytest_context_bench.sandbox.process import LAYERS, Limits, Outcome, Task, run

__all__ = ["LAYERS", "Limits", "Outcome", "Task", "run"]
