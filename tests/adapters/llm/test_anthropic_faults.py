"""Faults on Anthropic's wire, by the real SDK: each becomes an LLMError, within one deadline and one retry budget."""

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from core.answering.tools.search_book import DEFINITION
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage
from tests.adapters.llm.on_anthropic import provider, server
from tests.servers.anthropic_server import KEY, MODEL, AnthropicServer, error_reply, message, message_reply, text
from tests.servers.scripted import HANG, HANG_UP, Reply, json_reply

__all__ = ["provider", "server"]

_WHO = [PromptMessage(role="user", content="Who?")]
_ANSWER = message_reply(text("Ada."))
_SOON = {"Retry-After": "0.01"}
_HTML = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


def _within(seconds: float = 30.0, *, retries: int = 0) -> GenerationOptions:
    return GenerationOptions(deadline=Deadline(seconds=seconds, retries=retries))


async def _fault(provider: AnthropicChatProvider, options: GenerationOptions) -> LLMError:
    with pytest.raises(LLMError) as caught:
        await provider.chat(_WHO, options)
    assert KEY not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("reply", "code", "requests"),
    [
        (error_reply(400, "messages.0: all messages must have content"), LLMErrorCode.BAD_RESPONSE, 1),
        (error_reply(400, "prompt is too long: 210000 tokens > 200000"), LLMErrorCode.CONTEXT_TOO_LONG, 1),
        (error_reply(400, "input length and `max_tokens` exceed context limit"), LLMErrorCode.CONTEXT_TOO_LONG, 1),
        (error_reply(400, "Your credit balance is too low to access the API."), LLMErrorCode.AUTH, 1),
        (error_reply(400, "Output blocked by content filtering policy"), LLMErrorCode.REFUSED, 1),
        (error_reply(401, "invalid bearer token"), LLMErrorCode.AUTH, 1),
        (error_reply(402, "Payment required"), LLMErrorCode.AUTH, 1),
        (error_reply(403, "Your key may not use this resource"), LLMErrorCode.AUTH, 1),
        (error_reply(404, f"model: {MODEL}"), LLMErrorCode.UNAVAILABLE, 1),
        (error_reply(408, "Request timed out", headers=_SOON), LLMErrorCode.TIMEOUT, 3),
        (error_reply(409, "Conflict", headers=_SOON), LLMErrorCode.UNAVAILABLE, 3),
        (error_reply(413, "Request exceeds the maximum size"), LLMErrorCode.CONTEXT_TOO_LONG, 1),
        (error_reply(429, "Rate limit", headers=_SOON), LLMErrorCode.RATE_LIMITED, 3),
        (error_reply(429, "Spent", error_code="enforced_spend_limit_reached"), LLMErrorCode.AUTH, 1),
        (error_reply(500, "Internal server error", headers=_SOON), LLMErrorCode.UNAVAILABLE, 3),
        (Reply(status=502, body=_HTML, headers=_SOON, content_type="text/html"), LLMErrorCode.UNAVAILABLE, 3),
        (error_reply(503, "Service unavailable", headers=_SOON), LLMErrorCode.UNAVAILABLE, 3),
        (error_reply(504, "Timed out", headers=_SOON), LLMErrorCode.TIMEOUT, 3),
        (error_reply(529, "Overloaded", headers=_SOON), LLMErrorCode.OVERLOADED, 3),
        (error_reply(500, "No", headers={**_SOON, "x-should-retry": "false"}), LLMErrorCode.UNAVAILABLE, 1),
    ],
)
async def test_a_status_becomes_a_code_and_only_transient_ones_are_retried(
    server: AnthropicServer, provider: AnthropicChatProvider, reply: Reply, code: LLMErrorCode, requests: int
) -> None:
    server.will_say(*[reply] * requests)
    error = await _fault(provider, _within(retries=2))
    assert (error.code, len(server.requests)) == (code, requests)
    assert f"anthropic answered {reply.status}" in error.cause


async def test_a_wrong_key_is_reported_without_the_key(server: AnthropicServer) -> None:
    provider = AnthropicChatProvider(api_key="sk-ant-wrong-1234", model=MODEL, base_url=server.url)
    error = await _fault(provider, _within())
    assert error.code is LLMErrorCode.AUTH
    assert "sk-ant-wrong" not in str(error)
    await provider.close()


