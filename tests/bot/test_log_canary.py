"""The log at debug while a model fails: the words that were asked and the key stand nowhere in it."""

import asyncio

import pytest

from tests.bot.program import thusfar_process
from tests.bot.running import environment
from tests.bot.test_models import anthropic, lamp, openai
from tests.servers import anthropic_server
from tests.servers.anthropic_server import AnthropicServer
from tests.servers.openai_server import CHAT, OpenAIServer
from tests.servers.scripted import json_reply

__all__ = ["anthropic", "lamp", "openai"]

_CANARY = "xylophone"
_KEY = "sk-live-0123456789abcdefghij"


def _said(error: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": error, "code": 400}}


@pytest.mark.parametrize(("status", "tries"), [(401, 1), (500, 3)])
async def test_a_failing_model_of_openai_puts_no_private_word_into_the_log(
    openai: OpenAIServer, lamp: str, status: int, tries: int
) -> None:
    for _ in range(tries):
        openai.will_answer(CHAT, json_reply(_said(f"You asked: Who has the {_CANARY}? with {_KEY}"), status=status))
    await _asked(lamp, OPENAI_API_KEY=_KEY)


async def test_a_failing_model_of_anthropic_puts_no_private_word_into_the_log(
    anthropic: AnthropicServer, lamp: str
) -> None:
    anthropic.will_answer("/v1/messages", json_reply(_said(f"You asked: Who has the {_CANARY}?"), status=400))
    await _asked(lamp)


async def _asked(book: str, **more: str) -> None:
    ran = await asyncio.to_thread(
        thusfar_process, "ask", f"Who has the {_CANARY}?", "--book", book, "--page", "2",
        env=environment(THUSFAR_LOG_LEVEL="debug", **more),
    )  # fmt: skip
    lines = [line for line in ran.err.splitlines() if line.startswith(("DEBUG", "INFO", "WARNING", "ERROR", " "))]
    assert lines
    for line in lines:
        assert _CANARY not in line.lower(), line
        assert not any(key in line for key in (_KEY, anthropic_server.KEY)), line
