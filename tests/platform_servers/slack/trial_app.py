"""A bare slack_bolt app for the loopback Slack's own tests: it keeps what it heard, and does what a test says."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from tests.patience import PATIENCE_S
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Json

OnEvent = Callable[["TrialApp", Json], Awaitable[object]]
_PATH = "/slack/events"


@dataclass(slots=True, frozen=True, kw_only=True)
class Heard:
    """One request as the app's middleware saw it."""

    body: Json
    headers: Mapping[str, Any]

    @property
    def event(self) -> Json:
        found: Json = self.body.get("event", {})
        return found

    @property
    def kind(self) -> tuple[str, str | None]:
        """Type and subtype of the event."""
        return str(self.event.get("type")), self.event.get("subtype")

    @property
    def retry(self) -> str | None:
        found = self.headers.get("x-slack-retry-num", [None])
        return str(found[0]) if found[0] is not None else None


@dataclass(slots=True, kw_only=True)
class TrialApp:
    """`on` is called with each event after it is acknowledged; listeners of other kinds are put on `app`."""

    client: AsyncWebClient
    app: AsyncApp
    on: OnEvent | None = None
    heard: list[Heard] = field(default_factory=list)
    came: asyncio.Condition = field(default_factory=asyncio.Condition)
    handler: AsyncSocketModeHandler | None = None

    def listen(self) -> None:
        @self.app.use
        async def keep(req: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]) -> None:
            self.heard.append(Heard(body=dict(req.body), headers=req.headers))
            async with self.came:
                self.came.notify_all()
            await next_()

        @self.app.event(re.compile(".*"))
        async def handle(event: Json) -> None:
            if self.on is not None:
                await self.on(self, event)

    @property
    def kinds(self) -> list[tuple[str, str | None]]:
        return [one.kind for one in self.heard]

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S), self.came:
            await self.came.wait_for(true)


@asynccontextmanager
async def calling(server: SlackServer, *, token: str | None = None, **more: Any) -> AsyncIterator[AsyncWebClient]:
    """A client alone, over one session; without retries unless told otherwise."""
    more = {"retry_handlers": []} | more
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(token=token or server.token, base_url=server.api_base, session=session, **more)


@asynccontextmanager
async def _made(server: SlackServer, on: OnEvent | None) -> AsyncIterator[TrialApp]:
    async with calling(server) as client:
        # Own messages are heard too, so that a test can see them.
        app = AsyncApp(client=client, signing_secret=server.signing_secret, ignoring_self_events_enabled=False)
        trial = TrialApp(client=client, app=app, on=on)
        trial.listen()
        yield trial


@asynccontextmanager
async def running(
    server: SlackServer, *, on: OnEvent | None = None, ping_interval: float = 0.2
) -> AsyncIterator[TrialApp]:
    """The app over Socket Mode, connected; closed in the end."""
    async with _made(server, on) as trial:
        before = len(server.sockets.came)
        trial.handler = AsyncSocketModeHandler(trial.app, server.app_token, ping_interval=ping_interval)
        try:
            await trial.handler.connect_async()  # type: ignore[no-untyped-call]
            await server.connected(before + 1)
            yield trial
        finally:
            await trial.handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def serving(server: SlackServer, *, on: OnEvent | None = None) -> AsyncIterator[TrialApp]:
    """The app over HTTP, on an address that the server hands everything to."""
    async with _made(server, on) as trial:
        runner = web.AppRunner(trial.app.web_app(path=_PATH), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            server.use_http(f"http://127.0.0.1:{runner.addresses[0][1]}{_PATH}")
            yield trial
        finally:
            await runner.cleanup()
