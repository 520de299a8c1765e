"""Landlock, the kernel's way for a process to give up rights on files: writes only below one folder.

A process under Landlock also cannot look into processes outside: their memory, environment, open files.
"""

import os
import struct

from . import linux

_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_NEWER = {2: _REFER, 3: _TRUNCATE}  # since which version: an unknown right would be an error
_RULE_PATH_BENEATH, _VERSION = 1, 1


def allow_writes_below(folder: str) -> bool:
    """Take from this process the right to change files outside *folder*; return whether that worked."""
    version = linux.syscall(linux.LANDLOCK_CREATE_RULESET, None, 0, _VERSION)
    if version < 1:
        return False
    rights = _WRITE_FILE | _REMOVE_AND_MAKE
    rights |= sum(right for since, right in _NEWER.items() if since <= version)
    ruleset = linux.syscall(linux.LANDLOCK_CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    if ruleset < 0:
        return False
    try:
        _allow(ruleset, folder, rights)
        _allow(ruleset, os.devnull, rights & (_WRITE_FILE | _TRUNCATE))
        return linux.syscall(linux.LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, parent)
        linux.syscall(linux.LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(parent)
