"""Translates errors of SDKs, HTTP and JSON into LLMErrors, for every model adapter.

Adapters put `with translated_faults(sdk, provider=..., secrets=[key]):` around each SDK call and around the
construction of its client. `anthropic` and `openai` use the same names for exceptions, and both use httpx2, so one
translation serves both. Only `status_fault` decides what a status means.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from core.domain.errors import LLMError, LLMErrorCode

if TYPE_CHECKING:
    from httpx2 import Response

_LONGEST_CAUSE = 300
_TOO_LONG = re.compile(
    r"prompt is too long|exceeds? (the )?(available |maximum )?context|context[ _](length|size|window)"
    r"|maximum (model|context) length|context limit|exceed_context_size|string_above_max_length",
    re.IGNORECASE,
)
_BLOCKED = re.compile(r"content[ _](filter|policy)", re.IGNORECASE)
# Not the bare word: a rate-limit error may end with a link to the billing page.
_BILLING = re.compile(
    r"insufficient_quota|billing_\w+|plan and billing|credit balance|spend_limit_reached", re.IGNORECASE
)
_OVERLOADED = re.compile(r"overloaded", re.IGNORECASE)
# Ollama, llama.cpp and vLLM each have their own message; llama.cpp sends a 500.
_NO_TOOLS = re.compile(r"does not support tools|requires --jinja|enable-auto-tool-choice", re.IGNORECASE)
_NO_TOOLS_ADVICE = "THUSFAR_STRATEGY=always_retrieve does without tools"
_KEY_LIKE = re.compile(r"\b(sk|pk)-[\w*.\-]{4,}|\bBearer\s+\S+", re.IGNORECASE)
_BY_STATUS = {
    401: LLMErrorCode.AUTH,
    402: LLMErrorCode.AUTH,
    403: LLMErrorCode.AUTH,
    404: LLMErrorCode.UNAVAILABLE,
    408: LLMErrorCode.TIMEOUT,
    409: LLMErrorCode.UNAVAILABLE,
    413: LLMErrorCode.CONTEXT_TOO_LONG,
    429: LLMErrorCode.RATE_LIMITED,
    504: LLMErrorCode.TIMEOUT,
    529: LLMErrorCode.OVERLOADED,
}
_MAY_SAY_TOO_LONG = frozenset({400, 413, 422, 500})
_FIRST_ERROR_STATUS = 400
_LARGEST_ANSWER = 2_000_000
_CHATS = ("/messages", "/chat/completions")
_FIRST_SERVER_STATUS = 500
_BROKEN = (ValueError, TypeError, RecursionError, ImportError)


class LastingLLMError(LLMError):
    """An error that no retry within the turn can fix, whatever its code; `with_retries` raises it."""


async def refuse_huge(response: "Response") -> None:
    """Read a chat response, as a hook of the SDK's client, and reject one that is too large. Raises LLMError."""
    size, parts = 0, []
    if not response.request.url.path.endswith(_CHATS):
        return
    async for part in response.aiter_bytes():
        size += len(part)
        if size > _LARGEST_ANSWER:
            raise LastingLLMError(LLMErrorCode.BAD_RESPONSE, f"the answer was over {_LARGEST_ANSWER:,} bytes")
        parts.append(part)
    response._content = b"".join(parts)  # noqa: SLF001 (what `aread` keeps)


class Sdk(Protocol):
    """The exception classes of an SDK's module."""

    @property
    def APIStatusError(self) -> type[Exception]:  # noqa: N802 (the SDKs' own names)
        """The server answered with an error status."""

    @property
    def APIConnectionError(self) -> type[Exception]:  # noqa: N802
        """The response is missing or incomplete."""

    @property
    def APITimeoutError(self) -> type[Exception]:  # noqa: N802
        """The response did not arrive in time; a kind of connection error."""

    @property
    def APIError(self) -> type[Exception]:  # noqa: N802
        """The base class of the three."""


