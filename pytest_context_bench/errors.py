"""What a user can get wrong, each worded once: the thing, what was expected, the nearest valid choice."""

from collections.abc import Iterable
from math import inf


class ContextBenchError(Exception):
    """A mistake that a user can mend; its text is one line, whatever it quotes."""

    def __init__(self, message: object = "") -> None:
        super().__init__(" ".join(str(message).splitlines()))


class UnknownNameError(ContextBenchError):
    """A name that is not among the valid ones."""

    def __init__(self, kind: str, name: object, valid: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {str(name)!r}: {nearest(str(name), valid)}")


class DuplicateNameError(ContextBenchError):
    """Two things under one name."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"two {kind}s are named {name!r}: give each its own name")


def check_distinct(kind: str, names: Iterable[str]) -> None:
    """Check that no two things of a *kind* have one name. Raises DuplicateNameError."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DuplicateNameError(kind, name)
        seen.add(name)


class InvalidValueError(ContextBenchError):
    """A value outside what its place accepts."""

    def __init__(self, where: str, value: object, expected: str) -> None:
        super().__init__(f"{where}: {brief(value)} is not {expected}")


class NotJsonError(ContextBenchError):
    """A value that plain JSON cannot carry."""

    def __init__(self, where: str, value: object) -> None:
        kind = type(value).__name__
        super().__init__(f"{where} is a {kind}: expected text, numbers, booleans, lists and dicts of them")


class InvalidOutputError(ContextBenchError):
    """A system's output that cannot be laid over its example."""

    def __init__(self, system: str, problem: str) -> None:
        super().__init__(f"system {system!r}: {problem}")


class InvalidScoreError(ContextBenchError):
    """A score that is not a number."""

    def __init__(self, evaluator: str, key: str, value: object) -> None:
        kind = type(value).__name__
        super().__init__(f"evaluator {evaluator!r}: score {key!r} is a {kind} ({value!r:.40}), not a number")


class ConflictingScoresError(ContextBenchError):
    """Two evaluators that disagree on one key."""

    def __init__(self, key: str, first: str, second: str, values: tuple[float, float]) -> None:
        super().__init__(
            f"evaluators {first!r} and {second!r} both give {key!r}, with different values "
            f"({values[0]:g} and {values[1]:g}): rename one of the scores"
        )


class BadRecordError(ContextBenchError):
    """A record of a data file that is not an example; *where* is `file:line`."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")


class DuplicateExampleError(ContextBenchError):
    """Two examples of one data set that are the same, by id or by content."""

    def __init__(self, dataset: str, what: str, first: str, second: str) -> None:
        super().__init__(f"{_dataset(dataset)}: {what} at {first} and at {second}: examples must be distinct")


class BrokenExtraError(ContextBenchError):
    """An optional dependency that is installed but does not work."""

    def __init__(self, extra: str, problem: str) -> None:
        super().__init__(f"the optional dependency [{extra}] is installed but does not work: {problem}")


class EmptyDatasetError(ContextBenchError):
    """A data set without examples."""

    def __init__(self, dataset: str) -> None:
        super().__init__(f"{_dataset(dataset)} holds no examples: a benchmark over nothing proves nothing")


class EmptyShardError(ContextBenchError):
    """A part of the examples that holds none."""

    def __init__(self, part: int, parts: int) -> None:
        super().__init__(f"shard {part}/{parts} holds no examples: use fewer shards")


class UnjudgedGatesError(ContextBenchError):
    """Gates on a test that measures nothing."""

    def __init__(self, test: str, gate: str) -> None:
        super().__init__(
            f"{test} has {gate} in its marker context_bench but does not take the fixture context_bench: "
            "nothing would be judged"
        )


class FailedHookError(ContextBenchError):
    """A user's hook that raised; *blame* says what and where."""

    def __init__(self, hook: str, blame: str) -> None:
        super().__init__(f"hook {hook} failed: {blame}")


class VocabularyError(ContextBenchError):
    """A tokenizer whose vocabulary is not at hand and could not be fetched; *bundled* ones always are."""

    def __init__(self, encoding: str, bundled: Iterable[str]) -> None:
        super().__init__(
            f"tokenizer {encoding!r} needs a vocabulary that is not in tiktoken's cache and could not be "
            f"downloaded; these work without a network: {', '.join(bundled)}"
        )


class MissingExtraError(ContextBenchError):
    """A package of an optional extra that is not installed."""

    def __init__(self, extra: str, package: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package}: pip install 'pytest-context-bench[{extra}]'"
        )


class ChatError(ContextBenchError):
    """A chat call that brought no usable reply; *facts* are what is known, none of it secret."""

    def __init__(self, url: str, facts: Iterable[str], attempts: int) -> None:
        tried = f" ({attempts} attempts)" if attempts > 1 else ""
        super().__init__(": ".join([f"chat call to {url}{tried}", *facts]))


class CommandError(ContextBenchError):
    """A command that gave no answer; *facts* are what is known, none of it secret."""

    def __init__(self, command: str, facts: Iterable[str]) -> None:
        super().__init__(": ".join([f"command {command!r}", *facts]))


