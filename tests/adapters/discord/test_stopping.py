"""SIGTERM during a command: running commands finish, later ones are asked to try again."""

import asyncio

from adapters.discord.client import ThusfarClient
from adapters.platform.running_tasks import STOPPING
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import add_book, page_of, titles_of, watched
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel


def _stopping(client: ThusfarClient) -> "asyncio.Task[None]":
    async def stop() -> None:
        await client.finish(within=5)
        await client.close()

    return asyncio.create_task(stop())


async def test_a_running_private_question_is_answered(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, services: PlatformServices
) -> None:
    await read_book()
    seen, commands = watched(services)
    commands.open.clear()
    async with running(services=seen) as client:
        used = discord_server.slash("ask", {"question": "Who lit the lamp?"}, user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: used.response)
        stopping = _stopping(client)
        commands.open.set()
        await stopping
    assert "Marrable" in used.texts[0]


async def test_a_thread_that_is_being_opened_gets_its_answer(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    answers = ScriptedAnswers(held=["Who?"])
    async with running(answers) as client:
        used = discord_server.slash("chat", {"question": "Who?"}, user=club.ada, channel=club.channel)
        await answers.was_asked()
        stopping = _stopping(client)
        answers.release("Who?")
        await stopping
    (starter,) = discord_server.by_bot(club.channel)
    assert starter.thread is not None
    assert starter.thread.texts[-1] == "An answer.\n-# (up to p. 2)"
    assert used.texts == [f"Here it is: <#{starter.thread.id}>"]


async def test_a_book_that_is_being_fetched_is_imported_to_its_end(
    discord_server: DiscordServer, club: Club, running: Running, house: Application
) -> None:
    async with running() as client:
        fault = discord_server.fail_next("GET", "/attachments", held())
        used = add_book(discord_server, club, discord_server.upload("tale.txt", b"A tale of Marrable. " * 400))
        await discord_server.wait_for(lambda: used.texts)
        stopping = _stopping(client)
        fault.release()
        await stopping
    assert "`/book use Tale` opens it" in used.texts[0]
    assert await titles_of(house, club.channel) == ["Tale"]


async def test_a_command_that_comes_while_it_stops_is_refused_in_one_sentence(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    read_book: ReadBook,
    house: Application,
) -> None:
    await read_book()
    answers = ScriptedAnswers(held=["Who?"])
    async with running(answers) as client:
        asked = discord_server.say(thread, club.ada, "Who?")
        await answers.was_asked()
        stopping = _stopping(client)
        used = await discord_server.responded(
            discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel)
        )
        answers.release("Who?")
        await stopping
    assert used.texts == [STOPPING]
    assert await page_of(house, club.channel) == 2
    assert len(discord_server.replies_to(asked)) == 1
