"""`thusfar serve --gateway` beside `thusfar work`, as programs: one that stops, and a database that goes."""

import asyncio
import re
import signal
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path

import aiohttp
import pytest

from tests.bot.program import Program
from tests.bot.running import environment
from tests.bot.test_monitoring import monitored_at
from tests.bot.test_serve import discord_server, ended, import_book
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.server import DiscordServer
from tests.postgres import unreachable
from tests.servers.openai_server import CHAT, OpenAIServer, answer
from tests.servers.scripted import HANG

__all__ = ["discord_server"]

_ONE = [("serve",)]
_TWO = [("serve", "--gateway"), ("work", "--lease", "4")]
_POST = "/channels/{channel}/messages"


@asynccontextmanager
async def _crew(server: DiscordServer, words: Sequence[Sequence[str]], **settings: str) -> AsyncIterator[list[Program]]:
    """Such processes, the one that listens first."""
    own = {"DISCORD_TOKEN": server.token, "DISCORD_API_BASE": server.api_base}
    with ExitStack() as running:
        yield [running.enter_context(Program(*one, env=environment(**own, **settings))) for one in words]


def _asks_once(model: OpenAIServer) -> dict[str, str]:
    """Settings with which a question takes one call of this model."""
    plain = {"THUSFAR_VERIFIER": "off", "THUSFAR_STRATEGY": "tool_use", "THUSFAR_SCOPE_JUDGE": "false"}
    return {"THUSFAR_PROVIDER": "openai", "OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "no-real-key"} | plain


async def test_a_worker_that_is_told_to_stop_posts_all_that_it_had_begun(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    threads = [discord_server.create_thread(club.channel, discord_server.bot, f"Thread {n}") for n in range(2)]
    async with _crew(discord_server, _TWO) as (_, worker):
        await discord_server.identified()
        posts = [discord_server.fail_next("POST", _POST, held()) for _ in threads]
        asked = [discord_server.say(thread, club.ada, "Who lit the lamp?") for thread in threads]
        await discord_server.wait_for(lambda: len(discord_server.calls_of("POST", _POST)) == len(threads))
        worker.send_signal(signal.SIGTERM)
        posts[0].release()
        await discord_server.wait_for(lambda: any(discord_server.replies_to(one) for one in asked))
        posts[1].release()
        code, err = await ended(worker)
    assert (code, err) == (0, "Working for Discord. Ctrl-C ends it.\n")
    assert [len(discord_server.replies_to(one)) for one in asked] == [1, 1]


async def _stand_still(process: Program, database: Path) -> None:
    """Stop a process outside of its writes: who stands still within one lets nobody else write to a file."""
    while True:
        process.send_signal(signal.SIGSTOP)
        with closing(sqlite3.connect(database, timeout=1, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                process.send_signal(signal.SIGCONT)
                await asyncio.sleep(0.05)
            else:
                connection.execute("ROLLBACK")
                return


async def test_a_worker_that_was_stopped_for_longer_than_its_lease_leaves_no_mark_on_what_another_answered(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with OpenAIServer() as model:
        model.will_answer(CHAT, HANG, answer("The keeper lit the lamp (p. 1)."))
        settings = _asks_once(model) | {"THUSFAR_TURN_SECONDS": "5"}
        worker = ("work", "--lease", "2")
        async with _crew(discord_server, [("serve", "--gateway"), worker], **settings) as (_, stopped):
            await discord_server.identified()
            asked = discord_server.say(thread, club.ada, "Who lit the lamp?")
            await model.arrived(1)
            await _stand_still(stopped, own_home / "thusfar.db")
            async with _crew(discord_server, [worker], **settings):
                await discord_server.wait_for(lambda: discord_server.replies_to(asked))
                stopped.send_signal(signal.SIGCONT)
                stopped.send_signal(signal.SIGTERM)
                await ended(stopped)
    (reply,) = discord_server.replies_to(asked)
    assert reply.content.startswith("The keeper lit the lamp")
    assert not asked.reactions


async def test_a_stop_reaches_the_worker_that_answers(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with OpenAIServer() as model:
        model.will_answer(CHAT, HANG, answer("The keeper lit the lamp (p. 1)."))
        async with _crew(discord_server, _TWO, **_asks_once(model)):
            await discord_server.identified()
            asked = discord_server.mention(thread, club.ada, "Who lit the lamp?")
            await model.arrived(1)
            discord_server.mention(thread, club.ben, "stop")
            stop = discord_server.mention(thread, club.ada, "stop")
            await discord_server.wait_for(
                lambda: any("Stopped." in one.content for one in discord_server.replies_to(stop))
            )
            await discord_server.wait_for(lambda: not asked.reactions)
            again = discord_server.mention(thread, club.ada, "Who lit the lamp?")
            await discord_server.wait_for(lambda: discord_server.replies_to(again))
            assert not discord_server.replies_to(asked)
    with closing(sqlite3.connect(own_home / "thusfar.db")) as connection:
        statuses = connection.execute("SELECT status FROM turn ORDER BY turn_id").fetchall()
    assert statuses == [("idle",), ("answered",)]


@pytest.mark.parametrize("crewed", [False, True], ids=["one process", "two"])
async def test_a_database_that_is_gone_for_a_while_loses_nothing(
    discord_server: DiscordServer,
    small_book: Path,
    own_home: Path,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
    crewed: bool,
) -> None:
    club = discord_server.add_club()
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    await import_book(own_home, small_book, club, database=postgres_url)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    words = _TWO if crewed else _ONE
    async with _crew(discord_server, words, DATABASE_URL=postgres_url) as (listens, *_):
        await discord_server.identified()
        asked = [discord_server.say(thread, club.ada, "Who lit the lamp?")]
        await discord_server.wait_for(lambda: discord_server.replies_to(asked[0]))
        with unreachable(postgres_url):
            asked += [discord_server.say(thread, club.ada, f"Who lit the lamp {n}?") for n in (2, 3)]
            await asyncio.to_thread(_has_said, listens, b"can't be stored now")
        asked.append(discord_server.say(thread, club.ada, "Who lit the lamp 4?"))
        await discord_server.wait_for(lambda: all(map(discord_server.replies_to, asked)))
    assert [one.reply_to for one in discord_server.by_bot(thread)] == asked


async def test_a_worker_tells_how_it_is_and_when_the_database_is_out_of_reach(
    discord_server: DiscordServer, small_book: Path, own_home: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = discord_server.add_club()
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    await import_book(own_home, small_book, club, database=postgres_url)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    settings = {"DATABASE_URL": postgres_url, "THUSFAR_METRICS_PORT": "0"}
    async with _crew(discord_server, _TWO, **settings) as (_, worker), aiohttp.ClientSession() as session:
        base = await asyncio.to_thread(monitored_at, worker)
        await discord_server.identified()
        post = discord_server.fail_next("POST", _POST, held())
        asked = discord_server.say(thread, club.ada, f"{discord_server.bot.mention} Who lit the lamp, my secret?")
        await discord_server.wait_for(lambda: discord_server.calls_of("POST", _POST), within=40)
        busy = await _got(session, f"{base}/metrics")
        post.release()
        await discord_server.wait_for(lambda: discord_server.replies_to(asked))
        well = await _got(session, f"{base}/healthz")
        with unreachable(postgres_url):
            ill = await _got(session, f"{base}/healthz")
            alone = await _got(session, f"{base}/metrics")
        well_again = await _got(session, f"{base}/healthz")
    assert well == well_again == (200, "ok\n")
    assert re.fullmatch(r"The database postgresql\S+ cannot be used \(.+\); fix it, .+\n", ill[1])
    assert (busy[0], ill[0], alone[0]) == (200, 503, 200)
    here = {'thusfar_connected{platform="discord"} 1.0', "thusfar_model_calls", "thusfar_books_memory_bytes{"}
    of_all = {"thusfar_undone{", "thusfar_oldest_undone_seconds{", "thusfar_club_turns{", "thusfar_club_cost_usd{"}
    for part in here | of_all | {'thusfar_under_way{platform="discord"} 1.0', "thusfar_database_connected 1.0"}:
        assert part in busy[1]
    for part in here | {"thusfar_last_event_seconds{", "thusfar_database_connected 0.0"}:
        assert part in alone[1]
    assert not any(part in alone[1] for part in of_all)
    assert "secret" not in busy[1] + ill[1] + alone[1]


async def _got(session: aiohttp.ClientSession, address: str) -> tuple[int, str]:
    async with session.get(address) as response:
        return response.status, await response.text()


def _has_said(program: Program, words: bytes) -> None:
    """Wait until the program's log has these words."""
    while words not in program.stderr.readline():
        pass
