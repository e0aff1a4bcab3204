"""Calls of Slack's Web API: once more where one was lost or came too often, and a reason where it was refused.

slack_sdk would by itself make a call again after a reset connection, also one that posts, and would not wait out a 429
(https://docs.slack.dev/apis/web-api/rate-limits); so it is told to do neither, and both are done here.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.platform.retry import RetryPolicy, retried
from adapters.slack.fatal_errors import BOT_TOKEN_REFUSED
from adapters.slack.options import API_BASE

_log = logging.getLogger(__name__)

_TOO_MANY: Final = 429
_BROKEN: Final = 500
_A_PAGE: Final = 200
_DEFAULT_WAIT_S: Final = 30.0
_SLACKS_OWN: Final = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})

SlackAnswer = dict[str, Any]
Method = Callable[..., Awaitable[AsyncSlackResponse]]


class OutOfReachError(Exception):
    """Slack did not answer, or not as itself: nobody knows whether it did what was asked."""


class TooOftenError(Exception):
    """Slack did not do it, and wants `wait` seconds to pass."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"too often; {wait:g} s")
        self.wait = wait


class RefusedError(Exception):
    """Slack did not do it, and would not the next time: `code` says why, in Slack's own word."""

    def __init__(self, code: str, needed: str = "") -> None:
        super().__init__(f"{code} ({needed})" if needed else code)
        self.code = code


class TokenRefusedError(RefusedError):
    """Slack did not do it, since the token is of no use any more: what is owed stays owed until there is a new one."""


LOST: Final = (OutOfReachError, TooOftenError, TokenRefusedError)


class SlackCalls:
    """Makes the calls, all over one HTTP session.

    Args:
        token: the bot's.
        session: stays the caller's own to close.
        api_base: another address than Slack's own.
        retry: how long a call is tried again.
    """

    def __init__(self, token: str, *, session: aiohttp.ClientSession, api_base: str | None, retry: RetryPolicy) -> None:
        self.client = web_client(token, session=session, api_base=api_base)
        self.session = session
        self.retry = retry
        self.token_was_refused = False

    async def ask(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that may be made twice without harm.

        Raises:
            OutOfReachError, TooOftenError: Slack gave no answer for as long as the retry lasts.
            RefusedError: it refused.
        """

        async def call() -> SlackAnswer:
            return await self.once(method, **arguments)

        return await retried(call, self.retry, platform="Slack", where=(OutOfReachError,))

    async def pages(
        self,
        method: Method,
        name: str,
        *,
        most: int,
        enough: Callable[[SlackAnswer], bool] = lambda _: False,
        **arguments: object,
    ) -> tuple[list[SlackAnswer], bool]:
        """Ask for a list page by page; return what `most` pages hold, and whether that is all, or `enough` by its last.

        A page may hold less than was asked for, also nothing, and not be the last
        (https://docs.slack.dev/apis/web-api/pagination). Raises as `ask`.
        """
        found: list[SlackAnswer] = []
        following: dict[str, str] = {}
        for _ in range(most):
            answer = await self.ask(method, limit=_A_PAGE, **arguments, **following)
            found += answer.get(name) or []
            cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor or (found and enough(found[-1])):
                return found, True
            following = {"cursor": cursor}
        return found, False

    async def once(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that may not be made twice: a lost one is raised, since it may have arrived.

        One that came too often did not arrive, and is made again when Slack says so.

        Raises:
            OutOfReachError: nobody knows whether it was carried out.
            TooOftenError: Slack wants more time than the retry allows.
            RefusedError: it was not carried out.
        """
        until = asyncio.get_running_loop().time() + self.retry.total
        while True:
            try:
                return await self.at_once(method, **arguments)
            except TooOftenError as error:
                if asyncio.get_running_loop().time() + error.wait > until:
                    raise
                _log.info("Slack wants %.0f s to pass.", error.wait)
                await asyncio.sleep(error.wait)

    async def at_once(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that is worth nothing later; raises as `once`, a TooOftenError without waiting."""
        try:
            async with asyncio.timeout(self.retry.one_call):
                response = await method(**arguments)
        except SlackApiError as error:
            translated = _translated(error)
            if isinstance(translated, TokenRefusedError) and "app_token" not in arguments:
                self.token_was_refused = True
            raise translated from None
        except (aiohttp.ClientError, OSError) as error:
            raise OutOfReachError(type(error).__name__) from error
        return response.data if isinstance(response.data, dict) else {}


def web_client(token: str | None, *, session: aiohttp.ClientSession, api_base: str | None) -> AsyncWebClient:
    """Return slack_sdk's client, which makes each call once."""
    return AsyncWebClient(
        token=token, base_url=api_base or API_BASE, session=session, retry_handlers=[], logger=quiet_log("slack_sdk")
    )


def quiet_log(name: str) -> logging.Logger:
    """Return a log of Slack's libraries: what members say, which they tell when debugged, never comes into it."""
    log = logging.getLogger(name)
    log.setLevel(logging.ERROR)
    return log


def one_line_log(name: str) -> logging.Logger:
    """Return a log in which a connection that breaks, which is nothing strange, is a line and no traceback."""

    def in_a_line(record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True

    log = quiet_log(name)
    log.filters = [in_a_line]
    return log


def _translated(error: SlackApiError) -> Exception:
    response = error.response
    if not isinstance(response, AsyncSlackResponse):
        return OutOfReachError("an answer that is not Slack's")
    data = response.data if isinstance(response.data, dict) else {}
    code = str(data.get("error") or "")
    if response.status_code == _TOO_MANY or code == "ratelimited":
        return TooOftenError(_seconds(response.headers.get("Retry-After")))
    if response.status_code >= _BROKEN or not code or code in _SLACKS_OWN:
        return OutOfReachError(code or f"status {response.status_code}")
    kind = TokenRefusedError if code in BOT_TOKEN_REFUSED else RefusedError
    return kind(code, str(data.get("needed") or ""))


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value or _DEFAULT_WAIT_S))
    except ValueError:
        return _DEFAULT_WAIT_S
