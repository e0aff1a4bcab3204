"""Parsing Chat Completions answers, from the real API and from compatible servers."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.llm.arguments import LONGEST_ARGUMENTS
from adapters.llm.openai_answer import read_answer, read_json, read_usage
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import UNREADABLE_ARGUMENTS, ChatResponse, StopReason, TokenUsage
from tests.servers.openai_server import answer, call


def read(*, tools_offered: bool = True, **given_answer: Any) -> ChatResponse:
    return read_answer(json.loads(answer(**given_answer).body), tools_offered=tools_offered)


def code_of(*, tools_offered: bool = True, **given_answer: Any) -> LLMErrorCode:
    with pytest.raises(LLMError) as caught:
        read(tools_offered=tools_offered, **given_answer)
    return caught.value.code


def test_several_calls_come_in_order_with_their_ids_and_the_preamble() -> None:
    calls = [call('{"query": "oil", "top_k": 3}', call_id="a"), call('{"query": "key"}', call_id="b")]
    response = read(text="I look twice.", calls=calls)
    assert response.text is None
    assert response.preamble == "I look twice."
    assert response.stop_reason is StopReason.TOOL_USE
    assert [(i.invocation_id, i.tool_name, i.arguments) for i in response.tool_invocations] == [
        ("a", "search_book", {"query": "oil", "top_k": 3}),
        ("b", "search_book", {"query": "key"}),
    ]


@pytest.mark.parametrize(
    ("finish", "stop_reason"), [("stop", "tool_use"), ("function_call", "tool_use"), ("length", "length")]
)
def test_calls_count_as_tool_use_even_where_a_server_says_stop_and_as_cut_off_where_it_says_length(
    finish: str, stop_reason: str
) -> None:
    assert read(text=None, calls=[call()], finish=finish).stop_reason == stop_reason


@pytest.mark.parametrize(
    ("given_answer", "code"),
    [
        ({"text": "He", "finish": "content_filter"}, "refused"),
        ({"text": None, "finish": "content_filter"}, "refused"),
        ({"text": None, "refusal": "I can't help with that."}, "refused"),
        ({"text": ""}, "bad_response"),
        ({"text": " \n"}, "bad_response"),
        ({"text": None}, "bad_response"),
        ({"text": None, "finish": "length"}, "bad_response"),
        ({"text": None, "calls": []}, "bad_response"),
        ({"text": "", "finish": "eaten_by_a_fox"}, "bad_response"),
        ({"text": "Lamp oil.", "finish": 3}, "bad_response"),
        ({"text": 17}, "bad_response"),
        ({"text": "<think>She never says where."}, "bad_response"),
    ],
)
def test_an_invalid_answer_is_an_error(given_answer: dict[str, Any], code: str) -> None:
    assert code_of(**given_answer) == code


def test_an_answer_without_a_finish_reason_is_an_error() -> None:
    body = json.loads(answer().body)
    for choice in ({**body["choices"][0], "finish_reason": None}, {"message": {"content": "Lamp oil."}}):
        with pytest.raises(LLMError, match="bad_response"):
            read_answer({**body, "choices": [choice]}, tools_offered=True)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": []},
        {"choices": None},
        {"choices": {"0": {}}},
        {"choices": ["text"]},
        {"choices": [{"finish_reason": "stop"}]},
        {"choices": [{"finish_reason": "stop", "message": None}]},
        {"choices": [{"finish_reason": ["stop"], "message": {"content": "x"}}]},
        {"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": "all"}}]},
        {"error": {"message": "upstream is down"}},
        [],
        "Lamp oil.",
        None,
    ],
)
def test_a_body_of_another_shape_is_an_error_and_never_an_exception_of_another_kind(body: object) -> None:
    with pytest.raises(LLMError) as caught:
        read_answer(body, tools_offered=True)
    assert caught.value.code is LLMErrorCode.BAD_RESPONSE


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ('{"query": "lamp', "no valid JSON"),
        ("search for lamp oil", "no valid JSON"),
        ('{"query": NaN}', "no valid JSON"),
        ('{"top_k": ' + "9" * 5000 + "}", "no valid JSON"),
        ('{"query": "\\ud83d"}', "no valid JSON"),
        ("[" * 15_000, "no valid JSON"),
        ('["lamp oil"]', "no JSON object"),
        ('"lamp oil"', "no JSON object"),
        ("null", "no JSON object"),
        (["lamp oil"], "no JSON object"),
        ({"query": "x" * LONGEST_ARGUMENTS}, "longer than 20000 characters"),
        ('{"query": "' + "x" * LONGEST_ARGUMENTS + '"}', "longer than 20000 characters"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_arguments_that_cannot_be_used_leave_a_call_that_says_why_and_nothing_of_their_text(
    raw: object, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    invocation = read(text=None, calls=[call(raw)]).tool_invocations[0]
    assert invocation.arguments == {UNREADABLE_ARGUMENTS: why}
    (logged,) = caplog.messages
    assert why in logged
    assert "oil" not in logged
    assert invocation.invocation_id == "call_1"


@pytest.mark.parametrize(
    ("raw", "arguments"), [({"query": "oil"}, {"query": "oil"}), ("", {}), (None, {}), ("{}", {}), ({}, {})]
)
def test_arguments_as_an_object_or_none_at_all_are_taken_as_they_are_meant(raw: object, arguments: object) -> None:
    assert read(text=None, calls=[call(raw)]).tool_invocations[0].arguments == arguments


@pytest.mark.parametrize("given_ids", [["", ""], ["a", "a"], [None, 7], ["x" * 41, "y" * 41]])
def test_ids_that_are_missing_doubled_or_too_long_are_made_unique(given_ids: list[object]) -> None:
    response = read(text=None, calls=[call(call_id=given_id) for given_id in given_ids])
    made = {invocation.invocation_id for invocation in response.tool_invocations}
    assert len(made) == 2
    assert all(0 < len(one) <= 40 for one in made)


@pytest.mark.parametrize(
    ("odd", "name"),
    [
        ({"id": "c", "type": "function", "function": {"name": "fly", "arguments": "{}"}}, "fly"),
        ({"id": "c", "type": "custom", "custom": {"name": "code", "input": "print()"}}, "code"),
        ({"id": "c", "function": {"arguments": "{}"}}, ""),
        ({"id": "c", "type": "function", "function": None}, ""),
        ("search_book", ""),
    ],
)
def test_a_call_of_an_unknown_tool_is_passed_on_to_be_answered_with_an_error(odd: Any, name: str) -> None:
    assert read(text=None, calls=[odd]).tool_invocations[0].tool_name == name


def test_calls_where_no_tool_was_offered_are_no_answer_but_text_beside_them_is() -> None:
    assert code_of(text=None, calls=[call()], tools_offered=False) is LLMErrorCode.BAD_RESPONSE
    response = read(text="Lamp oil.", calls=[call()], tools_offered=False)
    assert (response.text, response.tool_invocations) == ("Lamp oil.", ())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "Lamp "}, {"type": "text", "text": "oil."}, {"type": "image"}, 3], "Lamp oil."),
        ("<think>\nPage 3 says it.\n</think>\n\nLamp oil.", "Lamp oil."),
        ("<think></think>Lamp oil.", "Lamp oil."),
        ("Page 3 says it, and on page 9 he drowns.\n</think>\n\nLamp oil.", "Lamp oil."),
        ("<thinking>On page 9 he drowns.</thinking> Lamp oil.", "Lamp oil."),
        ("She wrote <think> on the wall.", "She wrote <think> on the wall."),
        ("Lamp \ud83d oil.", "Lamp ? oil."),
    ],
)
def test_content_of_local_servers_becomes_text_without_the_models_thoughts(content: Any, text: str) -> None:
    assert read(text=content).text == text


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {
                "prompt_tokens": 2000,
                "completion_tokens": 50,
                "prompt_tokens_details": {"cached_tokens": 1500, "cache_write_tokens": 300},
            },
            TokenUsage(input_tokens=2000, output_tokens=50, cache_read_tokens=1500, cache_write_tokens=300),
        ),
        ({"prompt_tokens": 7, "prompt_tokens_details": None}, TokenUsage(input_tokens=7)),
        ({"prompt_tokens": "7", "completion_tokens": -2, "prompt_tokens_details": []}, TokenUsage()),
        ({"prompt_tokens": True}, TokenUsage()),
        (None, None),
        ([], None),
    ],
)
def test_usage_counts_cached_tokens_as_input_and_a_server_that_counts_none_gives_none(
    usage: object, expected: TokenUsage | None
) -> None:
    assert read_usage({"usage": usage}) == expected


def test_json_that_is_nested_too_deeply_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested"):
        read_json(b"[" * 200_000)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(content=JSON, calls=JSON, usage=JSON, offered=st.booleans())
def test_whatever_a_server_sends_is_an_answer_or_an_llm_error(
    content: Any, calls: Any, usage: Any, *, offered: bool
) -> None:
    message = {"content": content, "tool_calls": calls, "function_call": usage, "refusal": None}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage, "model": content}
    codes: list[LLMErrorCode] = []
    try:
        response = read_answer(body, tools_offered=offered)
        assert (response.text is None) == bool(response.tool_invocations)
    except LLMError as error:
        codes.append(error.code)
    assert set(codes) <= {LLMErrorCode.BAD_RESPONSE}
