"""How an import is shown: one private message that is edited, and the channel once that can't be."""

import asyncio
from dataclasses import replace
from pathlib import Path

from adapters.platform.services import PlatformServices
from core.answering.dense import Progress
from core.club.books.book_commands import BookCommands
from core.club.commands.values import CommandRequest, CommandResponse
from core.domain.errors import NotPermittedError
from tests.adapters.discord.conftest import Running
from tests.adapters.discord.using import add_book, ended
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer


class ToldBooks(BookCommands):
    """Imports nothing: reports progress when the test says so, then the outcome."""

    def __init__(self) -> None:
        self.tell = asyncio.Event()
        self.end = asyncio.Event()
        self.held: list[bytes] = []

    def check_may_add(self, request: CommandRequest) -> None:
        if not request.is_organiser:
            raise NotPermittedError("no")

    async def add(
        self, path: Path, request: CommandRequest, *, title: str | None = None, on_progress: Progress | None = None
    ) -> CommandResponse:
        self.held.append(await asyncio.to_thread(path.read_bytes))
        assert on_progress is not None
        await self.tell.wait()
        on_progress("getting ready", 1, 4)
        on_progress("getting ready", 2, 4)
        await self.end.wait()
        return CommandResponse(text="The Lamp: 4 pages.\n\nIts chapters: 1: p. 1-2.")


async def test_progress_is_shown_by_editing_one_message(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    told = ToldBooks()
    async with running(services=replace(services, book_commands=told)):
        used = add_book(discord_server, club, discord_server.upload("the_lamp.txt", b"A lamp."))
        await discord_server.wait_for(lambda: used.texts == ["Reading the\\_lamp.txt …"])
        told.tell.set()
        await discord_server.wait_for(lambda: used.texts == ["Reading the\\_lamp.txt: getting ready, 50 % …"])
        told.end.set()
        await ended(discord_server, used)
    assert used.texts == ["The Lamp: 4 pages.\n\nIts chapters: 1: p. 1-2."]
    assert told.held == [b"A lamp."]
    assert (used.followups, club.channel.texts) == ([], [])


async def test_progress_interrupted_by_a_kill_is_closed_at_the_next_start(
    discord_server: DiscordServer, club: Club, running: Running, settling: Running, services: PlatformServices
) -> None:
    told = ToldBooks()
    async with running(services=replace(services, book_commands=told)) as client:
        used = add_book(discord_server, club, discord_server.upload("lamp.txt", b"A lamp."))
        told.tell.set()
        await discord_server.wait_for(lambda: used.texts == ["Reading lamp.txt: getting ready, 50 % …"])
        await client.finish(within=0)
        await client.close()
    async with settling():
        await discord_server.wait_for(lambda: used.texts and "restarted" in used.texts[0])
    assert len(used.texts) == 1
    assert used.texts[0].startswith("I restarted before I finished `book add`.")
    assert await services.inbox.unfinished("discord/used") == []


async def test_an_import_that_outlives_its_interaction_ends_in_the_channel_without_the_chapters(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    told = ToldBooks()
    async with running(services=replace(services, book_commands=told)):
        used = add_book(discord_server, club, discord_server.upload("lamp.txt", b"A lamp."))
        await discord_server.responded(used)
        used.is_expired = True
        told.tell.set()
        await discord_server.wait_for(lambda: [one for one in discord_server.calls if one.code == 50027])
        told.end.set()
        (line,) = await discord_server.posted(club.channel)
    assert line.content == "Olga: The Lamp: 4 pages."
    assert line.pings == set()
