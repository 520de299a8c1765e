"""Runs the CI recipes of docs/ci.md as their services would, on this machine: jobs, caches and artifacts."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

DOCUMENT = Path(__file__).parents[1] / "docs" / "ci.md"
OK, FAILED, SKIPPED = "success", "failure", "skipped"
INSTALL = "pip install pytest-context-bench"
_EVENT = re.compile(r"github\.event_name (==|!=) '(\w+)'")
_RULE = re.compile(r'\$(\w+) == (?:\$(\w+)|"(\w+)")')
_MATRIX = re.compile(r"\$\{\{ matrix\.(\w+) \}\}")


def recipes() -> dict[str, Any]:
    """Return the YAML of each section, by its heading."""
    found = re.findall(
        r"^## ([^\n]+)\n(?:(?!^## ).)*?^```yaml\n(.*?)^```", _text(), flags=re.DOTALL | re.MULTILINE
    )
    return {heading: yaml.safe_load(text) for heading, text in found}


def settings() -> str:
    """Return the pyproject.toml that the recipes take for granted."""
    return re.search(r"^```toml\n(.*?)^```", _text(), flags=re.DOTALL | re.MULTILINE)[1]


def _text() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


@dataclass
class Service:
    """What outlives a job: the repository's *files*, the cache and the artifacts, in folders below *folder*.

    *run* runs one command, as words, in a folder and returns its exit code.
    """

    folder: Path
    run: Callable[[Path, list[str]], int]
    files: dict[str, str]
    codes: list[int] = field(default_factory=list)
    _jobs: int = 0

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def artifacts(self) -> Path:
        return self.folder / "artifacts"

    def begin(self) -> Path:
        """Return an empty folder for one job."""
        self._jobs += 1
        place = self.folder / f"job{self._jobs}"
        place.mkdir()
        return place

    def checkout(self, place: Path) -> None:
        for name, content in self.files.items():
            (place / name).write_text(content, encoding="utf-8")

    def restore(self, place: Path, path: str) -> None:
        if (self.cache / path).exists():
            shutil.copytree(self.cache / path, place / path)

    def keep(self, place: Path, path: str) -> None:
        shutil.rmtree(self.cache / path, ignore_errors=True)
        shutil.copytree(place / path, self.cache / path)

    def upload(self, place: Path, name: str, path: str) -> None:
        assert not Path(path).name.startswith("."), "hidden files are not uploaded"
        (self.artifacts / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(place / path, self.artifacts / name)

    def download(self, place: Path, pattern: str) -> None:
        for found in self.artifacts.glob(f"{pattern}/*"):
            shutil.copy(found, place)

    def commands(self, place: Path, text: str) -> bool:
        """Run the lines of *text* up to one that fails; return whether none did. Nothing is installed."""
        for line in text.strip().splitlines():
            if line == INSTALL:
                continue
            words = [found for word in shlex.split(line) for found in _expanded(place, word)]
            self.codes.append(self.run(place, words))
            if self.codes[-1]:
                return False
        return True


def _expanded(place: Path, word: str) -> list[str]:
    """Return the files that *word* names, as a shell would."""
    return sorted(path.name for path in place.glob(word)) if "*" in word else [word]


def github(workflow: Mapping[str, Any], event: str, service: Service) -> dict[str, str]:
    """Run the jobs of a *workflow* on an *event*; return how each ended."""
    assert event in workflow[True], "YAML 1.1 reads `on` as a boolean"
    outcomes: dict[str, str] = {}
    for name, job in workflow["jobs"].items():
        wanted = _holds(job.get("if"), event) and outcomes.get(job.get("needs"), OK) == OK
        done = [_github_job(job, values, event, service) for values in _matrix(job)] if wanted else []
        outcomes[name] = SKIPPED if not wanted else OK if all(done) else FAILED
    return outcomes


def _matrix(job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    matrix = job.get("strategy", {}).get("matrix", {"": [""]})
    ((name, values),) = matrix.items()
    yield from ({name: value} for value in values)


def _github_job(job: Mapping[str, Any], matrix: Mapping[str, Any], event: str, service: Service) -> bool:
    place, well = service.begin(), True
    for step in job["steps"]:
        condition = step.get("if")
        if condition != "always()" and not (well and _holds(condition, event)):
            continue
        filled = _filled(step, matrix)
        if "run" in filled:
            well = service.commands(place, filled["run"]) and well
        else:
            _use(filled["uses"], filled.get("with", {}), place, service)
    return well


def _filled(value: Any, matrix: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(one, matrix) for key, one in value.items()}
    return _MATRIX.sub(lambda match: str(matrix[match[1]]), value) if isinstance(value, str) else value


def _use(action: str, given: Mapping[str, Any], place: Path, service: Service) -> None:
    name, _, version = action.partition("@")
    assert version
    if name == "actions/checkout":
        service.checkout(place)
    elif name == "actions/cache/restore":
        assert given["key"].startswith(given["restore-keys"])
        service.restore(place, given["path"])
    elif name == "actions/cache/save":
        service.keep(place, given["path"])
    elif name == "actions/upload-artifact":
        service.upload(place, given["name"], given["path"])
    elif name == "actions/download-artifact":
        assert given["merge-multiple"]
        service.download(place, given["pattern"])
    else:
        assert name == "actions/setup-python"


def _holds(condition: str | None, event: str) -> bool:
    if condition is None:
        return True
    operator, named = _EVENT.fullmatch(condition).groups()
    return (event == named) == (operator == "==")


def gitlab(jobs: Mapping[str, Any], variables: Mapping[str, str], service: Service) -> dict[str, str]:
    """Run the *jobs* whose rules *variables* meet; return how each ended."""
    chosen = {
        name: job for name, job in jobs.items() if any(_meets(rule["if"], variables) for rule in job["rules"])
    }
    return {name: OK if _gitlab_job(name, job, service) else FAILED for name, job in chosen.items()}


def _meets(rule: str, variables: Mapping[str, str]) -> bool:
    name, other, text = _RULE.fullmatch(rule).groups()
    return variables.get(name) == (variables.get(other) if other else text)


def _gitlab_job(name: str, job: Mapping[str, Any], service: Service) -> bool:
    place, cache = service.begin(), job["cache"]
    service.checkout(place)
    for path in cache["paths"]:
        service.restore(place, path)
    well = all(service.commands(place, line) for line in job["script"])
    if well and cache.get("policy", "pull-push") == "pull-push":
        for path in cache["paths"]:
            service.keep(place, path)
    assert job["artifacts"]["when"] == "always"
    for path in job["artifacts"]["paths"]:
        service.upload(place, name, path)
    return well
