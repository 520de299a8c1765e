"""The system that answers through Claude Code's command line, `claude -p`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from pytest_context_bench.errors import CommandError, InvalidValueError
from pytest_context_bench.excerpt import excerpt
from pytest_context_bench.protocols import Example, Output
from pytest_context_bench.systems.command import run_command
from pytest_context_bench.systems.messages import USER, Message, sendable, to_messages
from pytest_context_bench.tokens import texts

# A model by itself: no tools and no settings, files or commands of the user's shape its answers.
ISOLATED = (
    *("--tools", "", "--strict-mcp-config", "--setting-sources", ""),
    *("--disable-slash-commands", "--no-session-persistence"),
)
_PROMPT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True)
class ClaudeCLI:
    """Puts context and question to `claude -p`, in an empty folder; unnamed, it is called `claude:MODEL`.

    A failing exit status, a silent standard output and *timeout* seconds passed are errors, never answers.
    *arguments* keep it from tools, settings and files; a release that does not know them needs others.
    """

    model: str = ""
    name: str = ""
    system_prompt: str | None = None
    timeout: float = field(default=300.0, metadata={"cache_key": False})
    command: str | Sequence[str] = "claude"
    arguments: Sequence[str] = ISOLATED

    def __post_init__(self) -> None:
        if not (self.timeout > 0 and isfinite(self.timeout)):
            raise InvalidValueError("timeout", self.timeout, "a number of seconds above 0")
        object.__setattr__(self, "name", self.name or ":".join(filter(None, ("claude", self.model))))

    def process(self, example: Example) -> Output:
        """Return the answer that the command gives. Raises CommandError."""
        from pytest_context_bench.systems.usage import with_usage

        messages = to_messages(sendable(example))
        finished = run_command(self._line(), _prompt(messages), self.timeout)
        text, facts = _answer(self._program()[0], finished.output)
        if finished.complaints.strip():
            facts["stderr"] = excerpt(finished.complaints)
        return {"response": text, "metadata": with_usage(facts, messages, (), [text])}

    def _program(self) -> list[str]:
        return [self.command] if isinstance(self.command, str) else list(self.command)

    def _line(self) -> list[str]:
        model = ("--model", self.model) if self.model else ()
        system = ("--system-prompt", self.system_prompt) if self.system_prompt else ()
        return [*self._program(), "-p", "--output-format", "json", *model, *system, *self.arguments]


def _prompt(messages: Sequence[Message]) -> str:
    """Return *messages* as one text, with the roles where others than the user speak."""
    spoken = [(message["role"], "\n".join(texts(message))) for message in messages]
    if all(role == USER for role, _ in spoken):
        return "\n\n".join(text for _, text in spoken)
    return "\n\n".join(f"[{role}]\n{text}" for role, text in spoken)


def _answer(command: str, output: str) -> tuple[str, dict[str, Any]]:
    """Return text and facts of *output*: the result that was asked for, else all of it is the answer.

    Raises CommandError for a result that is an error or was cut off.
    """
    try:
        result = _result(json.loads(output))
    except ValueError as error:
        if output.lstrip().startswith(('{"type":', '[{"type":')):
            raise CommandError(command, ["its result is cut off", f"it starts {excerpt(output)}"]) from error
        result = None
    if result is None:
        return output.strip(), {}
    text = result.get("result")
    if result.get("is_error") or not isinstance(text, str):
        kind = str(result.get("subtype") or "")
        raise CommandError(command, ["it reports an error", *filter(None, (kind, excerpt(str(text or ""))))])
    return text, _facts(result)


def _result(value: Any) -> Mapping[str, Any] | None:
    """Return the result in *value*, which newer releases give alone and verbose ones at the end."""
    last = value[-1] if isinstance(value, list) and value else value
    return last if isinstance(last, Mapping) and last.get("type") == "result" else None


def _facts(result: Mapping[str, Any]) -> dict[str, Any]:
    given = result.get("usage")
    usage = given if isinstance(given, Mapping) else {}
    facts = {
        "prompt_tokens": sum(_counted(usage.get(name)) for name in _PROMPT_TOKENS) or None,
        "completion_tokens": _counted(usage.get("output_tokens")) or None,
        "finish_reason": result.get("stop_reason"),
        "cost": result.get("total_cost_usd"),
    }
    return {name: value for name, value in facts.items() if value is not None}


def _counted(tokens: Any) -> int:
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens > 0 else 0
