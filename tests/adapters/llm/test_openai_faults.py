"""Faults of OpenAI's API become LLMErrors with the right code, within one budget of time and retries."""

import time
from collections.abc import AsyncIterator

import pytest

from adapters.llm.openai import OpenAIChatProvider
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage
from tests.servers.openai_server import CHAT, OpenAIServer, answer, error_reply
from tests.servers.scripted import HANG, HANG_UP, Reply, json_reply

KEY = "sk-proj-the-secret-of-this-test"
ASKED = [PromptMessage(role="user", content="Who bought the lamp oil?")]
AT_ONCE = {"retry-after-ms": "1"}


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


@pytest.fixture
async def provider(server: OpenAIServer) -> AsyncIterator[OpenAIChatProvider]:
    provider = OpenAIChatProvider(api_key=KEY, model="gpt-6-luna", base_url=server.base_url, native=True)
    yield provider
    await provider.close()


async def fault_of(provider: OpenAIChatProvider, *, seconds: float = 30, retries: int = 0) -> LLMError:
    with pytest.raises(LLMError) as caught:
        await provider.chat(ASKED, GenerationOptions(deadline=Deadline(seconds=seconds, retries=retries)))
    assert KEY not in str(caught.value)
    return caught.value


LONG = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
QUOTA = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (error_reply(400, "Invalid value: 'x'."), "bad_response"),
        (error_reply(400, LONG, code="context_length_exceeded", param="messages"), "context_too_long"),
        (error_reply(400, "The response was filtered.", code="content_filter"), "refused"),
        (error_reply(401, "Incorrect API key provided", code="invalid_api_key"), "auth"),
        (error_reply(403, "Country, region, or territory not supported"), "auth"),
        (error_reply(404, "The model `gpt-9` does not exist", code="model_not_found"), "unavailable"),
        (error_reply(408, "Request timeout"), "timeout"),
        (error_reply(409, "Conflict"), "unavailable"),
        (error_reply(413, "Request too large"), "context_too_long"),
        (error_reply(422, "Unprocessable"), "bad_response"),
        (error_reply(429, "Rate limit reached", code="rate_limit_exceeded"), "rate_limited"),
        (error_reply(429, QUOTA, kind="insufficient_quota", code="insufficient_quota"), "auth"),
        (error_reply(500, "The server had an error"), "unavailable"),
        (error_reply(502, "Bad gateway"), "unavailable"),
        (error_reply(503, "The engine is currently overloaded"), "overloaded"),
        (error_reply(504, "Gateway timeout"), "timeout"),
        (error_reply(529, "Overloaded"), "overloaded"),
        (Reply(status=502, body=b"<html>nginx</html>", content_type="text/html"), "unavailable"),
        (json_reply({"error": "model 'gpt-6-luna' not found"}, status=404), "unavailable"),
        (json_reply({"object": "error", "message": LONG, "code": 400}, status=400), "context_too_long"),
        (Reply(body=b'{"choices": [{"mess'), "bad_response"),
        (Reply(body=b""), "bad_response"),
        (Reply(body=b"<html>Welcome to the hotel's network</html>", content_type="text/html"), "bad_response"),
        (Reply(body=b"\xff\xfe{}"), "bad_response"),
        (json_reply(["no", "object"]), "bad_response"),
        (json_reply({"error": {"message": "upstream is down"}}), "bad_response"),
        (answer(""), "bad_response"),
        (answer(None, refusal="I can't help with that."), "refused"),
        (HANG_UP, "unavailable"),
        (Reply(body=answer().body, hang_up_after=40), "unavailable"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.status}-{value.body[:40]!r}",
)
async def test_each_fault_has_its_code(
    server: OpenAIServer, provider: OpenAIChatProvider, reply: Reply, code: str
) -> None:
    server.will_answer(CHAT, reply)
    assert (await fault_of(provider)).code == code
    assert len(server.requests) == 1


async def test_a_server_that_hangs_is_left_at_the_deadline(server: OpenAIServer, provider: OpenAIChatProvider) -> None:
    server.will_answer(CHAT, HANG)
    began = time.monotonic()
    assert (await fault_of(provider, seconds=0.3, retries=5)).code is LLMErrorCode.TIMEOUT
    assert time.monotonic() - began < 20
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(429, "Rate limit reached", headers=AT_ONCE),
        error_reply(500, "The server had an error", headers=AT_ONCE),
        error_reply(503, "The engine is currently overloaded", headers=AT_ONCE),
    ],
    ids=["429", "500", "503"],
)
async def test_a_transient_fault_is_retried_within_the_budget(
    server: OpenAIServer, provider: OpenAIChatProvider, reply: Reply
) -> None:
    server.will_answer(CHAT, reply, reply, answer("At last."), reply, reply)
    deadline = Deadline(seconds=30, retries=3)
    assert (await provider.chat(ASKED, GenerationOptions(deadline=deadline))).text == "At last."
    with pytest.raises(LLMError):
        await provider.chat(ASKED, GenerationOptions(deadline=deadline))
    # Two calls of one turn, three retries between them; the SDK adds none of its own.
    assert len(server.requests) == 5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_a_permanent_fault_is_not_retried(
    server: OpenAIServer, provider: OpenAIChatProvider, status: int
) -> None:
    server.will_answer(CHAT, error_reply(status, "No."))
    await fault_of(provider, retries=5)
    assert len(server.requests) == 1


@pytest.mark.parametrize("wait", ["200", "99999999", "31"])
async def test_a_wait_beyond_the_deadline_ends_the_call_at_once_and_tells_how_long_it_was(
    server: OpenAIServer, provider: OpenAIChatProvider, wait: str
) -> None:
    server.will_answer(CHAT, error_reply(429, "Slow down", headers={"Retry-After": wait}))
    error = await fault_of(provider, retries=5)
    assert (error.code, error.retry_after) == (LLMErrorCode.RATE_LIMITED, float(wait))
    assert len(server.requests) == 1
