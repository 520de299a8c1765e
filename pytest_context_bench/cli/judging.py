"""What the result of a command is judged by: read before anything runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_context_bench.baselines import FOLDER, Baselines
from pytest_context_bench.cli.arguments import in_own_flags
from pytest_context_bench.differences import compared
from pytest_context_bench.gates import Gate
from pytest_context_bench.judgement import Asked, judge_all
from pytest_context_bench.marker import MINIMA, minima_of
from pytest_context_bench.must_pass import ids_of, judge_must_pass
from pytest_context_bench.pairing import Baseline
from pytest_context_bench.results import EvalResult
from pytest_context_bench.run_gates import check_metrics


@dataclass(frozen=True)
class Judging:
    """Gates, how they judge, examples that must pass, and the baseline *name*, or why it is missing."""

    gates: Sequence[Gate]
    mode: str
    must_pass: Sequence[str] = ()
    name: str = ""
    baseline: EvalResult | None = None
    missing: str = ""

    @classmethod
    def asked_for(cls, options: Mapping[str, Any]) -> "Judging":
        """Return what *options* ask for. Raises ContextBenchError."""
        gates, must_pass = _gates_of(options), ids_of(options["must-pass"] or (), "--must-pass")
        name, required = options["baseline"], options["require-baseline"]
        baseline, missing = baselines_of(options).find(name, required=required)
        return cls(gates, options["gate-mode"], must_pass, name or "", baseline, in_own_flags(missing))

    def judge(self, result: EvalResult) -> EvalResult:
        """Return *result* with the verdicts on it, and beside its baseline."""
        population = result.population()
        partial = bool(result.config.get("partial"))
        old = self.baseline
        baseline = None if old is None else Baseline(old.rows, old.config, result.config)
        asked = [Asked(gate, population) for gate in self.gates]
        verdicts = judge_all(asked, baseline, mode=self.mode, partial=partial)
        if self.must_pass:
            shard = "shard" in result.config
            verdicts.append(judge_must_pass(self.must_pass, population, partial=partial, shard=shard))
        comparison = None if baseline is None else compared(self.name, population, baseline)
        notes = [*result.notes, *filter(None, [self.missing])]
        return replace(result, verdicts=verdicts, comparison=comparison, notes=notes)


def baselines_of(options: Mapping[str, Any]) -> Baselines:
    """Return the folder of the baselines."""
    return Baselines(Path(options["baseline-dir"] or FOLDER))


def _gates_of(options: Mapping[str, Any]) -> list[Gate]:
    minima = minima_of({name: options[name] for name in MINIMA})
    budget = options["max-errors"]
    texts = (*(options["gate"] or ()), *minima, *([budget] if budget else ()))
    gates = [Gate.parse(text) for text in texts]
    check_metrics(gates)
    return gates
