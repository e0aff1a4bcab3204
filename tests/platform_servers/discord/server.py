"""Discord on loopback, gateway and REST, for the real discord.py client: the one name that tests import.

    async with DiscordServer() as server:
        club = server.add_club()
        with pointed_at(server):
            ... start the bot with server.token ...
            await server.identified()
            asked = server.say(club.channel, club.ada, f"{server.bot.mention} hello")
            await server.wait_for(lambda: "👀" in asked.reactions)
            answer = await server.answer_to(asked)
            assert answer.content == "Hello, Ada"
            assert answer.pings <= {club.ada.id}

The fixture `discord_server` of `tests/platform_servers/discord/fixtures.py` does the first and the third line.

Leaving the `async with` fails the test where the bot asked for a route that Discord's server here does not have, where
a handler broke, or where a planned fault was never met. The parts are in `tests/platform_servers/discord/`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from tests.patience import PATIENCE_S
from tests.platform_servers.discord.calls import Call
from tests.platform_servers.discord.faults import Fault, reset
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.people import People
from tests.platform_servers.discord.places import Places
from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.rest import PREFIX, Rest
from tests.platform_servers.discord.world import LOADING, Channel, Message

_LARGEST_REQUEST = 64 * 1024 * 1024
_PARTS_OF_TOKEN = ("MTIzNDU2Nzg5MDEyMzQ1Njc4OQ", "Gloopb", "of-no-real-application")

_T = TypeVar("_T")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class DiscordServer(Places, People):
    """A world with people in it (`Places`, `People`), a gateway, and REST."""

    def __init__(self) -> None:
        self.token = ".".join(_PARTS_OF_TOKEN)
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self.platform = Platform(token=self.token, changed=self._changed.set)
        self.gateway = self.platform.gateway
        self.rest = Rest(self.platform, self._closing)
        self.bot = self.platform.bot
        application = web.Application(client_max_size=_LARGEST_REQUEST)
        application.router.add_get("/gateway", self._whole(self.gateway.handle))
        application.router.add_get("/gateway/", self._whole(self.gateway.handle))
        application.router.add_route("*", "/attachments/{path:.*}", self._whole(self.rest.handle_file))
        application.router.add_route("*", "/{path:.*}", self._whole(self.rest.handle))
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        self.url = ""

    @property
    def api_base(self) -> str:
        """What `Route.BASE`, or the setting DISCORD_API_BASE, is set to."""
        return self.url + PREFIX

    @property
    def gateway_url(self) -> str:
        return self.gateway.url

    @property
    def calls(self) -> list[Call]:
        """Every REST call, in the order of arrival; downloads included, with the route /attachments."""
        return self.rest.calls

    def calls_of(self, method: str, route: str) -> list[Call]:
        return [call for call in self.calls if (call.method, call.route) == (method, route)]

    # Waiting for what the bot does.

    async def wait_for(self, true: Callable[[], _T | None], *, within: float = PATIENCE_S) -> _T:
        """Wait until it is true and return what it gave; fail with what has come in so far.

        It is asked again whenever the server's state changes, not when the bot's does.
        """
        try:
            async with asyncio.timeout(within):
                while True:
                    found = true()
                    if found:
                        return found
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"not within {within} s; so far:\n{self.transcript()}") from None

    async def identified(self, times: int = 1) -> None:
        """Wait until a bot has come to the gateway; a restarted one makes it two times."""
        await self.wait_for(lambda: len(self.gateway.identifies) >= times and bool(self.gateway.sessions))

    async def posted(self, channel: Channel, count: int = 1) -> list[Message]:
        """Wait until the bot has that many messages in a channel; returns all of its messages there."""
        await self.wait_for(lambda: len(self.by_bot(channel)) >= count)
        return self.by_bot(channel)

    async def answer_to(self, message: Message) -> Message:
        """Wait for the bot's first reply to a message, in whatever channel it stands."""
        return await self.wait_for(lambda: next(iter(self.replies_to(message)), None))

    async def responded(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction shows something: a message that is no longer loading, choices or a form."""
        await self.wait_for(lambda: interaction.messages or interaction.choices_or_form)
        return interaction

    def by_bot(self, channel: Channel) -> list[Message]:
        return [
            one for one in channel.history if one.author is self.bot and not one.flags & LOADING and not one.is_system
        ]

    def replies_to(self, message: Message) -> list[Message]:
        return [
            one
            for place in list(self.platform.channels.values())
            for one in self.by_bot(place)
            if one.reply_to is message
        ]

    def transcript(self) -> str:
        """The calls that came in and the texts that stand in the channels."""
        lines = [str(call) for call in self.calls]
        for place in self.platform.channels.values():
            lines += [f"#{place.name or place.kind.name} {one.author.name}: {one.content!r}" for one in place.history]
        return "\n".join(lines + self.rest.complaints)

    # What goes wrong.

    def fail_next(self, method: str, route: str, fault: Fault, *, times: int = 1) -> Fault:
        """Let a fault happen to the next calls of a route, written as `/channels/{channel}/messages`, or "*"."""
        self.rest.plan(method, route, fault, times)
        return fault

    @contextmanager
    def rest_down(self, fault: Fault | None = None) -> Iterator[None]:
        """REST gives nothing but this fault (a reset connection); the gateway goes on."""
        self.rest.down_with = fault or reset(accepted=False)
        try:
            yield
        finally:
            self.rest.down_with = None

    def done(self) -> None:
        """Fail where the bot asked for what is not here, or where a planned fault was never met."""
        left = [str(plan) for plan in self.rest.plans if plan.left] + list(self.gateway.pending)
        problems = self.rest.complaints + [f"never met: {one}" for one in left]
        assert not problems, "; ".join(problems)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = self.platform.url = f"http://127.0.0.1:{port}"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        self.gateway.abort()
        await self._runner.cleanup()
        if error is None:
            self.done()

    def _whole(self, handler: _Handler) -> _Handler:
        """A handler whose own faults fail the test, instead of looking like Discord's."""

        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                return await handler(request)
            except ConnectionError:
                # The bot has gone in mid-request, which is no fault of the server's.
                raise
            except Exception as error:
                self.rest.complaints.append(f"{request.method} {request.path} broke the server: {error!r}")
                self._changed.set()
                raise

        return handle
