"""Options in Chat Completions requests, and what is learnt from a refused parameter."""

from typing import Any

import pytest

from adapters.llm.openai_wire import Dialect, refused_parameter
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import GenerationOptions, PromptMessage, ToolChoice

NATIVE = Dialect(native=True, default_max_tokens=2048)
COMPATIBLE = Dialect(native=False, default_max_tokens=2048)
QUESTION = PromptMessage(role="user", content="Who bought the lamp oil?")


@pytest.mark.parametrize(
    ("dialect", "options", "expected"),
    [
        (NATIVE, GenerationOptions(), {"max_completion_tokens": 2048}),
        (COMPATIBLE, GenerationOptions(), {"max_tokens": 2048}),
        (COMPATIBLE, GenerationOptions(max_tokens=7, temperature=0.0), {"max_tokens": 7, "temperature": 0.0}),
        (
            COMPATIBLE,
            GenerationOptions(tool_choice=ToolChoice.NONE),
            {"max_tokens": 2048, "tool_choice": "none"},
        ),
    ],
)
def test_options_go_out_as_the_server_knows_them_and_only_where_given(
    dialect: Dialect, options: GenerationOptions, expected: dict[str, Any]
) -> None:
    request = dialect.request(model="m", messages=[QUESTION], tools=[DEFINITION], options=options)
    sent = {name: value for name, value in request.items() if name not in {"model", "messages", "prompt_cache_key"}}
    assert sent.pop("tools")[0]["function"]["name"] == "search_book"
    assert sent == expected


def test_the_cache_key_is_one_for_prompts_that_begin_alike_and_tells_nothing_of_them() -> None:
    def key(system: str, *rest: PromptMessage) -> str:
        messages = [PromptMessage(role="system", content=system), *rest]
        request = NATIVE.request(model="m", messages=messages, tools=[DEFINITION], options=GenerationOptions())
        return str(request["prompt_cache_key"])

    assert key("Up to page 12.") == key("Up to page 12.", QUESTION)
    assert key("Up to page 12.") != key("Up to page 13.")
    assert len(key("Up to page 12.")) <= 64
    assert "page" not in key("Up to page 12.")
    assert "prompt_cache_key" not in COMPATIBLE.request(model="m", messages=[], tools=[], options=GenerationOptions())


SENT = {"model": "m", "tools": [{}], "temperature": 0.2, "max_tokens": 9, "prompt_cache_key": "k"}


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"message": "Unsupported parameter: 'temperature'", "param": "temperature"}, "temperature"),
        ({"message": "'temperature' does not support 0.2 with this model. Only the default (1)"}, "temperature"),
        ({"error": {"message": "Unknown parameter: prompt_cache_key"}}, "prompt_cache_key"),
        (
            {"detail": [{"loc": ["body", "prompt_cache_key"], "msg": "Extra inputs are not permitted"}]},
            "prompt_cache_key",
        ),
        (
            {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'", "param": "max_tokens"},
            "max_tokens",
        ),
        (
            {"message": "Function tools with reasoning_effort are not supported", "param": "reasoning_effort"},
            "reasoning_effort",
        ),
        ({"message": "max_tokens is too large: 9. This model supports at most 4", "param": "max_tokens"}, None),
        ({"message": "Unsupported parameter: 'seed'", "param": "seed"}, None),
        ({"message": "'top_p' is not supported", "param": "top_p"}, None),
        ({"message": "Unsupported parameter: 'max_completion_tokens'", "param": "max_completion_tokens"}, None),
        ({"message": "maximum context length is 8192 tokens"}, None),
        ("a page that says unsupported", None),
        (None, None),
    ],
)
def test_a_refusal_names_the_parameter_to_do_without_only_where_one_was_sent_and_is_unsupported(
    body: object, refused: str | None
) -> None:
    assert refused_parameter(body, SENT) == refused
