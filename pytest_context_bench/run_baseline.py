"""The baseline of a run: found before anything runs, and saved at its end."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_context_bench.options import setting

if TYPE_CHECKING:
    from pytest_context_bench.baselines import Baselines
    from pytest_context_bench.results import EvalResult

_key = pytest.StashKey[tuple["EvalResult | None", str]]()  # it, or why it is missing
NONE = (None, "")


def find(config: pytest.Config) -> None:
    """Read the baseline that is named, before anything runs.

    Raises BadBaselineError, UnwritableBaselineError for where one is to be saved, and where one is required
    UnnamedBaselineError and MissingBaselineError; else one that is missing is told at the end.
    """
    if setting(config, "save") is not None:
        baselines_of(config).check(setting(config, "save"))
    name, required = setting(config, "baseline"), setting(config, "require-baseline")
    if name is not None or required:
        config.stash[_key] = baselines_of(config).find(name, required=required)


def baseline_of(config: pytest.Config) -> "EvalResult | None":
    """Return the baseline of the run, if it has one."""
    return config.stash.get(_key, NONE)[0]


def missing_baseline(config: pytest.Config) -> str:
    """Say that the baseline that is named is not there, or nothing."""
    return config.stash.get(_key, NONE)[1]


def save(config: pytest.Config, result: "EvalResult", *, well: bool) -> str:
    """Save *result* if that is asked for; say where it is. Raises UnwritableBaselineError."""
    name = setting(config, "save")
    if name is None:
        return ""
    return baselines_of(config).save(name, result, well=well, start=config.invocation_params.dir)


def baselines_of(config: pytest.Config) -> "Baselines":
    """Return the folder of the run's baselines."""
    from pytest_context_bench.baselines import FOLDER, Baselines

    return Baselines(Path(setting(config, "baseline-dir") or config.rootpath / FOLDER))