class JudgeError(ContextBenchError):
    """A judge that gave no rating that can be trusted."""

    def __init__(self, judge: str, problem: str) -> None:
        super().__init__(f"judge {judge!r}: {problem}")


class NeedsJudgeError(ContextBenchError):
    """A data set that nothing but a judge can score, in a run without one."""

    def __init__(self, dataset: str) -> None:
        super().__init__(
            f"{_dataset(dataset)} is scored by a judge, and none is there: name one with "
            "--context-bench-judge-url and --context-bench-judge-model, register an evaluator of your own, "
            "or hand one to evaluate(), as evaluators=[LLMJudge(url, model)]"
        )


class ExecutionNotAllowedError(ContextBenchError):
    """Code of an answer that would have to run, and may not."""

    def __init__(self) -> None:
        super().__init__(
            "scoring this example runs code that a model wrote, which is off by default: allow it with "
            "--context-bench-allow-code-execution, or CodeExecution(allow=True) in Python"
        )


class SandboxError(ContextBenchError):
    """A sandbox that does not work here: no judgement on the code it was to run."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the sandbox for code under test does not work here: {problem}")


class NewerSchemaError(ContextBenchError):
    """A saved result that a newer release wrote."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"the saved result has schema {found}, and this release reads up to {known}: upgrade "
            "pytest-context-bench, or save the result anew"
        )


class MissingBaselineError(ContextBenchError):
    """A baseline that is not there."""

    def __init__(self, name: str, path: object, known: Iterable[str]) -> None:
        others = f"; those there are {', '.join(names)}" if (names := sorted(known)) else ""
        super().__init__(
            f"there is no baseline {name!r} ({str(path)!r} does not exist{others}): make one with "
            f"--context-bench-save {name}"
        )


class UnnamedBaselineError(ContextBenchError):
    """A run that is to have a baseline, and names none."""

    def __init__(self, known: Iterable[str]) -> None:
        others = f"; those there are {', '.join(names)}" if (names := sorted(known)) else ""
        super().__init__(
            "--context-bench-require-baseline without a baseline: name one with --context-bench-baseline"
            f"{others}"
        )


class BadBaselineError(ContextBenchError):
    """A file that is no baseline."""

    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"baseline {str(path)!r}: {problem}: save it anew")


class NoCandidateError(ContextBenchError):
    """A candidate for a baseline that is not there."""

    def __init__(self, name: str, path: object, known: Iterable[str]) -> None:
        others = f"; candidates wait for {', '.join(names)}" if (names := sorted(known)) else ""
        super().__init__(
            f"no candidate waits to become the baseline {name!r} ({str(path)!r} does not exist{others})"
        )


class UnwritableBaselineError(ContextBenchError):
    """A baseline that cannot be written where it is to be."""

    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"baseline {str(path)!r} cannot be saved: {problem}")


class BudgetSpentError(ContextBenchError):
    """A call that was not begun, since the run has spent what it may."""

    def __init__(self, spent: float, most: float, unit: str) -> None:
        known = "nobody knows how many" if spent == inf else f"{spent:g}"
        super().__init__(f"the budget of {most:g} {unit} is spent ({known} {unit})")


class RunEndedError(ContextBenchError):
    """A call that was not begun, since nobody waits for it any more."""

    def __init__(self) -> None:
        super().__init__("the run has ended")


class UnknownCostError(ContextBenchError):
    """A call of which nothing tells what it cost, in a run that may cost so much only."""

    def __init__(self, system: str) -> None:
        super().__init__(
            f"system {system!r} reports no cost: give the price of its tokens, or bound tokens, not dollars"
        )


class CacheMissError(ContextBenchError):
    """An output that is not kept, in a run that may only replay."""

    def __init__(self, system: str) -> None:
        super().__init__(
            f"the cache holds no output of system {system!r} for this example, and may only replay"
        )


class CacheError(ContextBenchError):
    """A cache that cannot be used."""

    def __init__(self, path: object, problem: str) -> None:
        super().__init__(f"cache {str(path)!r}: {problem}: move it away, or name another folder")


class NoCacheError(ContextBenchError):
    """A cache that is not there."""

    def __init__(self, path: object) -> None:
        super().__init__(f"there is no cache: {str(path)!r} does not exist")


class NotCacheableError(ContextBenchError):
    """A system or evaluator of which it cannot be told when its results would be others."""

    def __init__(self, kind: str, name: str, where: str, what: str) -> None:
        super().__init__(
            f"{kind} {name!r} cannot be cached: {where} cannot be seen into ({what}); give it an attribute "
            "cache_key, a text that changes whenever its results would"
        )


def brief(value: object, longest: int = 200) -> str:
    """Word *value*, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a user's own repr can fail in any way, and so can that of a huge number
        return f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[:longest]}…"


def nearest(name: str, valid: Iterable[str], most: int = 80) -> str:
    """Word the choices for *name*: the close ones first, else all of them, but no more than *most*."""
    from difflib import get_close_matches

    names = sorted(set(valid))
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"expected one of {', '.join(names[:most])}{rest}" if names else "there are none"


def _dataset(name: str) -> str:
    return f"data set {name!r}" if name else "the data set"
