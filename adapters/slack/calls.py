"""Calls of Slack's Web API, with retries for lost and rate-limited calls, and a reason for refused ones.

slack_sdk by itself would repeat any call after a reset connection, even one that posts, and would not wait out a 429
(https://docs.slack.dev/apis/web-api/rate-limits). Its retries are off; both cases are handled here.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.platform.retry import RetryPolicy, check_lease, retried
from adapters.platform.surface import (
    MAY_NOT_WRITE,
    GoneError,
    OutOfReachError,
    RefusedError,
    TokenRefusedError,
    TooOftenError,
)
from adapters.slack.options import API_BASE
from core.catalogue.sentences import sentence

_log = logging.getLogger(__name__)

_OK: Final = 200
_TOO_MANY: Final = 429
_BROKEN: Final = 500
_A_PAGE: Final = 200
_DEFAULT_WAIT_S: Final = 30.0
_NOT_INVITED: Final = sentence("I'm not a member of this channel. Please /invite me.")
_NO_MEMBER: Final = frozenset({"not_in_channel", "channel_not_found"})
_GONE: Final = frozenset({"channel_not_found", "not_in_channel", "thread_not_found", "message_not_found"})
_SLACKS_OWN: Final = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})

SlackAnswer = dict[str, Any]
Method = Callable[..., Awaitable[AsyncSlackResponse]]
"""A method of the SDK's client; the methods share no type, since each has its own keywords."""


WRONG_TOKEN: Final = "Slack doesn't accept SLACK_BOT_TOKEN. Copy the bot token (xoxb-) again from the app's page."  # noqa: S105
WRONG_APP_TOKEN: Final = "Slack doesn't accept SLACK_APP_TOKEN. Make one (xapp-) with connections:write."  # noqa: S105
NO_SOCKET_MODE: Final = "Socket Mode is off. Switch it on, on the app's page, under Socket Mode."
NOT_A_BOT: Final = "SLACK_BOT_TOKEN isn't a bot token. It begins with xoxb-."

BOT_TOKEN_REFUSED: Final = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "org_login_required"}
)
"""Slack's error codes for a bot token that can't be used (see `auth.test`)."""

APP_TOKEN_REFUSED: Final = {
    "invalid_auth": WRONG_APP_TOKEN,
    "not_authed": WRONG_APP_TOKEN,
    "token_revoked": WRONG_APP_TOKEN,
    "account_inactive": WRONG_APP_TOKEN,
    "not_allowed_token_type": WRONG_APP_TOKEN,
    "missing_scope": WRONG_APP_TOKEN,
    "no_permission": WRONG_APP_TOKEN,
    "socket_mode_not_enabled": NO_SOCKET_MODE,
}
"""Slack's error codes from `apps.connections.open`, with a sentence for each."""