async def test_a_key_that_the_server_echoes_is_left_out(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.will_say(error_reply(403, f"The key {KEY} may not"))
    assert (await _fault(provider, _within())).cause == "anthropic answered 403 permission_error: The key [key] may not"


@pytest.mark.parametrize(
    "reply", [HANG_UP, Reply(body=json_reply(message(text("Ada."))).body, hang_up_after=40)], ids=["at once", "midway"]
)
async def test_a_hang_up_is_tried_again_within_the_budget(
    server: AnthropicServer, provider: AnthropicChatProvider, reply: Reply
) -> None:
    server.will_say(reply, _ANSWER)
    assert (await provider.chat(_WHO, _within(retries=1))).text == "Ada."
    server.will_say(reply)
    error = await _fault(provider, _within())
    assert error.code is LLMErrorCode.UNAVAILABLE
    assert "RemoteProtocolError" in error.cause


async def test_a_hang_ends_with_the_turns_time(server: AnthropicServer, provider: AnthropicChatProvider) -> None:
    server.will_say(_ANSWER, HANG)
    await provider.chat(_WHO)
    error = await _fault(provider, _within(0.2, retries=2))
    assert (error.code, len(server.requests)) == (LLMErrorCode.TIMEOUT, 2)


@pytest.mark.parametrize(
    ("headers", "retry_after"),
    [({"Retry-After": "4233600"}, 4_233_600.0), ({"retry-after-ms": "90000"}, 90.0)],
)
async def test_a_wait_beyond_the_deadline_is_reported_instead_of_slept(
    server: AnthropicServer, provider: AnthropicChatProvider, headers: dict[str, str], retry_after: float
) -> None:
    server.will_say(error_reply(429, "Rate limit", headers=headers))
    error = await _fault(provider, _within(30.0, retries=2))
    assert (error.code, error.retry_after) == (LLMErrorCode.RATE_LIMITED, retry_after)
    assert len(server.requests) == 1


async def test_one_budget_serves_all_calls_of_a_turn_and_the_sdk_adds_nothing(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    overloaded = error_reply(529, "Overloaded", headers=_SOON)
    server.will_say(overloaded, _ANSWER, overloaded, _ANSWER, overloaded)
    turn = _within(retries=2)
    assert (await provider.chat(_WHO, turn)).text == "Ada."
    assert (await provider.chat(_WHO, turn)).text == "Ada."
    error = await _fault(provider, turn)
    assert (error.code, error.retry_after, len(server.requests)) == (LLMErrorCode.OVERLOADED, 0.01, 5)
    assert {request.headers["x-stainless-retry-count"] for request in server.requests} == {"0"}


async def test_check_makes_one_small_call_and_names_the_model(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.will_say(message_reply(stop_reason="max_tokens"))
    assert await provider.check() == f"{MODEL}-20261001"
    assert server.requests[0].json()["max_tokens"] == 16


async def test_check_asks_with_the_tools_and_the_model_that_will_be_used(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.will_say(message_reply(text("OK.")))
    await provider.check(tools=[DEFINITION], options=GenerationOptions(model="claude-haiku-5-5"))
    body = server.requests[0].json()
    assert (body["model"], [tool["name"] for tool in body["tools"]]) == ("claude-haiku-5-5", ["search_book"])


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (error_reply(401, "invalid bearer token"), LLMErrorCode.AUTH),
        (error_reply(404, f"model: {MODEL}"), LLMErrorCode.UNAVAILABLE),
        (error_reply(529, "Overloaded", headers=_SOON), LLMErrorCode.OVERLOADED),
        (json_reply({"hello": "world"}), LLMErrorCode.BAD_RESPONSE),
    ],
)
async def test_check_reports_the_current_fault(
    server: AnthropicServer, provider: AnthropicChatProvider, reply: Reply, code: LLMErrorCode
) -> None:
    server.will_say(reply)
    with pytest.raises(LLMError) as caught:
        await provider.check()
    assert (caught.value.code, len(server.requests)) == (code, 1)
