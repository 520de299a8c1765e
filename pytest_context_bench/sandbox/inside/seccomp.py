"""A seccomp filter: the kernel refuses system calls that reach beyond this process.

Refused calls fail with EPERM: code that can do without goes on. Unlisted architectures, and 32-bit
interpreters, have no filter.
"""

import ctypes
import os
import struct
import sys

from . import linux

# Audit name of the architecture, and column of the tables below. Newer calls have one number everywhere.
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
_X32_CALLS = 0x4000_0000  # a second numbering of the same calls on x86-64

_REFUSED: dict[str, tuple[int, int | None]] = {
    # other processes
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    # out of the process group
    "setpgid": (109, 154),
    "setsid": (112, 157),
    # network
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    # memory that no limit counts, or that stays behind
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # the kernel itself, and ways around this filter
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
_ONLY_ON_ITSELF: dict[str, tuple[int, int]] = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
}
_ONLY_ON_ITSELF_OR_ZERO: dict[str, tuple[int, int]] = {  # zero means itself here; for `kill` it is the group
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
_CLONE, _CLONE3 = (56, 220), (435, 435)
_CLONE_THREAD = 0x0001_0000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_KILL, _ALLOW, _FAIL = 0x8000_0000, 0x7FFF_0000, 0x0005_0000
_EPERM, _ENOSYS = 1, 38


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def install() -> bool:
    """Put the filter in force for this process, for good; return whether it is."""
    code = program(os.uname().machine, os.getpid()) if sys.maxsize > 2**32 else b""
    filter_ = _Program(len(code) // 8, code)
    return bool(code) and linux.prctl(linux.PR_SET_SECCOMP, linux.SECCOMP_MODE_FILTER, ctypes.byref(filter_))


def program(machine: str, pid: int) -> bytes:
    """Return the filter for process *pid* as BPF code; nothing for an unlisted machine."""
    if machine not in _ARCHITECTURES:
        return b""
    audit_name, column = _ARCHITECTURES[machine]
    code = [(_LOAD, 0, 0, _ARCHITECTURE_AT), (_EQUAL, 1, 0, audit_name), (_RETURN, 0, 0, _KILL)]
    code += [(_LOAD, 0, 0, _NUMBER_AT), (_AT_LEAST, 0, 1, _X32_CALLS), (_RETURN, 0, 0, _FAIL | _ENOSYS)]
    for numbers in _REFUSED.values():
        code += _when(numbers[column], [(_RETURN, 0, 0, _FAIL | _EPERM)])
    for numbers in _ONLY_ON_ITSELF.values():
        code += _when(numbers[column], _argument_among(pid))
    for numbers in _ONLY_ON_ITSELF_OR_ZERO.values():
        code += _when(numbers[column], _argument_among(pid, 0))
    # The flags of clone3 are out of a filter's sight: as if it did not exist, the C library then uses clone.
    code += _when(_CLONE3[column], [(_RETURN, 0, 0, _FAIL | _ENOSYS)])
    code += _when(_CLONE[column], _threads_only())
    code += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _when(number: int | None, then: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    return [] if number is None else [(_EQUAL, 0, len(then), number), *then]


def _argument_among(*allowed: int) -> list[tuple[int, int, int, int]]:
    """Let the call through when its first argument is one of *allowed*."""
    checks = [(_EQUAL, len(allowed) - index, 0, value) for index, value in enumerate(allowed)]
    return [
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        *checks,
        (_RETURN, 0, 0, _FAIL | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _threads_only() -> list[tuple[int, int, int, int]]:
    return [
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _FAIL | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