class SlackCalls:
    """Makes the calls over one HTTP session.

    Args:
        token: the bot's token.
        session: the HTTP session, which the caller closes.
        api_base: another address than Slack's own.
        retry: how long a call is retried.
    """

    def __init__(self, token: str, *, session: aiohttp.ClientSession, api_base: str | None, retry: RetryPolicy) -> None:
        self.client = web_client(token, session=session, api_base=api_base)
        self.session = session
        self.retry = retry
        self.token_was_refused = False

    async def ask(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that is safe to repeat.

        Raises:
            OutOfReachError: Slack gave no answer within the policy's time.
            RefusedError: Slack refused.
        """
        return await retried(partial(self.at_once, method, **arguments), self.retry)

    async def pages(
        self,
        method: Method,
        name: str,
        *,
        most: float = math.inf,
        enough: Callable[[SlackAnswer], bool] = lambda _: False,
        **arguments: object,
    ) -> list[SlackAnswer]:
        """Return a list's pages: at most `most`, or up to one that is `enough`.

        A page may hold less than requested, even nothing, and not be the last
        (https://docs.slack.dev/apis/web-api/pagination). Raises as `ask`.
        """
        found: list[SlackAnswer] = []
        following: dict[str, str] = {}
        for number in count(1):
            answer = await self.ask(method, limit=_A_PAGE, **arguments, **following)
            found += answer.get(name) or []
            cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor or number >= most or (found and enough(found[-1])):
                break
            following = {"cursor": cursor}
        return found

    async def messages(self, channel: str, thread_ts: str | None, **window: object) -> list[SlackAnswer]:
        """Return one page of messages of a channel or of a thread. Raises as `ask`."""
        if thread_ts is None:
            answer = await self.ask(self.client.conversations_history, channel=channel, **window)
        else:
            answer = await self.ask(self.client.conversations_replies, channel=channel, ts=thread_ts, **window)
        return list(answer.get("messages") or ())

    async def post(self, address: str, **body: Any) -> None:  # noqa: ANN401 (aiohttp's own options)
        """Post to an address that Slack gave for responses or for a file.

        https://docs.slack.dev/interactivity/handling-user-interaction#message_responses

        Raises:
            OutOfReachError: Slack did not accept it.
        """
        timeout = aiohttp.ClientTimeout(total=self.retry.one_call)
        try:
            async with self.session.post(address, timeout=timeout, allow_redirects=False, **body) as response:
                if response.status != _OK:
                    raise OutOfReachError(f"status {response.status}")
        except (aiohttp.ClientError, OSError) as error:
            raise OutOfReachError(type(error).__name__) from error

    async def once(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that must not be repeated: a lost call is raised, since it may have arrived.

        A rate-limited call did not arrive; it is repeated when Slack says so.

        Raises:
            OutOfReachError: it is unknown whether the call was carried out.
            TooOftenError: Slack demands a longer wait than the policy allows.
            RefusedError: the call was not carried out.
        """
        return await retried(partial(self.at_once, method, **arguments), self.retry, where=(TooOftenError,))

    async def at_once(self, method: Method, **arguments: object) -> SlackAnswer:
        """Make a call that would be useless later; raises as `once`, a TooOftenError without waiting."""
        check_lease()  # the lease may have expired while the channel's turn was awaited
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
    """Return slack_sdk's client without its retries."""
    return AsyncWebClient(
        token=token, base_url=api_base or API_BASE, session=session, retry_handlers=[], logger=quiet_log("slack_sdk")
    )


def quiet_log(name: str) -> logging.Logger:
    """Return a logger for Slack's libraries without debug output, which would contain members' texts."""
    log = logging.getLogger(name)
    log.setLevel(logging.ERROR)
    return log


def one_line_log(name: str) -> logging.Logger:
    """Return a logger that reports a broken connection in one line, without a traceback."""

    def in_a_line(record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True

    log = quiet_log(name)
    log.filters = [in_a_line]
    return log


def _translated(error: SlackApiError) -> Exception:
    response = error.response
    if not isinstance(response, AsyncSlackResponse):
        return OutOfReachError("an answer that is not from Slack")
    data = response.data if isinstance(response.data, dict) else {}
    code = str(data.get("error") or "")
    if response.status_code == _TOO_MANY or code == "ratelimited":
        return TooOftenError(code or "rate limited", wait=_seconds(response.headers.get("Retry-After")))
    if response.status_code >= _BROKEN or not code or code in _SLACKS_OWN:
        return OutOfReachError(code or f"status {response.status_code}")
    if code in BOT_TOKEN_REFUSED:
        return TokenRefusedError(code)
    needed = data.get("needed")
    cause = f"{code} ({needed})" if needed else code
    kind = GoneError if code in _GONE else RefusedError
    return kind(cause, code=code, sentence=_NOT_INVITED if code in _NO_MEMBER else MAY_NOT_WRITE)


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value or _DEFAULT_WAIT_S))
    except ValueError:
        return _DEFAULT_WAIT_S
