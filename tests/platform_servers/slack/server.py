"""Slack on loopback: Web API, Socket Mode, signed HTTP and file host, for the real slack_bolt and slack_sdk."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.platform_servers.slack.delivery import Delivery
from tests.platform_servers.slack.faults import Fault, reset
from tests.platform_servers.slack.http_events import HttpEvents
from tests.platform_servers.slack.people import People
from tests.platform_servers.slack.places import Places
from tests.platform_servers.slack.platform import EVENT_SCOPES, SCOPES, Platform
from tests.platform_servers.slack.watching import Watching
from tests.platform_servers.slack.web_api import PREFIX, WebApi

_LARGEST_REQUEST = 64 * 1024 * 1024

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class SlackServer(Places, People, Watching):
    """A workspace with people in it (`Places`, `People`), one app, and everything that the app talks to.

        async with SlackServer() as server:                   # or the fixture slack_server of slack/fixtures.py
            club = server.add_club()                          # .channel .organiser (an admin) .ada .ben
            client = AsyncWebClient(token=server.token, base_url=server.api_base, session=...)
            app = AsyncApp(client=client, signing_secret=server.signing_secret)
            handler = AsyncSocketModeHandler(app, server.app_token)
            await handler.connect_async()
            await server.connected()
            asked = server.mention(club.channel, club.ada, "hello")   # two events: app_mention and message
            await server.wait_for(lambda: "eyes" in asked.reactions)
            answer = await server.answer_to(asked)            # the first reply in the thread of `asked`
            assert answer.content == "Hello, Ada" and answer.pings <= {club.ada.id}

    HTTP instead of Socket Mode: `server.use_http(url)` before anything is said; every request is signed with
    `server.signing_secret`. `await server.verify(url)` sends url_verification; `await server.http.post(...)` sends what
    a test likes (a wrong signature, an old timestamp).
    What people use: `slash`, `press`, `press_in`, `choose`, `shortcut`, `submit`, `suggest`, `close`; each returns an
    `Interaction` (`messages`, `modal`, `options`, `errors`, `is_timed_out`), and `await server.responded(it)` waits
    until it is acknowledged and shows something. `open_home(ada)`; the Home tab is in `server.platform.homes`.
    What goes wrong: `fail_next("chat.postMessage", rate_limited())` with the faults of slack/faults.py, `api_down()`,
    `lose_acks(1)`, `redeliver(server.deliveries[0])`, `disconnect("refresh_requested")`, `abort_sockets()`, `restrict`,
    `archive`, `remove_bot`, `grant`, `server.platform.one_a_second = True`.
    Slack's own patience (3 s for an acknowledgement; tries after 0, 60, 300 s) is shortened by
    `server.platform.deliveries.ack_within` and `.retry_after`.
    What came in: `calls`, `calls_of(method)`, `deliveries` (with their tries, acks and seconds), `transcript()`.

    Leaving the `async with` fails the test where the app called a method that is not here or gave it an unknown
    argument, acknowledged what it should not have, where a handler broke, or where a planned fault was never met.

    Args:
        scopes: the bot scopes that were granted; everything the server knows of, unless told otherwise.
        events: the bot events that are subscribed to, as a manifest names them ("message.channels").
    """

    def __init__(self, *, scopes: Iterable[str] = SCOPES, events: Iterable[str] = EVENT_SCOPES) -> None:
        # Put together, since scanners for secrets look for their like.
        self.token = "-".join(["xoxb", "000000000001", "loopback"])
        self.app_token = "-".join(["xapp", "1", "A0000000001", "loopback"])
        self.signing_secret = "loopback" * 4
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self.platform = Platform(scopes=scopes, events=events, changed=self._changed.set)
        self.sockets = self.platform.sockets
        self.http = HttpEvents(self.platform.deliveries, secret=self.signing_secret, changed=self._changed.set)
        self.web_api = WebApi(self.platform, self._closing, token=self.token, app_token=self.app_token)
        self.bot = self.platform.bot
        application = web.Application(client_max_size=_LARGEST_REQUEST)
        router = application.router
        router.add_get("/link", self._whole(self.sockets.handle))
        router.add_route("*", f"{PREFIX}{{method:.*}}", self._whole(self.web_api.handle))
        router.add_route("*", "/files-pri/{path:.*}", self._whole(self.web_api.handle_file))
        router.add_post("/upload/v1/{path:.*}", self._whole(self.web_api.handle_upload))
        for area in ("commands", "actions"):
            router.add_post(f"/{area}/{{path:.*}}", self._whole(self.web_api.handle_response_url))
        router.add_route("*", "/{path:.*}", self._unknown)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        self.url = ""

    @property
    def api_base(self) -> str:
        """What `AsyncWebClient(base_url=...)`, or the setting SLACK_API_BASE, is set to."""
        return self.url + PREFIX

    # What goes wrong.

    def fail_next(self, method: str, fault: Fault, *, times: int = 1) -> Fault:
        """Let a fault happen to the next calls of a method, or of "files", "upload", "response_url" or "*"."""
        self.web_api.plan(method, fault, times)
        return fault

    @contextmanager
    def api_down(self, fault: Fault | None = None) -> Iterator[None]:
        """The Web API gives nothing but this fault (a reset connection); sockets go on."""
        self.web_api.down_with = fault or reset(accepted=False)
        try:
            yield
        finally:
            self.web_api.down_with = None

    def lose_acks(self, count: int = 1) -> None:
        """The next acknowledgements never arrive: Slack hands those events over again, at once."""
        self.platform.deliveries.lost_acks += count

    def redeliver(self, delivery: Delivery, *, marked: bool = True) -> None:
        """Hand an event over once more; `marked` with the number and reason of the try, else as if it were new."""
        self.platform.deliveries.redeliver(delivery, marked=marked)

    def disconnect(self, reason: str = "refresh_requested") -> None:
        """Say `disconnect` on every socket: "warning" (it goes on), "refresh_requested", "link_disabled"."""
        self.sockets.disconnect(reason)

    def abort_sockets(self) -> None:
        """Break every socket without a word."""
        self.sockets.abort()

    # HTTP instead of Socket Mode.

    def use_http(self, url: str) -> None:
        """From now on hand everything over by signed requests to the app's address."""
        self.http.url = url
        self.platform.deliveries.transport = self.http
        self.platform.deliveries.receivers_came()

    async def verify(self, url: str) -> bool:
        """Whether the address answers url_verification, as Slack asks before it takes an address."""
        challenge = {"token": "deprecated-verification-token", "challenge": "3eZbrw1aB10", "type": "url_verification"}
        answered = await self.http.post(challenge, url=url)
        return answered.status == 200 and "3eZbrw1aB10" in answered.text

    def done(self) -> None:
        """Fail where the app did what Slack would not have taken, or where a planned fault was never met."""
        left = [str(plan) for plan in self.web_api.plans if plan.left]
        problems = self.platform.complaints + [f"never met: {one}" for one in left]
        assert not problems, "; ".join(problems)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = self.platform.url = f"http://127.0.0.1:{port}"
        self.sockets.url = f"ws://127.0.0.1:{port}/link"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        self.platform.deliveries.close()
        await self.http.close()
        self.sockets.abort()
        await self._runner.cleanup()
        if error is None:
            self.done()

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self.platform.complaints.append(f"unknown address {request.method} {request.path}")
        return web.Response(status=404)

    def _whole(self, handler: _Handler) -> _Handler:
        """A handler whose own faults fail the test, instead of looking like Slack's."""

        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                return await handler(request)
            except ConnectionError:
                # The app has gone in mid-request, which is no fault of the server's.
                raise
            except Exception as error:
                self.platform.complaints.append(f"{request.method} {request.path} broke the server: {error!r}")
                self._changed.set()
                raise

        return handle
