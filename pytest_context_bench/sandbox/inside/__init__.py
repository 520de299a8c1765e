"""Runs inside the sandbox's process: few imports, all standard, nothing of the rest of the package."""

WANTS_MORE, GIVES_UP = b"\n", b"!"  # what the process says: the next part, please; or the reason, to the end
