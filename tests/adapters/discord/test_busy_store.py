"""A busy store: Discord sends each message once, so the client retries what it could not store."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from typing_extensions import override

from adapters.persistence.inbox import SqlInbox
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.hearing.addressing import AddressingService
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage
from core.domain.understanding import Understanding
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel


class BusyInbox(SqlInbox):
    """The application's inbox, locked for the first `failures` messages."""

    def __init__(self, house: Application, *, failures: int) -> None:
        super().__init__(house.database)
        self._left = failures

    @override
    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        if self._left:
            self._left -= 1
            raise StorageError("The database is locked.")
        return await super().take_in(event, finished=finished)


class BusyHearMessage(AddressingService):
    """Core's service over a store that is busy for the first `failures` messages; then `is_over`."""

    def __init__(self, addressing: AddressingService, *, failures: int) -> None:
        self._own = addressing
        self._left = failures
        self.is_over = asyncio.Event()
        self.followed: list[str] = []

    @override
    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        self._fail()
        return await self._own.hear(message, heard)

    @override
    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)

    @override
    async def edited(self, ref: str, text: str) -> None:
        self._fail()
        self.followed.append(f"edited: {text}")
        self.is_over.set()

    @override
    async def deleted(self, ref: str) -> None:
        self._fail()
        self.followed.append("deleted")
        self.is_over.set()

    def _fail(self) -> None:
        if self._left:
            self._left -= 1
            raise StorageError("The database is locked.")


async def test_messages_wait_for_an_earlier_question_that_could_not_be_stored(
    discord_server: DiscordServer, club: Club, settling: Running, services: PlatformServices, house: Application
) -> None:
    thread, answers = discord_server.create_thread(club.channel, discord_server.bot, "Ours"), ScriptedAnswers()
    async with settling(services=replace(answers.instead_of(services), inbox=BusyInbox(house, failures=2))):
        asked = [discord_server.say(thread, club.ada, text) for text in ("One?", "Two?", "Three?")]
        await discord_server.answer_to(asked[-1])
    assert answers.texts == ["One?", "Two?", "Three?"]


class SlowInbox(SqlInbox):
    """The application's inbox; once `is_slow`, it waits until it is `open`."""

    def __init__(self, house: Application) -> None:
        super().__init__(house.database)
        self.is_asked, self.open = asyncio.Event(), asyncio.Event()
        self.is_slow = False

    @override
    def of_bot(self, bot: Callable[[], str]) -> SqlInbox:
        self._bot = bot
        return self

    @override
    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        if self.is_slow:
            self.is_asked.set()
            await self.open.wait()
        return await super().take_in(event, finished=finished)


async def test_messages_during_a_stop_that_waits_for_the_store_are_answered_after_the_next_start(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    settling: Running,
    services: PlatformServices,
    house: Application,
) -> None:
    answers = ScriptedAnswers()
    inbox = SlowInbox(house)
    async with running(services=replace(answers.instead_of(services), inbox=inbox)) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await client.intake.settled()
        inbox.is_slow = True
        discord_server.say(thread, club.ada, "Stored?")
        async with asyncio.timeout(PATIENCE_S):
            await inbox.is_asked.wait()
        heard = asyncio.create_task(client.wait_for("message", timeout=PATIENCE_S))
        stop = asyncio.create_task(client.finish(within=5))
        # Both must have begun, and they do so before they wait for anything.
        await asyncio.sleep(0)
        discord_server.say(thread, club.ada, "Too late?")
        await heard
        inbox.open.set()
        await stop
    async with settling(answers):
        await discord_server.posted(thread, 3)
    assert answers.texts == ["Before?", "Stored?", "Too late?"]
