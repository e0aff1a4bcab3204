"""The loopback server refuses what OpenAI's API refuses, so that the other tests of this wire mean something."""

from typing import Any

import openai
import pytest

from tests.servers.openai_server import CHAT, EMBEDDINGS, OpenAIServer, answer, call, error_reply
from tests.servers.scripted import json_reply

ASKED: dict[str, Any] = {"role": "user", "content": "Who?"}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [call()]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "call_1", "content": "Nothing."}
TOOL: dict[str, Any] = {"type": "function", "function": {"name": "search_book", "parameters": {"type": "object"}}}


async def refusal(server: OpenAIServer, **request: Any) -> str:
    async with openai.AsyncOpenAI(api_key="k", base_url=server.base_url, max_retries=0) as client:
        body = {"model": "m", "messages": [ASKED], **request}
        try:
            await client.chat.completions.create(**body)
        except openai.BadRequestError as error:
            return error.message
    return "nothing"


@pytest.mark.parametrize(
    ("request_body", "complaint"),
    [
        ({"messages": [RESULT]}, "must be a response to a preceding message"),
        ({"messages": [ASKED, CALLED, ASKED]}, "did not have response messages: call_1"),
        ({"messages": [ASKED, CALLED]}, "did not have response messages: call_1"),
        ({"messages": [ASKED, CALLED, RESULT, RESULT]}, "must be a response to a preceding message"),
        ({"messages": [ASKED, CALLED, {**RESULT, "tool_call_id": "other"}]}, "must be a response"),
        ({"messages": [{**CALLED, "tool_calls": [call(), call()]}, RESULT]}, "same id twice"),
        ({"messages": [{**CALLED, "tool_calls": []}]}, "empty"),
        ({"messages": [{**CALLED, "tool_calls": [call(call_id="x" * 41)]}]}, "string too long"),
        ({"messages": [{**CALLED, "tool_calls": [call(name="search book")]}]}, "does not match"),
        ({"messages": [{"role": "assistant", "content": ""}]}, "empty"),
        ({"messages": [{"role": "user", "content": None}]}, "empty"),
        ({"messages": [{"role": "tool_result", "content": "x"}]}, "Invalid value"),
        ({"tool_choice": "none"}, "only allowed when 'tools' are specified"),
        ({"tools": []}, "minimum length 1"),
        ({"extra_body": {"top_k": 3}}, "Unrecognized request argument supplied: top_k"),
        ({"temperature": 0}, "'temperature' is not supported"),
        ({"tools": [TOOL]}, "set reasoning_effort to 'none'"),
    ],
)
async def test_the_server_refuses_with_the_apis_messages(request_body: dict[str, Any], complaint: str) -> None:
    async with OpenAIServer(without=["temperature"], reasons=True) as server:
        assert complaint in await refusal(server, **request_body)


@pytest.mark.parametrize(
    "message", [CALLED, {**CALLED, "content": "", "tool_calls": [call("no json")]}], ids=["null content", "no JSON"]
)
async def test_a_compatible_server_fails_on_messages_that_its_template_cannot_take(message: dict[str, Any]) -> None:
    async with OpenAIServer(strings_only=True) as server:
        assert "expected" in await refusal(server, messages=[ASKED, message, RESULT])
    async with OpenAIServer() as strict:
        strict.will_answer(CHAT, answer())
        assert await refusal(strict, messages=[ASKED, message, RESULT]) == "nothing"


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ([""], "empty string"),
        ([], "invalid"),
        (["x" * 8_200], "maximum context length"),
        (["x" * 8_000] * 40, "max 300000 tokens"),
    ],
)
async def test_embeddings_that_the_api_refuses_are_refused(texts: list[str], complaint: str) -> None:
    async with (
        OpenAIServer() as server,
        openai.AsyncOpenAI(api_key="k", base_url=server.base_url, max_retries=0) as client,
    ):
        with pytest.raises(openai.BadRequestError, match=complaint):
            await client.embeddings.create(model="m", input=texts, encoding_format="float")


async def test_a_refused_request_uses_up_no_reply_and_is_recorded() -> None:
    async with OpenAIServer() as server:
        server.will_answer(CHAT, answer("Mrs Pell."), error_reply(500, "Oh"))
        server.will_answer(EMBEDDINGS, json_reply({}))
        await refusal(server, messages=[RESULT])
        assert await refusal(server) == "nothing"
        assert len(server.refusals) == 1
        with pytest.raises(AssertionError, match="1 unused replies"):
            server.assert_script_was_followed()
        server._script[CHAT].clear()
        server._script[EMBEDDINGS].clear()
