"""Faults of the SDKs, HTTP and JSON become LLMErrors, for both providers, without secrets in their cause."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType

import anthropic
import httpx2
import openai
import pytest

from adapters.llm.faults import (
    LastingLLMError,
    fault_of,
    redacted,
    retry_after_seconds,
    status_fault,
    translated_faults,
)
from core.domain.errors import LLMError, LLMErrorCode

_REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1")
_NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
_SDKS = pytest.mark.parametrize("sdk", [anthropic, openai])


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (302, "", LLMErrorCode.UNAVAILABLE),
        (400, "temperature: Extra inputs are not permitted", LLMErrorCode.BAD_RESPONSE),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "context_length_exceeded", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "This model's maximum context length is 8192 tokens.", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "the request exceeds the available context size, try increasing it", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "longer than the maximum model length of 4096", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "the input length exceeds the context length", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "string_above_max_length", LLMErrorCode.CONTEXT_TOO_LONG),
        (500, "exceed_context_size_error", LLMErrorCode.CONTEXT_TOO_LONG),
        (422, "input length and `max_tokens` exceed context limit", LLMErrorCode.CONTEXT_TOO_LONG),
        (400, "content_filter", LLMErrorCode.REFUSED),
        (400, "Your credit balance is too low", LLMErrorCode.AUTH),
        (401, "", LLMErrorCode.AUTH),
        (402, "", LLMErrorCode.AUTH),
        (403, "", LLMErrorCode.AUTH),
        (404, "model: no-such-model", LLMErrorCode.UNAVAILABLE),
        (408, "", LLMErrorCode.TIMEOUT),
        (409, "", LLMErrorCode.UNAVAILABLE),
        (413, "", LLMErrorCode.CONTEXT_TOO_LONG),
        (422, "unknown field", LLMErrorCode.BAD_RESPONSE),
        (429, "Rate limit reached for gpt: maximum context length is no matter", LLMErrorCode.RATE_LIMITED),
        (429, "Limit 3 / min. Visit https://platform.openai.com/account/billing to add", LLMErrorCode.RATE_LIMITED),
        (429, "insufficient_quota", LLMErrorCode.AUTH),
        (429, "You exceeded your current quota, please check your plan and billing details.", LLMErrorCode.AUTH),
        (403, "billing_not_active", LLMErrorCode.AUTH),
        (429, "contract_spend_limit_reached", LLMErrorCode.AUTH),
        (500, "", LLMErrorCode.UNAVAILABLE),
        (502, "", LLMErrorCode.UNAVAILABLE),
        (503, "", LLMErrorCode.UNAVAILABLE),
        (503, "The engine is currently overloaded", LLMErrorCode.OVERLOADED),
        (504, "", LLMErrorCode.TIMEOUT),
        (529, "", LLMErrorCode.OVERLOADED),
    ],
)
@pytest.mark.parametrize("place", ["kind", "message"])
def test_a_status_and_its_message_become_a_code(status: int, said: str, code: LLMErrorCode, place: str) -> None:
    kinds, message = ([said], "") if place == "kind" else ([], said)
    error = status_fault(provider="p", status=status, headers={}, kinds=kinds, message=message)
    assert (error.code, error.retry_after, isinstance(error, LastingLLMError)) == (code, None, status == 404)


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


@_SDKS
@pytest.mark.parametrize(
    ("make", "code", "lasting"),
    [
        (lambda sdk: sdk.APITimeoutError(request=_REQUEST), LLMErrorCode.TIMEOUT, False),
        (lambda sdk: sdk.APIConnectionError(request=_REQUEST), LLMErrorCode.UNAVAILABLE, False),
        (lambda _: httpx2.ReadTimeout("slow"), LLMErrorCode.TIMEOUT, False),
        (lambda _: httpx2.RemoteProtocolError("peer closed connection"), LLMErrorCode.UNAVAILABLE, False),
        (lambda _: httpx2.InvalidURL("no port"), LLMErrorCode.UNAVAILABLE, True),
        (lambda _: httpx2.UnsupportedProtocol("no scheme"), LLMErrorCode.UNAVAILABLE, True),
        (lambda _: httpx2.LocalProtocolError("Illegal header value b'k'"), LLMErrorCode.AUTH, False),
        (lambda _: UnicodeEncodeError("ascii", "k\u00e4", 1, 2, "no"), LLMErrorCode.AUTH, False),
        (lambda _: json.JSONDecodeError("Expecting value", "{", 1), LLMErrorCode.BAD_RESPONSE, False),
        (lambda _: TypeError("unexpected"), LLMErrorCode.BAD_RESPONSE, False),
        (lambda _: RecursionError("too deep"), LLMErrorCode.BAD_RESPONSE, False),
    ],
)
def test_an_exception_of_an_sdk_call_becomes_an_llm_error(
    sdk: ModuleType, make: Callable[[ModuleType], Exception], code: LLMErrorCode, lasting: bool
) -> None:
    with pytest.raises(LLMError) as caught, translated_faults(sdk, provider="p", secrets=["k\u00e4"]):
        raise make(sdk)
    assert (caught.value.code, isinstance(caught.value, LastingLLMError)) == (code, lasting)
    assert caught.value.__suppress_context__
    assert "k\u00e4" not in caught.value.cause
    assert "Illegal" not in caught.value.cause


@_SDKS
def test_a_connection_error_names_its_cause(sdk: ModuleType) -> None:
    with pytest.raises(LLMError) as caught, translated_faults(sdk, provider="p"):
        raise sdk.APIConnectionError(request=_REQUEST) from httpx2.ConnectError("All connection attempts failed")
    assert caught.value.cause == "p gave no whole answer (ConnectError: All connection attempts failed)"


@pytest.mark.parametrize("error", [LLMError(LLMErrorCode.REFUSED, "no"), KeyboardInterrupt(), KeyError("ours")])
def test_errors_unrelated_to_the_wire_pass_through(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, translated_faults(anthropic, provider="p"):
        raise error
    assert caught.value is error
