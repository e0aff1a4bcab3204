"""`thusfar serve`, killed at the worst moment and started again: what was asked is answered, once."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from bot.noting import add_sample
from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot import test_serve_slack
from tests.bot.program import Program
from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.platform_servers.discord import faults as discord_faults
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack import faults as slack_faults
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer

__all__ = ["discord_server", "slack_server"]

_FLIPPED = 2_000
_DIMENSIONS = 64
HISTORY = "/channels/{channel}/messages"


def kill(program: Program) -> None:
    """End it as the system does that has no memory left."""
    program.send_signal(signal.SIGKILL)
    assert program.wait() == -signal.SIGKILL


async def stop(program: Program) -> None:
    """End it as whoever runs it does."""
    program.send_signal(signal.SIGTERM)
    assert (await ended(program))[0] == 0


async def test_what_was_missed_on_discord_outlives_a_kill_before_it_was_fetched(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with serving(discord_server) as program:
        await discord_server.identified()
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who lit the lamp?"))
        await stop(program)
    missed = discord_server.say(thread, club.ada, "Who rowed out to the wreck?")
    slow = discord_server.fail_next("GET", HISTORY, discord_faults.held())
    async with serving(discord_server) as program:
        await discord_server.wait_for(lambda: discord_server.calls_of("GET", HISTORY))
        await discord_server.answer_to(discord_server.say(thread, club.ben, "What broke the window?"))
        kill(program)
    slow.release()
    assert discord_server.replies_to(missed) == []
    async with serving(discord_server):
        await discord_server.answer_to(missed)
    assert len(discord_server.by_bot(thread)) == 3


async def test_what_was_missed_in_slack_outlives_a_kill_before_it_was_fetched(
    slack_server: SlackServer, small_book: Path, own_home: Path
) -> None:
    club = slack_server.add_club()
    await test_serve_slack.import_book(own_home, small_book, f"slack:{slack_server.platform.team_id}", club)
    async with test_serve_slack.serving(slack_server) as program:
        await slack_server.connected()
        first = slack_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await slack_server.answer_to(first)
        await stop(program)
    events, slack_server.platform.events = slack_server.platform.events, frozenset()
    missed = slack_server.reply(first, club.ada, "Who rowed out to the wreck?")
    slack_server.platform.events = events
    slow = slack_server.fail_next("conversations.history", slack_faults.held())
    async with test_serve_slack.serving(slack_server) as program:
        await slack_server.wait_for(lambda: slack_server.calls_of("conversations.history"))
        live = slack_server.reply(first, club.ben, "What broke the window?")
        await slack_server.wait_for(lambda: len(slack_server.by_bot(club.channel)) == 2)
        kill(program)
    slow.release()
    async with test_serve_slack.serving(slack_server):
        await slack_server.wait_for(lambda: len(slack_server.by_bot(club.channel)) == 3)
    assert live.ts > missed.ts


async def test_a_question_that_ends_the_process_in_chroma_is_answered_without_it(
    discord_server: DiscordServer, own_home: Path
) -> None:
    """Flipped bits in the file of vectors end a process with SIGSEGV: every start took that question up again."""
    club = discord_server.add_club()
    async with _embeddings() as url:
        settings = {
            "THUSFAR_PROVIDER": "none", "THUSFAR_EMBEDDINGS": "openai", "THUSFAR_EMBEDDING_MODEL": "any",
            "THUSFAR_EMBEDDING_DIMENSIONS": str(_DIMENSIONS), "OPENAI_BASE_URL": url,
        }  # fmt: skip
        await _import_sample(own_home, f"discord:{club.guild.id}", str(club.channel.id), settings)
        await _ask_with_damaged_vectors(discord_server, club, own_home, settings)


async def _ask_with_damaged_vectors(
    discord_server: DiscordServer, club: Club, own_home: Path, settings: dict[str, str]
) -> None:
    (vectors,) = (own_home / "chroma").glob("*/data_level0.bin")
    damaged, chance = bytearray(vectors.read_bytes()), random.Random(0)
    for _ in range(_FLIPPED):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    vectors.write_bytes(damaged)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with serving(discord_server, **settings) as program:
        await discord_server.identified()
        poison = discord_server.say(thread, club.ada, f"{discord_server.bot.mention} Where does Hallam work?")
        assert await asyncio.to_thread(program.wait) == -signal.SIGSEGV
    assert discord_server.replies_to(poison) == []
    assert "Segmentation fault" in (own_home / "crash.discord.txt").read_text(encoding="utf-8")
    async with serving(discord_server, **settings) as program:
        answer = await discord_server.answer_to(poison)
        await discord_server.answer_to(
            discord_server.say(thread, club.ben, f"{discord_server.bot.mention} Who keeps the keys?")
        )
        await stop(program)
    assert "Hallam" in answer.content
    assert len(discord_server.by_bot(thread)) == 2


@asynccontextmanager
async def _embeddings() -> AsyncIterator[str]:
    """A server with an embedding model, whose vectors hang on the text's own bytes."""

    def vector(text: str) -> list[float]:
        chance = random.Random(text)
        return [chance.uniform(-1, 1) for _ in range(_DIMENSIONS)]

    async def embed(request: web.Request) -> web.Response:
        texts = (await request.json())["input"]
        data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
        return web.json_response({"object": "list", "data": data, "model": "any"})

    application = web.Application(client_max_size=16_000_000)
    application.router.add_post("/v1/embeddings", embed)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _import_sample(home: Path, scope: str, place: str, given: dict[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in given.items():
            patch.setenv(name, value)
        settings = Settings(thusfar_home=home)
    application = build(settings)
    book = await add_sample(application.library, application.noted().notes, settings, scope)
    await application.threads.use(Thread(scope=scope, place=place, thread=""), book_id=book.book_id)
    ada = Author(member_id="discord:1", display_name="Ada")
    await application.clubs().positions.set(
        await application.threads.club(Thread(scope=scope, place=place, thread="")),
        text="40",
        member=ada,
        confirmed=True,
    )
    await application.close()
