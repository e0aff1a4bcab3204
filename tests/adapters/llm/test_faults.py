"""Faults of the SDKs, HTTP and JSON become LLMErrors, for both providers, without secrets in their cause."""

import json
from datetime import UTC, datetime
from types import ModuleType

import anthropic
import httpx2
import openai
import pytest

from adapters.llm.faults import (
    fault_of,
    redacted,
    retry_after_seconds,
)
from core.domain.errors import LLMErrorCode

_REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1")
_NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
_SDKS = pytest.mark.parametrize("sdk", [anthropic, openai])


@_SDKS
@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ({"type": "error", "error": {"type": "api_error", "message": "Oops"}}, "p answered 500 api_error: Oops"),
        ({"error": {"message": "Oops", "type": "server_error", "code": "c1"}}, "p answered 500 server_error c1: Oops"),
        (
            {"error": {"type": "api_error", "message": "Oops", "details": {"error_code": "why"}}},
            "p answered 500 api_error why: Oops",
        ),
        ({"object": "error", "message": "Oops", "type": "T", "code": 500}, "p answered 500 T 500: Oops"),
        ({"error": "model not loaded"}, "p answered 500: model not loaded"),
        ({"detail": "Not like this"}, "p answered 500: Not like this"),
        ({}, "p answered 500:"),
        (["Oops"], "p answered 500: ['Oops']"),
        ("<html>\n <h1>Oops</h1>", "p answered 500: <html> <h1>Oops</h1>"),
        ("", "p answered 500:"),
    ],
)
def test_an_error_body_of_any_shape_gives_the_cause(sdk: ModuleType, body: object, cause: str) -> None:
    content = body if isinstance(body, str) else json.dumps(body)
    response = httpx2.Response(500, text=content, headers={"Retry-After": "7"}, request=_REQUEST)
    client = (sdk.Anthropic if sdk is anthropic else sdk.OpenAI)(api_key="k", base_url="http://127.0.0.1")
    error = fault_of(client._make_status_error_from_response(response), sdk, provider="p")
    client.close()
    assert (error.code, error.cause, error.retry_after) == (LLMErrorCode.UNAVAILABLE, cause, 7.0)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 13:00:30 +0100"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "4233600"}, 4_233_600.0),
        *[({"retry-after": value}, None) for value in ("soon", "", "nan", "inf", "-inf", "Sat, 99 Nov 2026")],
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers, now=lambda: _NOW) == seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the key s3cret-s3cret is wrong", "the key [key] is wrong"),
        ("Incorrect API key provided: sk-proj-ab12****wxyz.", "Incorrect API key provided: [key]"),
        ("Authorization: Bearer abc.def", "Authorization: [key]"),
        ("a\r\nb\x1b[31m\u2028c", "a b [31m c"),
        ("x" * 400, "x" * 297 + "..."),
        ("task-oriented sk- text", "task-oriented sk- text"),
    ],
)
def test_a_cause_is_one_short_line_without_secrets(text: str, expected: str) -> None:
    assert redacted(text, ["s3cret-s3cret", ""]) == expected
