"""Responses rated by a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pytest_context_bench.errors import ChatError, JudgeError
from pytest_context_bench.evaluators.judge_prompt import TEMPLATE, check_template, judge_prompt
from pytest_context_bench.protocols import Example, Scores

if TYPE_CHECKING:
    from pytest_context_bench.chat import ChatClient, Reply


@dataclass(frozen=True)
class LLMJudge:
    """`judge_score`: the rating, 1 to 5, that a model gives the response, mapped onto [0, 1].

    *template* may hold `{question}`, `{reference}`, `{response}`, `{context}` and `{conversation}`; other
    braces are text, and a paragraph whose placeholders are all empty is left out. The reference is the
    `answer`; without one it is the `reference`, a text, or a list of one for each turn. The model is asked
    for no randomness; a model that refuses that needs another *extra_body*. *timeout* and *max_retries* are
    those of `ChatClient`.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str | None = field(default=None, repr=False, compare=False)
    use_reference: bool = True
    template: str = field(default=TEMPLATE, repr=False)
    name: str = "llm_judge"
    timeout: float = 120.0
    max_retries: int = 3
    extra_body: Mapping[str, Any] = field(default_factory=lambda: {"temperature": 0}, hash=False)

    def __post_init__(self) -> None:
        check_template(self.template)
        _ = self.client  # wrong settings show now, not at the first row

    @cached_property
    def client(self) -> "ChatClient":
        """The client that asks the model; it connects on first use."""
        from pytest_context_bench.chat import ChatClient

        return ChatClient(
            self.base_url,
            self.model,
            api_key=self.api_key,
            timeout=self.timeout,
            max_retries=self.max_retries,
            extra_body=self.extra_body,
        )

    def score(self, original: Example, processed: Example) -> Scores:
        """Return the rating of *processed*, or nothing where there is no response. Raises JudgeError."""
        prompt = judge_prompt(self.template, original, processed, use_reference=self.use_reference)
        return {} if prompt is None else {"judge_score": self._rating(prompt)}

    def _rating(self, prompt: str) -> float:
        from pytest_context_bench.scoring.rating import HIGHEST, LOWEST, read_rating

        try:
            reply = self.client.complete([{"role": "user", "content": prompt}])
        except ChatError as error:
            raise JudgeError(self.name, str(error)) from error
        rating = read_rating(_whole_words(reply))
        if rating is None:
            raise JudgeError(self.name, f"no rating can be made out in: {self.client.quote(reply.text)}")
        if not LOWEST <= rating <= HIGHEST:
            said = self.client.quote(reply.text)
            raise JudgeError(self.name, f"the rating {rating:g} is not from 1 to 5 in: {said}")
        return (rating - LOWEST) / (HIGHEST - LOWEST)

    def close(self) -> None:
        """Close the connections to the model; a later call opens them again."""
        self.client.close()


def _whole_words(reply: "Reply") -> str:
    """Return the text of *reply* up to where it was cut: 4 may be the start of 4.5."""
    words = reply.text.split() if reply.finish_reason == "length" else []
    return reply.text.removesuffix(words[-1]) if words else reply.text
