"""Keeps one connection to Slack, by Socket Mode or HTTP, and turns permanent failures into SettingsErrors."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from slack_sdk.signature import SignatureVerifier
from typing_extensions import override

from adapters.platform.connection import PlatformConnection
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError, RefusedError, TokenRefusedError
from adapters.slack.bolt import SocketHandler
from adapters.slack.calls import APP_TOKEN_REFUSED, NOT_A_BOT, WRONG_TOKEN, SlackCalls, one_line_log
from adapters.slack.client import ThusfarSlack
from adapters.slack.listening import scope_of
from adapters.slack.options import SlackOptions
from adapters.slack.workspace import Identity, workspace_of
from core.domain.errors import SettingsError

_log = logging.getLogger(__name__)

EVENTS_PATH: Final = "/slack/events"
_PING_S: Final = 10.0
_LOOK_S: Final = 1.0
_HELLO_S: Final = 3.0
"""How long to wait for a new socket's hello: messages fetched before it may be incomplete."""
_GAP_S: Final = 60.0
_STUCK_S: Final = 120.0
_SCOPES: Final = "x-oauth-scopes"


class SlackConnection(PlatformConnection[ThusfarSlack]):
    """Connects to Slack, and keeps the client across failed attempts so that running answers survive.

    Args:
        services: core's services.
        options: the adapter's options.
        say: gets one line when the bot is ready.
        retry: how long calls are retried.
        ping: seconds between checks of a socket.
        gap: seconds without a socket after which missed messages are fetched.
        stuck: seconds without a socket after which slack_sdk is stopped.
    """

    def __init__(
        self,
        services: PlatformServices,
        options: SlackOptions,
        *,
        say: Callable[[str], None] = _log.info,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
        ping: float = _PING_S,
        gap: float = _GAP_S,
        stuck: float = _STUCK_S,
    ) -> None:
        self._services = services
        self._options = options
        self._say = say
        self._retry = retry
        self._ping = ping
        self._gap = gap
        self._stuck = stuck
        self._session: aiohttp.ClientSession | None = None
        self._calls: SlackCalls | None = None
        self._handler: SocketHandler | None = None
        self._runner: web.AppRunner | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()
        self._look_now = asyncio.Event()
        self._ready = asyncio.Event()
        self._there_at = 0.0
        self._has_opened = False
        self.refused: Counter[str] = Counter()
        self.me: Identity | None = None
        self.port = 0

    @override
    async def attempt(self) -> None:
        """Connect and stay connected. Every error may be retried, except a SettingsError.

        Raises:
            SettingsError: a token is wrong, or Slack refuses permanently.
        """
        client = await self._client()
        await self._hang_up()
        if self._options.app_token is None:
            await self._listen(client)
        else:
            await self._connect(client, self._options.app_token)
        await client.catch_up()
        self._there_at = time.time()
        if not self._ready.is_set() and self.me is not None:
            way = "" if self._handler is not None else f", at port {self.port}"
            self._say(f"Slack: {self.me.name} listens in {self.me.team}{way}. Ctrl-C ends it.")
            self._ready.set()
        while not self._closed.is_set():
            await self._watch_token()
            await self._watch_socket(client)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look_now.wait(), min(_LOOK_S, self._ping))
            self._look_now.clear()

    async def ready(self) -> None:
        """Wait until it listens and missed messages have been fetched."""
        await self._ready.wait()

    @override
    def scopes(self) -> list[str]:
        """Return the scope of the workspace, once known."""
        return [scope_of(self.me.team_id)] if self.me is not None else []

    @override
    def is_there(self) -> bool:
        """Whether there is a socket, or was until a moment ago; over HTTP, whether it listens."""
        if self._handler is None:
            return self._runner is not None
        return time.time() - self._there_at < self._stuck

    @override
    async def close(self) -> None:
        """Close the connection and release its resources."""
        self._closed.set()
        self._look_now.set()
        await self._hang_up()
        if self._session is not None:
            await self._session.close()

    async def _client(self) -> ThusfarSlack:
        """Return the previous client, or request the bot's identity and make a new one."""
        if self.client is not None:
            return self.client
        if self._session is None:
            self._session = aiohttp.ClientSession()
        calls = self._calls = SlackCalls(
            self._options.bot_token,
            session=self._session,
            api_base=self._options.api_base,
            retry=self._retry,
        )
        self.me = await who_am_i(calls)
        workspace = workspace_of(self.me, services=self._services, options=self._options, calls=calls)
        secret = None if self._options.app_token is not None else self._options.signing_secret
        client = ThusfarSlack(workspace, signing_secret=secret)
        await client.start()
        self.client = client
        return client

    async def _connect(self, client: ThusfarSlack, app_token: str) -> None:
        """Open a socket; slack_sdk reopens one that is lost or renewed."""
        try:
            # slack_sdk would retry a rejected token for ever, and report it only in the log.
            await client.app.client.apps_connections_open(app_token=app_token)
        except Exception as error:
            sentence = APP_TOKEN_REFUSED.get(_code(error))
            if sentence is None:
                raise
            raise SettingsError(sentence) from None
        self._look_now.clear()
        self._handler = SocketHandler(
            client.app,
            app_token,
            logger=one_line_log("slack_sdk.socket_mode"),
            ping=self._ping,
            opens=partial(self._socket_opens, client),
            is_open=partial(self._socket_is_open, client),
        )
        # slack_sdk would retry an address that accepts no socket for ever; a new attempt requests another.
        async with asyncio.timeout(self._retry.one_call):
            await self._handler.connect_async()  # type: ignore[no-untyped-call]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._look_now.wait(), _HELLO_S)
        self._has_opened = False

    def _socket_opens(self, client: ThusfarSlack) -> None:
        """Begin a gap: events of the new socket may be newer than messages that are still missing."""
        client.intake.gap()
        self._has_opened = True

    def _socket_is_open(self, client: ThusfarSlack) -> None:
        """Begin the gap again: a fetch that ran while the socket was being opened has not filled it."""
        self._socket_opens(client)
        self._look_now.set()

    async def _watch_token(self) -> None:
        """Check, after a call failed because of the token, whether the token was revoked.

        Raises:
            SettingsError: it was.
        """
        if self._calls is not None and self._calls.token_was_refused:
            with contextlib.suppress(OutOfReachError, RefusedError):
                await who_am_i(self._calls)
                self._calls.token_was_refused = False

    async def _watch_socket(self, client: ThusfarSlack) -> None:
        """Fetch messages from times without a socket: Slack retries an undelivered event only for minutes.

        Uses the wall clock, which runs while the machine sleeps.

        Raises:
            ConnectionError: there was no socket for so long that a new attempt is better.
        """
        away = time.time() - self._there_at
        if self._handler is None or await self._handler.client.is_connected():
            if away > self._gap or self._has_opened:
                self._has_opened = False
                await client.catch_up()
            self._there_at = time.time()
        elif away > self._stuck:
            raise ConnectionError(f"no socket for {away:.0f} s")
        elif self._reopening is None or self._reopening.done():
            self._reopening = asyncio.create_task(self._handler.socket.reopen())

    async def _listen(self, client: ThusfarSlack) -> None:
        """Serve Slack's verified requests (https://docs.slack.dev/authentication/verifying-requests-from-slack)."""
        application = client.app.web_app(path=EVENTS_PATH, port=self._options.port)
        application.router.add_get("/healthz", _healthy)
        application.middlewares.append(
            _verified_only(SignatureVerifier(self._options.signing_secret or ""), self.refused)
        )
        self._runner = web.AppRunner(application, access_log=None)
        # Otherwise anyone who sends invalid HTTP would fill the log with tracebacks.
        logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
        await self._runner.setup()
        await web.TCPSite(self._runner, self._options.host, self._options.port).start()
        self.port = int(self._runner.addresses[0][1])

    async def _hang_up(self) -> None:
        if self._reopening is not None:
            self._reopening.cancel()
        handler, self._handler = self._handler, None
        if handler is not None:
            await handler.close_async()  # type: ignore[no-untyped-call]
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()


