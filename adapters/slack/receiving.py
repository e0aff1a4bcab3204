"""How what Slack sends comes in, over a socket or over HTTP: handed over, then acknowledged with what comes of it."""

import asyncio
import json
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qsl

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from typing_extensions import override

from adapters.platform.intake.items import NotKeptError
from adapters.slack.calls import SlackCalls, one_line_log, web_client

_log = logging.getLogger(__name__)

EVENTS_PATH: Final = "/slack/events"
_MOST: Final = 3
_NOT_KEPT: Final = 503

Body = dict[str, Any]
Receive = Callable[[Body], Awaitable[Body]]
"""Takes what Slack sent, and returns the acknowledgement; raises NotKeptError where Slack must send it again."""


class BoundedSocket(SocketModeClient):
    """A socket that hands over what comes, and opens at most three anew within one interval between pings.

    slack_sdk opens a new one the moment that Slack says `disconnect`. Where Slack says so at once (its
    `too_many_websockets`), that would go round hundreds of times a second.

    Args:
        calls: Slack's Web API.
        app_token: the app's.
        receive: takes what comes.
        ping: how often the socket is looked after, in seconds.
        opens: is called when a new one is about to be opened: what comes over it may be newer than what is missing.
        is_open: is called once it is.
    """

    def __init__(
        self,
        calls: SlackCalls,
        app_token: str,
        receive: Receive,
        *,
        ping: float,
        opens: Callable[[], None],
        is_open: Callable[[], None],
        api_base: str | None,
    ) -> None:
        client = web_client(None, session=calls.session, api_base=api_base)
        super().__init__(app_token, logger=one_line_log("slack_sdk.socket_mode"), web_client=client, ping_interval=ping)
        self._receive = receive
        self._opens = opens
        self._is_open = is_open
        self._asked: deque[float] = deque(maxlen=_MOST)
        self.socket_mode_request_listeners.append(self._take)
        self.message_listeners.append(self._hello)

    @override
    async def issue_new_wss_url(self) -> str:
        """Ask for an address, when it is time to."""
        loop = asyncio.get_running_loop()
        if len(self._asked) == _MOST:
            await asyncio.sleep(max(0.0, self._asked[0] + self.ping_interval - loop.time()))
        self._asked.append(loop.time())
        address = await super().issue_new_wss_url()
        self._opens()
        return address

    async def reopen(self) -> None:
        """Open another socket in place of one that broke; slack_sdk itself looks for that once between two pings."""
        try:
            await self.connect_to_new_endpoint()
        except Exception as error:  # noqa: BLE001 (slack_sdk goes on trying, and what is wrong for good is told then)
            _log.debug("No new socket yet: %r", error)

    async def _take(self, _client: object, request: SocketModeRequest) -> None:
        """Hand over and acknowledge; what isn't acknowledged Slack brings again."""
        try:
            answer = await self._receive(request.payload)
        except NotKeptError:
            return
        await self.send_socket_mode_response(
            SocketModeResponse(envelope_id=request.envelope_id, payload=answer or None)
        )

    async def _hello(self, _client: object, message: Body, _raw: str | None = None) -> None:
        """Note that it is open; say where Slack counts more than this one: it hands each event to one alone."""
        if message.get("type") != "hello":
            return
        self._is_open()
        count = message.get("num_connections")
        if isinstance(count, int) and count > 1:
            _log.warning(
                "Slack counts %d connections of this app. Where another process serves it too, each hears only a part "
                "of what is said: stop one of them.",
                count,
            )


def http_app(receive: Receive, *, signing_secret: str, refused: Counter[str]) -> web.Application:
    """Return what serves Slack's requests, once verified (https://docs.slack.dev/authentication/verifying-requests-from-slack)."""

    async def taken(request: web.Request) -> web.Response:
        body = _body_in(await request.text(), request.content_type)
        if body.get("type") == "url_verification":
            return web.json_response({"challenge": body.get("challenge")})
        try:
            answer = {} if "ssl_check" in body else await receive(body)
        except NotKeptError:
            return web.Response(status=_NOT_KEPT)
        return web.json_response(answer) if answer else web.Response()

    made = web.Application(middlewares=[_only_slacks(SignatureVerifier(signing_secret), refused)])
    made.router.add_post(EVENTS_PATH, taken)
    made.router.add_get("/healthz", _healthy)
    return made


def _body_in(text: str, content_type: str) -> Body:
    """Return what a request holds: JSON, or a form, which may hold JSON in turn."""
    form = {} if content_type == "application/json" else dict(parse_qsl(text, keep_blank_values=True))
    if form and "payload" not in form:
        return form
    body = json.loads(form.get("payload", text))
    if not isinstance(body, dict):
        raise web.HTTPBadRequest
    return body


def _only_slacks(verifier: SignatureVerifier, refused: Counter[str]) -> Middleware:
    """Return what refuses requests that aren't Slack's before anything reads them; anyone may send some: it counts."""

    @web.middleware
    async def verified(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            await _require_slacks(request, verifier)
            return await handler(request)
        except web.HTTPException as error:
            refused[str(error.status)] += 1
            raise
        except Exception as error:  # noqa: BLE001 (whatever Slack sent, it is no fault of ours)
            _log.warning("A request can't be read: %s", type(error).__name__)
            raise web.HTTPBadRequest from None

    return verified


async def _require_slacks(request: web.Request, verifier: SignatureVerifier) -> None:
    if request.method != "POST":
        return
    try:
        body = await request.read()
        is_slacks = verifier.is_valid_request(body, dict(request.headers))
    except (TypeError, ValueError, web.RequestPayloadError):  # no number, no text, or no whole body
        is_slacks = False
    if not is_slacks:
        raise web.HTTPUnauthorized


async def _healthy(_: web.Request) -> web.Response:
    return web.json_response({"ok": True})
