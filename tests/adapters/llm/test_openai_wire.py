"""Prompts in Chat Completions requests: in a form that the strictest server accepts, and always the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.llm.openai_wire import TURNS, adapted, refused_parameter, wire_messages
from core.domain.tool_use import PromptMessage, ToolInvocation
from tests.servers.openai_server import not_for_templates, wrong_messages

QUESTION = PromptMessage(role="user", content="Who bought the lamp oil?")


def invocation(invocation_id: str = "call_1", query: str = "lamp oil") -> ToolInvocation:
    return ToolInvocation(tool_name="search_book", arguments={"query": query}, invocation_id=invocation_id)


def asked(*invocations: ToolInvocation, said: str = "") -> PromptMessage:
    return PromptMessage(role="assistant", content=said, tool_invocations=invocations)


def result(invocation_id: str = "call_1", text: str = "[p. 3]\nShe bought it.") -> PromptMessage:
    return PromptMessage(role="tool_result", content=text, invocation_id=invocation_id, tool_name="search_book")


def roles(messages: list[PromptMessage]) -> list[str]:
    return [message["role"] for message in wire_messages(messages)]


def ids(messages: list[PromptMessage]) -> tuple[list[str], list[str]]:
    """The ids of all calls, and those of all results."""
    wired = wire_messages(messages)
    calls = [call["id"] for message in wired for call in message.get("tool_calls", [])]
    return calls, [message["tool_call_id"] for message in wired if message["role"] == "tool"]


def test_a_whole_exchange_is_sent_in_the_apis_form() -> None:
    messages = [
        PromptMessage(role="system", content="Be kind."),
        QUESTION,
        asked(invocation(), said="I look."),
        result(),
    ]
    assert wire_messages(messages) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Who bought the lamp oil?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "search_book", "arguments": '{"query":"lamp oil"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "[p. 3]\nShe bought it."},
    ]


def test_results_are_paired_by_id_and_follow_in_the_order_of_the_calls() -> None:
    messages = [asked(invocation("a", "oil"), invocation("b", "key")), result("b", "The key."), result("a", "The oil.")]
    wired = wire_messages(messages)
    assert [(message["tool_call_id"], message["content"]) for message in wired[1:]] == [
        ("a", "The oil."),
        ("b", "The key."),
    ]


@pytest.mark.parametrize(
    ("messages", "left"),
    [
        ([result(), QUESTION], ["user"]),
        ([QUESTION, asked(invocation("a")), QUESTION], ["user", "user"]),
        ([asked(invocation("a")), QUESTION, result("a")], ["user"]),
        ([asked(invocation("a"), said="I look."), QUESTION], ["assistant", "user"]),
        ([asked(invocation("a"), invocation("b")), result("b")], ["assistant", "tool"]),
        ([asked(invocation("a")), result("a"), result("a"), QUESTION], ["assistant", "tool", "user"]),
        ([asked(), QUESTION], ["user"]),
    ],
    ids=[
        "result alone",
        "call alone",
        "result too late",
        "preamble stays",
        "one of two",
        "result twice",
        "said nothing",
    ],
)
def test_halves_of_pairs_and_empty_turns_are_left_out(messages: list[PromptMessage], left: list[str]) -> None:
    assert roles(messages) == left
    assert wrong_messages(wire_messages(messages)) is None


@pytest.mark.parametrize("given_id", ["", "x" * 41, "toolu_" + "y" * 60], ids=["empty", "41 characters", "a long one"])
def test_an_id_that_the_api_would_refuse_is_replaced_the_same_way_in_call_and_result(given_id: str) -> None:
    calls, results = ids([asked(invocation(given_id)), result(given_id)])
    assert calls == results
    assert 0 < len(calls[0]) <= 40


@pytest.mark.parametrize(
    ("name", "sent"), [("search book!", "search_book_"), ("", "unnamed"), ("é" * 80, "_" * 64), ("a-b_C9", "a-b_C9")]
)
def test_a_tool_name_that_a_model_made_up_is_echoed_in_a_form_that_the_api_takes(name: str, sent: str) -> None:
    made_up = ToolInvocation(tool_name=name, arguments={}, invocation_id="a")
    assert wire_messages([asked(made_up), result("a")])[0]["tool_calls"][0]["function"]["name"] == sent


TEXTS = st.text(alphabet=st.characters(), max_size=12)
IDS = st.sampled_from(["", "a", "b", "call_0", "call_1_0", "z" * 60])
INVOCATIONS = st.builds(
    ToolInvocation,
    tool_name=TEXTS,
    arguments=st.dictionaries(TEXTS, TEXTS | st.integers() | st.none(), max_size=2),
    invocation_id=IDS,
)
MESSAGES = st.one_of(
    st.builds(PromptMessage, role=st.sampled_from(["system", "user"]), content=TEXTS),
    st.builds(
        PromptMessage,
        role=st.just("assistant"),
        content=TEXTS,
        tool_invocations=st.lists(INVOCATIONS, max_size=3).map(tuple),
    ),
    st.builds(PromptMessage, role=st.just("tool_result"), content=TEXTS, invocation_id=IDS),
)


@given(st.lists(MESSAGES, max_size=12))
def test_whatever_the_prompt_is_the_strictest_server_takes_it(messages: list[PromptMessage]) -> None:
    wired = wire_messages(messages)
    assert wrong_messages(wired) is None
    assert not_for_templates(wired) is None
    json.dumps(wired, ensure_ascii=False).encode()


@given(st.lists(MESSAGES, max_size=8), st.lists(MESSAGES, max_size=4))
def test_a_prompt_that_grows_keeps_its_beginning_byte_for_byte(
    before: list[PromptMessage], after: list[PromptMessage]
) -> None:
    grown = [*before, QUESTION, *after]
    sent = json.dumps(wire_messages([*before, QUESTION]))
    assert json.dumps(wire_messages(grown)).startswith(sent[:-1])


def test_a_member_is_named_before_what_they_say() -> None:
    (wired,) = wire_messages([PromptMessage(role="user", content="Who?", author="Ada")])
    assert wired == {"role": "user", "content": "Ada: Who?"}


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "Conversation roles must alternate user/assistant/user/assistant/...", "code": 500}},
        {"object": "error", "message": "After the optional system message, conversation roles must alternate"},
        "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...",
    ],
)
def test_a_template_that_wants_turns_gets_members_who_talk_in_a_row_as_one(body: object) -> None:
    messages = [
        PromptMessage(role="system", content="Be kind."),
        PromptMessage(role="user", content="Who?", author="Ada"),
        PromptMessage(role="user", content="And where?", author="Bo"),
        PromptMessage(role="assistant", content="Here."),
        PromptMessage(role="user", content="Thanks."),
    ]
    request = {"model": "m", "messages": wire_messages(messages)}
    refused = refused_parameter(body, request)
    assert refused == TURNS
    sent = adapted(request, [refused])["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[1]["content"] == "Ada: Who?\n\nBo: And where?"
    assert len(request["messages"]) == 5
