"""Names the needle data sets: a task, a size, or both, as `needle:json-16k`."""

from types import MappingProxyType

from pytest_context_bench.errors import UnknownNameError

TASKS: tuple[str, ...] = ("prose", "multi-key", "trace", "json", "log", "table", "code")
SIZES: dict[str, int] = {f"{thousands}k": thousands * 1000 for thousands in (1, 2, 4, 8, 16, 32, 64, 128)}
DEFAULT_SIZE = "2k"

CONFIGS = MappingProxyType(
    {size: (TASKS[0], tokens) for size, tokens in SIZES.items()}
    | {task: (task, SIZES[DEFAULT_SIZE]) for task in TASKS}
    | {f"{task}-{size}": (task, tokens) for task in TASKS for size, tokens in SIZES.items()}
)


def parse_config(config: str | None) -> tuple[str, int]:
    """Return the task and the size in tokens that *config* names; raises UnknownNameError."""
    if config is None:
        return TASKS[0], SIZES[DEFAULT_SIZE]
    if config not in CONFIGS:
        raise UnknownNameError("needle config", config, CONFIGS)
    return CONFIGS[config]