@contextmanager
def translated_faults(sdk: Sdk, *, provider: str, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Turn every exception of an SDK call into an LLMError; LLMErrors and cancellation pass through.

    Raises:
        LLMError: in place of the SDK's, httpx2's and JSON's exceptions. It holds none of the `secrets`.
    """
    import httpx2

    try:
        yield
    except LLMError:
        raise
    except (sdk.APIError, httpx2.HTTPError, httpx2.InvalidURL, *_BROKEN) as error:
        ours = error.__cause__  # `refuse_huge` raised it within the SDK
        raise ours if isinstance(ours, LLMError) else fault_of(error, sdk, provider=provider, secrets=secrets) from None


def fault_of(error: Exception, sdk: Sdk, *, provider: str, secrets: Sequence[str] = ()) -> LLMError:
    """Return the LLMError for an exception of an SDK call."""
    import httpx2

    if isinstance(error, sdk.APIStatusError):
        response = getattr(error, "response", None)
        kinds, message = _read_error_body(getattr(error, "body", None))
        return status_fault(
            provider=provider,
            status=getattr(error, "status_code", 0),
            headers=getattr(response, "headers", {}),
            kinds=kinds,
            message=message,
            secrets=secrets,
        )
    if isinstance(error, (sdk.APITimeoutError, httpx2.TimeoutException)):
        return LLMError(LLMErrorCode.TIMEOUT, f"{provider} did not answer in time")
    if isinstance(error, (UnicodeEncodeError, httpx2.LocalProtocolError)):
        return LLMError(LLMErrorCode.AUTH, f"the key for {provider} holds characters that no header can carry")
    if isinstance(error, httpx2.InvalidURL):
        return LastingLLMError(LLMErrorCode.UNAVAILABLE, f"the base URL for {provider} is no URL")
    if isinstance(error, (sdk.APIConnectionError, httpx2.HTTPError, ImportError)):
        return _connection_fault(error, sdk, provider=provider, secrets=secrets)
    said = redacted(f"{provider} was sent or sent what cannot be read ({type(error).__name__}: {error})", secrets)
    return LLMError(LLMErrorCode.BAD_RESPONSE, said)


def status_fault(
    *,
    provider: str,
    status: int,
    headers: Mapping[str, str],
    kinds: Iterable[str] = (),
    message: str = "",
    secrets: Sequence[str] = (),
) -> LLMError:
    """Return the LLMError for an error status.

    Args:
        provider: the provider's name, for the cause.
        status: the HTTP status.
        headers: the response's headers, with keys in lower case or case-insensitive.
        kinds: the error's names in the body: `type`, `code` and the like.
        message: the body's text; it is cut, and secrets are removed, before it becomes the cause.
        secrets: texts that must not appear in the cause.
    """
    named = " ".join(dict.fromkeys(kind for kind in kinds if kind))
    code = _code_of(status, f"{named} {message}")
    cause = redacted(f"{provider} answered {status} {named}: {message}".replace(" :", ":"), secrets)
    if _NO_TOOLS.search(message):
        return LastingLLMError(LLMErrorCode.BAD_RESPONSE, f"{cause} ({_NO_TOOLS_ADVICE})")
    lasting = headers.get("x-should-retry") == "false" or status == 404  # noqa: PLR2004 (not found)
    return (LastingLLMError if lasting else LLMError)(code, cause, retry_after=retry_after_seconds(headers))


def retry_after_seconds(
    headers: Mapping[str, str], *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> float | None:
    """Return the seconds to wait from the headers, given as a number or an HTTP date; None if they name none."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if not value:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            seconds = _seconds_until(value, now())
        if isfinite(seconds):
            return max(0.0, seconds)
    return None


def redacted(text: str, secrets: Sequence[str]) -> str:
    """Return a text as one short line for the log, without secrets and anything that looks like a key."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[key]")
    line = "".join(character if character.isprintable() else " " for character in _KEY_LIKE.sub("[key]", text))
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST_CAUSE else f"{line[: _LONGEST_CAUSE - 3]}..."


def _code_of(status: int, said: str) -> LLMErrorCode:
    if status in _MAY_SAY_TOO_LONG and _TOO_LONG.search(said):
        return LLMErrorCode.CONTEXT_TOO_LONG
    if status in {400, 402, 403, 429} and _BILLING.search(said):
        return LLMErrorCode.AUTH
    if status in {400, 403} and _BLOCKED.search(said):
        return LLMErrorCode.REFUSED
    if status >= _FIRST_SERVER_STATUS and _OVERLOADED.search(said):
        return LLMErrorCode.OVERLOADED
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    # Any other 4xx would be refused again; a 3xx or 5xx may pass.
    return (
        LLMErrorCode.BAD_RESPONSE if _FIRST_ERROR_STATUS <= status < _FIRST_SERVER_STATUS else LLMErrorCode.UNAVAILABLE
    )


def _connection_fault(error: Exception, sdk: Sdk, *, provider: str, secrets: Sequence[str]) -> LLMError:
    """Return the error for a failed connection with its cause, which the SDKs hide behind 'Connection error'."""
    from urllib.request import getproxies

    import httpx2

    below = error.__cause__ if isinstance(error, sdk.APIConnectionError) else error
    if isinstance(below, httpx2.LocalProtocolError):
        return fault_of(below, sdk, provider=provider)
    if isinstance(below, ImportError):
        # httpx2 checks its SOCKS support only if the environment names such a proxy.
        said = redacted(f"the proxy that the environment names cannot be used: {below}", secrets)
        return LastingLLMError(LLMErrorCode.UNAVAILABLE, said)
    said = f": {below}" if isinstance(below, httpx2.TransportError) and str(below) else ""
    by_proxy = "; the environment names a proxy, NO_PROXY the hosts that need none" if getproxies() else ""
    cause = f"{provider} gave no whole answer ({type(below or error).__name__}{said}{by_proxy})"
    kind = LastingLLMError if isinstance(below, httpx2.UnsupportedProtocol) else LLMError
    return kind(LLMErrorCode.UNAVAILABLE, redacted(cause, secrets))


def _read_error_body(body: object) -> tuple[list[str], str]:
    """Return an error body's names and its text, for each shape that servers are known to send.

    Anthropic: {"error": {"type", "message", "details": {"error_code"}}}; OpenAI's SDK returns the value of "error":
    {"type", "code", "message"}; vLLM sends that flat; Ollama {"error": "text"}; FastAPI {"detail": ...}; proxies an
    HTML page.
    """
    if not isinstance(body, dict):
        return [], str(body or "")
    inner = body.get("error", body)
    if not isinstance(inner, dict):
        return [], str(inner)
    details = inner.get("details")
    found = [inner.get("type"), inner.get("code"), details.get("error_code") if isinstance(details, dict) else None]
    message = inner.get("message") or inner.get("detail") or ""
    return [str(kind) for kind in found if isinstance(kind, (str, int))], str(message)


def _seconds_until(http_date: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(http_date)
    except ValueError:
        return float("nan")
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
