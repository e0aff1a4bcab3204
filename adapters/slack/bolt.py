"""Bolt, configured: it knows the bot's identity without asking, and limits how often it opens sockets."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from typing_extensions import override

from adapters.slack.calls import quiet_log, web_client
from adapters.slack.workspace import Identity, Workspace

_log = logging.getLogger(__name__)

_LOG: Final = "slack_bolt"
_MOST: Final = 3


class KnownBot(AsyncAuthorize):
    """Returns the bot's identity from the `auth.test` at the start; Bolt would ask again at every first event."""

    def __init__(self, me: Identity) -> None:
        self._result = AuthorizeResult(
            enterprise_id=None, team_id=me.team_id, bot_user_id=me.bot_user_id, bot_id=me.bot_id
        )

    @override
    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult | None:
        """Return the bot's identity."""
        return self._result


def bolt_app(workspace: Workspace, *, signing_secret: str | None) -> AsyncApp:
    """Return an app without listeners; with a secret every HTTP request is verified."""
    calls, options = workspace.calls, workspace.options
    return AsyncApp(
        name="thusfar",
        client=web_client(None, session=calls.session, api_base=options.api_base),
        authorize=KnownBot(workspace.me),  # type: ignore[arg-type]  # Bolt takes both kinds, and tells of one
        signing_secret=signing_secret or "",
        request_verification_enabled=signing_secret is not None,
        attaching_conversation_kwargs_enabled=False,
        logger=quiet_log(_LOG),
    )


class BoundedSocket(SocketModeClient):
    """Opens at most three sockets within one ping interval.

    slack_sdk opens a new socket as soon as Slack sends `disconnect`. If Slack sends that at once
    (`too_many_websockets`), it would repeat hundreds of times a second.
    """

    _asked: deque[float] | None = None
    opens: Callable[[], None] | None = None
    """Called before a new socket is opened: its events may be newer than messages that are still missing."""

    @override
    async def issue_new_wss_url(self) -> str:
        """Request a socket address once the limit allows it."""
        loop = asyncio.get_running_loop()
        asked = self._asked = self._asked if self._asked is not None else deque(maxlen=_MOST)
        if len(asked) == _MOST:
            await asyncio.sleep(max(0.0, asked[0] + self.ping_interval - loop.time()))
        asked.append(loop.time())
        address = await super().issue_new_wss_url()
        if self.opens is not None:
            self.opens()
        return address

    async def reopen(self) -> None:
        """Replace a broken socket; slack_sdk checks for that only once between two pings."""
        try:
            await self.connect_to_new_endpoint()
        except Exception as error:  # noqa: BLE001 (slack_sdk keeps trying; permanent errors are reported then)
            _log.debug("The new socket could not be opened yet: %r", error)


class SocketHandler(AsyncSocketModeHandler):
    """Bolt's handler over a BoundedSocket; `opens` is called before a new socket, `is_open` once it is open."""

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        *,
        logger: logging.Logger,
        ping: float,
        opens: Callable[[], None],
        is_open: Callable[[], None],
    ) -> None:
        # Bolt's own constructor would create slack_sdk's client and a session for it.
        self.app = app
        self.app_token = app_token
        self.socket = BoundedSocket(app_token, logger=logger, web_client=app.client, ping_interval=ping)
        self.socket.opens = opens
        self._is_open = is_open
        self.client = self.socket
        self.client.socket_mode_request_listeners.append(self.handle)  # type: ignore[arg-type]
        self.client.message_listeners.append(_warn_of_others)
        self.client.message_listeners.append(self._hello)

    @override
    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        """Pass a request to Bolt; acknowledge one that Bolt can't read, or Slack would resend it."""
        try:
            await super().handle(client, req)
        except Exception as error:  # noqa: BLE001 (the next request must not suffer from it)
            _log.warning("A request of type %s can't be read: %s", req.type, type(error).__name__)
            await client.send_socket_mode_response(SocketModeResponse(envelope_id=req.envelope_id))

    async def _hello(self, _client: object, message: dict[str, Any], _raw: str | None = None) -> None:
        if message.get("type") == "hello":
            self._is_open()


async def _warn_of_others(_client: object, message: dict[str, Any], _raw: str | None = None) -> None:
    """Warn if Slack counts other sockets of this app: each event goes to only one of them."""
    count = message.get("num_connections")
    if message.get("type") == "hello" and isinstance(count, int) and count > 1:
        _log.warning(
            "Slack counts %d connections of this app. Where another process serves it too, each hears only a part of "
            "what is said: stop one of them.",
            count,
        )
