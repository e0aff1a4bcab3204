"""Servers that speak OpenAI's API a little differently: the operator reads what to change, once, and soon."""

import pytest

from tests.bot.test_models import ask, details, lamp, openai
from tests.servers.openai_server import CHAT, OpenAIServer, answer
from tests.servers.scripted import Reply, json_reply

__all__ = ["lamp", "openai"]

_NO_TOOLS = [
    (400, {"error": {"message": "registry.ollama.ai/library/gemma does not support tools", "type": "api_error"}}),
    (500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
    (400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice', "code": 400}),
]


@pytest.fixture
def loose(openai: OpenAIServer, lamp: str) -> OpenAIServer:
    """A compatible server, and a book to ask about."""
    return openai


@pytest.mark.parametrize(("status", "body"), _NO_TOOLS, ids=["ollama", "llama.cpp", "vllm"])
async def test_a_model_without_tools_is_asked_once_and_the_setting_for_it_is_named(
    loose: OpenAIServer, status: int, body: dict[str, object]
) -> None:
    for _ in range(2):
        loose.will_answer(CHAT, json_reply(body, status=status))
    assert "THUSFAR_STRATEGY=always_retrieve" in (await details(ok=False))["model"]
    ran = await ask()
    assert ran.code == 1
    assert "THUSFAR_STRATEGY=always_retrieve" in ran.failed_in_one_line()


async def test_doctor_offers_no_tools_where_none_are_used(loose: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_STRATEGY", "always_retrieve")
    loose.will_answer(CHAT, answer("OK."))
    assert "answered" in (await details())["model"]
    assert "tools" not in loose.requests[0].json()


async def test_a_model_that_is_not_there_is_named_on_the_command_line(loose: OpenAIServer) -> None:
    said = {"error": {"message": 'model "llama-9" not found, try pulling it first', "type": "api_error"}}
    loose.will_answer(CHAT, json_reply(said, status=404))
    assert 'model "llama-9" not found' in (await ask()).failed_in_one_line()


@pytest.mark.parametrize(
    "page", [b"<!doctype html><title>A web interface</title>", b"data: {}\n\ndata: [DONE]\n\n", b""]
)
async def test_a_page_in_place_of_an_answer_asks_for_the_base_url(loose: OpenAIServer, page: bytes) -> None:
    loose.will_answer(CHAT, Reply(body=page, content_type="text/html"))
    said = (await details(ok=False))["model"]
    assert "base URL" in said
    assert page[:8].decode() in said


async def test_the_whole_address_of_a_call_is_understood(loose: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{loose.base_url}/chat/completions/")
    loose.will_answer(CHAT, answer("OK."))
    assert "answered" in (await details())["model"]
