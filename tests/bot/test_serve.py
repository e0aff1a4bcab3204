"""`thusfar serve` as the program that people start: it answers, it stops when told to, it says what is wrong."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot.program import Program
from tests.bot.running import environment, thusfar
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


@asynccontextmanager
async def serving(server: DiscordServer, *words: str, **settings: str) -> AsyncIterator[Program]:
    """The program, pointed at the loopback Discord by its settings alone."""
    named = {
        "DISCORD_TOKEN": server.token,
        "DISCORD_API_BASE": server.api_base,
    }
    with Program("serve", *words, env=environment(**(named | settings))) as program:
        yield program


async def ended(program: Program) -> tuple[int, str]:
    ran = await asyncio.to_thread(program.ran)
    assert ran.out == ""
    return ran.code, ran.err


async def import_book(home: Path, small_book: Path, club: Club, *, database: str | None = None) -> None:
    application = build(Settings(thusfar_home=home, DATABASE_URL=database))
    scope = f"discord:{club.guild.id}"
    book = (await application.library.add(small_book, scope=scope, title="Small")).book
    await application.threads.use(Thread(scope=scope, place=str(club.channel.id), thread=""), book_id=book.book_id)
    ada = Author(member_id="discord:1", display_name="Ada")
    await application.clubs().positions.set(
        await application.threads.club(Thread(scope=scope, place=str(club.channel.id), thread="")),
        text="3",
        member=ada,
        confirmed=True,
    )
    await application.close()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_it_answers_and_a_signal_lets_the_turn_under_way_end(
    discord_server: DiscordServer, small_book: Path, own_home: Path, sign: signal.Signals
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    async with serving(discord_server) as program:
        await discord_server.wait_for(lambda: discord_server.gateway.sessions)
        slow = discord_server.fail_next("POST", "/channels/{channel}/messages", held())
        asked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who lit the lamp?")
        await discord_server.wait_for(lambda: discord_server.calls_of("POST", "/channels/{channel}/messages"))
        program.send_signal(sign)
        slow.release()
        code, err = await ended(program)
    assert (code, err) == (0, "Discord: thusfar listens in 1 server. Ctrl-C ends it.\n")
    assert asked.thread is not None
    (answer,) = discord_server.by_bot(asked.thread)
    assert "lit the lamp" in answer.content
    assert len(discord_server.gateway.closed_with) == 1


async def test_a_wrong_token_is_one_line_and_exit_1(discord_server: DiscordServer) -> None:
    async with serving(discord_server, "discord", DISCORD_TOKEN="of.somebody.else") as program:  # noqa: S106
        code, err = await ended(program)
    assert code == 1
    assert err.count("\n") == 1
    assert "DISCORD_TOKEN" in err
    assert "of.somebody.else" not in err


async def test_a_close_code_that_is_final_is_one_line_and_exit_1(discord_server: DiscordServer) -> None:
    discord_server.gateway.close_at_every_identify(4013)
    async with serving(discord_server, "discord", DISCORD_GATEWAY_URL=discord_server.gateway_url) as program:
        code, err = await ended(program)
    assert code == 1
    assert err.count("\n") == 1
    assert "4013" in err


@pytest.mark.parametrize("words", [["serve"], ["serve", "discord"]], ids=" ".join)
def test_without_a_token_it_says_so(words: list[str]) -> None:
    assert "DISCORD_TOKEN" in thusfar(*words).failed_in_one_line()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_GUILDS", "12, no number"),
        ("DISCORD_API_BASE", "ftp://somewhere"),
        ("DISCORD_GATEWAY_URL", "https://somewhere"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    line = thusfar("serve", "discord").failed_in_one_line()
    assert name in line
    assert value not in line
