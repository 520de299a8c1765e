"""One chat call to an OpenAI-compatible endpoint: the request, the retries and the reply."""

from pytest_context_bench.chat.client import ChatClient
from pytest_context_bench.chat.reply import Reply, Usage, content_text

__all__ = ["ChatClient", "Reply", "Usage", "content_text"]
