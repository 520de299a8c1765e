"""Takes from this process what code under test must not have, as far as the system can."""

from . import guardian, landlock, linux, rlimits, seccomp


def confine(limits: dict[str, float], folder: str, layers: list[str]) -> list[str]:
    """Put each of *layers* in force that this system has, and return those.

    Landlock: writes only below *folder*, no look into other processes. Capabilities: none of root's powers.
    Seccomp: no other process, no signal to one, no network. Rlimits: ceilings on memory, CPU time and files.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    steps = {
        "landlock": lambda: landlock.allow_writes_below(folder),
        "capabilities": linux.drop_capabilities,
        "seccomp": seccomp.install,
    }
    in_force = [name for name, step in steps.items() if name in layers and step()]
    alone = "seccomp" in in_force
    if not alone:
        guardian.stand_between()
    if "rlimits" in layers and rlimits.lower(limits, alone=alone):
        in_force.append("rlimits")
    return in_force
