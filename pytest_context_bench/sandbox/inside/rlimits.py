"""Ceilings that the kernel keeps; they are lowered, never raised."""

try:
    import resource
except ImportError:  # not a Unix
    resource = None  # type: ignore[assignment]

_OPEN_FILES = 128
_LARGEST_FILE_MB = 16


def lower(limits: dict[str, float], *, alone: bool) -> bool:
    """Lower the limits of this process; *alone* says that other means keep it from starting others.

    Return whether the memory ceiling, the one that matters most, is in force.
    """
    if resource is None:
        return False
    cpu = max(1, int(limits["cpu_seconds"]))
    _lower("RLIMIT_CORE", 0)
    _lower("RLIMIT_CPU", cpu)
    _lower("RLIMIT_FSIZE", _LARGEST_FILE_MB << 20)
    _lower("RLIMIT_NOFILE", _OPEN_FILES)
    if not alone:
        _lower("RLIMIT_NPROC", 0)
    return _lower("RLIMIT_AS", int(limits["memory_mb"]) << 20)


def _lower(name: str, ceiling: int) -> bool:
    kind = getattr(resource, name, None)
    if kind is None:
        return False
    soft, hard = (_smaller(ceiling, now) for now in resource.getrlimit(kind))
    try:
        resource.setrlimit(kind, (soft, hard))
    except (OSError, ValueError):  # macOS has the names of limits that it does not keep
        return False
    return True


def _smaller(ceiling: int, now: int) -> int:
    return ceiling if now == resource.RLIM_INFINITY else min(ceiling, now)
