"""Requests to Anthropic: a dialogue, with tools and their results, in the API's form."""

from typing import Any

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from adapters.llm.anthropic_wire import EARLIER_LEFT_OUT, GO_ON, NO_RESULT
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import PromptMessage, PromptRole, ToolInvocation
from tests.adapters.llm.on_anthropic import provider, server
from tests.servers.anthropic_server import AnthropicServer, message_reply, text

__all__ = ["provider", "server"]

_WHO = PromptMessage(role="user", content="Who?")
_ANSWER = message_reply(text("Ada."))


def _said(role: PromptRole, content: str) -> PromptMessage:
    return PromptMessage(role=role, content=content)


def _used(*ids: str, content: str = "", state: object = None, name: str = "search_book") -> PromptMessage:
    invocations = tuple(ToolInvocation(tool_name=name, arguments={"query": one}, invocation_id=one) for one in ids)
    return PromptMessage(role="assistant", content=content, tool_invocations=invocations, provider_state=state)


def _result(invocation_id: str, content: str, *, is_error: bool = False) -> PromptMessage:
    return PromptMessage(
        role="tool_result", content=content, invocation_id=invocation_id, tool_name="search_book", is_error=is_error
    )


def _plain(messages: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return messages as role and content: text, `id?` for a tool use, `id=result` for a result."""
    return [(one["role"], [_shown(block) for block in one["content"]]) for one in messages]


def _shown(block: dict[str, Any]) -> str:
    if block["type"] == "tool_use":
        return f"{block['id']}?"
    if block["type"] == "tool_result":
        return f"{block['tool_use_id']}={block['content']}{'!' * block.get('is_error', False)}"
    return str(block["text"])


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        pytest.param(
            [_said("user", "Hi."), _said("assistant", "Hello."), _WHO],
            [("user", ["Hi."]), ("assistant", ["Hello."]), ("user", ["Who?"])],
            id="turns",
        ),
        pytest.param(
            [_said("user", "Ada: hi"), _said("user", "Bo: hi"), _WHO],
            [("user", ["Ada: hi", "Bo: hi", "Who?"])],
            id="several members in a row are one message",
        ),
        pytest.param(
            [_said("assistant", "Hello."), _WHO],
            [("user", [EARLIER_LEFT_OUT]), ("assistant", ["Hello."]), ("user", ["Who?"])],
            id="a window that begins with an answer",
        ),
        pytest.param(
            [_used("t1"), _result("t1", "Nothing."), _said("assistant", "No."), _WHO],
            [
                ("user", [EARLIER_LEFT_OUT]),
                ("assistant", ["t1?"]),
                ("user", ["t1=Nothing."]),
                ("assistant", ["No."]),
                ("user", ["Who?"]),
            ],
            id="a window that begins with a tool call",
        ),
        pytest.param(
            [_WHO, _said("assistant", "It is")],
            [("user", ["Who?"]), ("assistant", ["It is"]), ("user", [GO_ON])],
            id="no prefill",
        ),
        pytest.param(
            [_said("user", ""), _said("assistant", " \n"), _WHO],
            [("user", ["Who?"])],
            id="messages without a visible character are left out",
        ),
        pytest.param(
            [_WHO, _used("t1", content="Let me look."), _result("t1", "Page 3.")],
            [("user", ["Who?"]), ("assistant", ["Let me look.", "t1?"]), ("user", ["t1=Page 3."])],
            id="preamble and one call",
        ),
        pytest.param(
            [_WHO, _used("t1", "t2"), _result("t2", "Two."), _result("t1", "One.", is_error=True)],
            [("user", ["Who?"]), ("assistant", ["t1?", "t2?"]), ("user", ["t1=One.!", "t2=Two."])],
            id="several calls at once are answered in one message",
        ),
        pytest.param(
            [_WHO, _used("t1"), _result("t1", "One."), _used("t2"), _result("t2", "Two.")],
            [
                ("user", ["Who?"]),
                ("assistant", ["t1?"]),
                ("user", ["t1=One."]),
                ("assistant", ["t2?"]),
                ("user", ["t2=Two."]),
            ],
            id="pairs from storage",
        ),
        pytest.param(
            [_said("user", "Hi."), _result("t0", "Orphan."), _WHO],
            [("user", ["Hi.", "Who?"])],
            id="a result without its call is left out",
        ),
        pytest.param(
            [_WHO, _used("t1"), _result("t1", "One."), _result("t1", "Again.")],
            [("user", ["Who?"]), ("assistant", ["t1?"]), ("user", ["t1=One."])],
            id="a second result is left out",
        ),
        pytest.param(
            [_said("user", "Hi."), _used("t1", "t2"), _result("t2", "Two."), _WHO],
            [("user", ["Hi."]), ("assistant", ["t1?", "t2?"]), ("user", [f"t1={NO_RESULT}!", "t2=Two.", "Who?"])],
            id="a call without its result is answered all the same",
        ),
        pytest.param(
            [_said("user", "Hi."), _used("t1"), _WHO, _result("t1", "Late.")],
            [("user", ["Hi."]), ("assistant", ["t1?"]), ("user", ["t1=Late.", "Who?"])],
            id="a result that comes late stands first",
        ),
        pytest.param(
            [_WHO, _used("t1"), _result("t1", "One."), _used("t1"), _result("t1", "Two.")],
            [
                ("user", ["Who?"]),
                ("assistant", ["t1?"]),
                ("user", ["t1=One."]),
                ("assistant", ["t1-1?"]),
                ("user", ["t1-1=Two."]),
            ],
            id="an id that came twice",
        ),
        pytest.param(
            [_WHO, _used("call:1/ä", name="functions.search"), _result("call:1/ä", "One.")],
            [("user", ["Who?"]), ("assistant", ["call_1__?"]), ("user", ["call_1__=One."])],
            id="an id and a name from another wire",
        ),
        pytest.param(
            [_WHO, _used("", ""), _result("", "One."), _result("", "Two.")],
            [("user", ["Who?"]), ("assistant", ["call?", "call-1?"]), ("user", ["call=One.", "call-1=Two."])],
            id="calls without ids are answered in order",
        ),
        pytest.param(
            [_WHO, _used("t1", state=["another provider's"]), _result("t1", "One.")],
            [("user", ["Who?"]), ("assistant", ["t1?"]), ("user", ["t1=One."])],
            id="another provider's state is not looked into",
        ),
    ],
)
async def test_a_prompt_is_sent_in_the_apis_form(
    server: AnthropicServer,
    provider: AnthropicChatProvider,
    prompt: list[PromptMessage],
    expected: list[tuple[str, list[str]]],
) -> None:
    server.will_say(_ANSWER, _ANSWER)
    await provider.chat_with_tools(prompt, [DEFINITION])
    await provider.chat(prompt)
    assert [_plain(request.json()["messages"]) for request in server.requests] == [expected, expected]


async def test_a_member_is_named_before_what_they_say(server: AnthropicServer, provider: AnthropicChatProvider) -> None:
    server.will_say(message_reply(text("Ada.")))
    await provider.chat([PromptMessage(role="user", content="Who?", author="Ada")])
    (sent,) = server.requests[0].json()["messages"]
    assert "Ada: Who?" in str(sent["content"])
