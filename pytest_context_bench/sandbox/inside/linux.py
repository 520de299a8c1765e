"""Calls of the Linux kernel that Python has no name for. Elsewhere they do nothing and say so."""

import ctypes
import os
import sys

SIGKILL = 9  # importing `signal` would cost each run milliseconds
PR_SET_PDEATHSIG, PR_SET_SECCOMP = 1, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446  # on every architecture

libc = ctypes.CDLL(None) if sys.platform == "linux" else None

# What lets root read files of other owners stays: the interpreter may be installed below another's home.
_CAPABILITY_VERSION_3 = 0x20080522
_KEPT_CAPABILITIES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


def prctl(option: int, argument: object, extra: object = 0) -> bool:
    """Set an attribute of this process; return whether that worked."""
    return libc is not None and libc.prctl(option, argument, extra, 0, 0) == 0


def syscall(number: int, *arguments: object) -> int:
    """Make a system call; return what it returns, -1 where there is none to make."""
    return int(libc.syscall(number, *arguments)) if libc is not None else -1


def drop_capabilities() -> bool:
    """Leave this process none of root's powers over the system, its limits and other processes."""
    if libc is None or not hasattr(libc, "capset"):
        return False
    kept = _KEPT_CAPABILITIES if os.geteuid() == 0 else 0
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    return bool(libc.capset(header, sets) == 0)