async def who_am_i(calls: SlackCalls) -> Identity:
    """Request the bot's identity and its token's scopes from Slack (auth.test).

    Raises:
        SettingsError: the token is wrong.
        OutOfReachError: Slack can't be reached.
    """
    headers: dict[str, str] = {}

    async def test(**_: object) -> Any:  # noqa: ANN401 (slack_sdk's answer)
        answer = await calls.client.auth_test()
        headers.update({name.lower(): value for name, value in answer.headers.items()})
        return answer

    try:
        me = await calls.once(test)
    except TokenRefusedError:
        raise SettingsError(WRONG_TOKEN) from None
    if not me.get("bot_id"):
        raise SettingsError(NOT_A_BOT)
    return Identity(
        team_id=str(me["team_id"]),
        team=str(me.get("team", "")),
        bot_user_id=str(me["user_id"]),
        bot_id=str(me["bot_id"]),
        name=str(me.get("user", "thusfar")),
        url=str(me.get("url", "")),
        scopes=frozenset(one.strip() for one in headers.get(_SCOPES, "").split(",") if one.strip()),
    )


def _code(error: Exception) -> str:
    response = getattr(error, "response", None)
    data = getattr(response, "data", None)
    return str(data.get("error", "")) if isinstance(data, dict) else ""


def _verified_only(verifier: SignatureVerifier, refused: Counter[str]) -> Middleware:
    """Return a middleware that rejects and counts requests that are not from Slack, before they are parsed."""

    @web.middleware
    async def verified(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            await _require_slacks(request, verifier)
            return await handler(request)
        except web.HTTPException as error:
            refused[str(error.status)] += 1
            raise
        except Exception as error:  # noqa: BLE001 (Slack's fault, not the bot's)
            _log.warning("A request can't be read: %s", type(error).__name__)
            raise web.HTTPBadRequest from None

    return verified


async def _require_slacks(request: web.Request, verifier: SignatureVerifier) -> None:
    if request.method != "POST":
        return
    try:
        body = await request.read()
        is_slacks = verifier.is_valid_request(body, dict(request.headers))
    except (TypeError, ValueError, web.RequestPayloadError):  # not a number, not text, or an incomplete body
        is_slacks = False
    if not is_slacks:
        raise web.HTTPUnauthorized


async def _healthy(_: web.Request) -> web.Response:
    return web.json_response({"ok": True})
