"""`/healthz`, `/metrics` and logs as JSON of a bot that serves."""

import asyncio
import json
import re
import signal
from pathlib import Path

import aiohttp
import pytest

from adapters.persistence.overview import ClubLine
from bot.counting import ModelCalls
from bot.monitoring import of_clubs
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import PromptMessage
from tests.bot.program import Program
from tests.bot.running import environment
from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.builders import says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


def monitored_at(program: Program) -> str:
    """Wait until it tells where its health is told, and return that address."""
    told = re.search(rb"are at (127\.0\.0\.1:\d+)", program.stderr.readline())
    assert told is not None
    return f"http://{told[1].decode()}"


async def test_a_bot_that_serves_tells_how_it_is_and_nothing_that_was_said(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    settings = {"THUSFAR_METRICS_PORT": "0", "THUSFAR_LOG_FORMAT": "json", "THUSFAR_LOG_LEVEL": "info"}
    async with serving(discord_server, **settings) as program:
        await discord_server.identified()
        thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
        await discord_server.answer_to(
            discord_server.say(thread, club.ada, f"{discord_server.bot.mention} Who lit the lamp, my secret?")
        )
        base = monitored_at(program)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{base}/healthz") as healthy:
                assert (healthy.status, await healthy.text()) == (200, "ok\n")
            async with session.get(f"{base}/metrics") as response:
                metrics = await response.text()
        program.send_signal(signal.SIGTERM)
        code, err = await ended(program)
    assert code == 0
    assert 'thusfar_connected{platform="discord"} 1.0' in metrics
    assert 'thusfar_under_way{platform="discord"}' in metrics
    assert "thusfar_database_connected 1.0" in metrics
    assert 'thusfar_undone{state="received"}' in metrics
    assert f'thusfar_club_turns{{place="{club.channel.id}",scope="discord:{club.guild.id}"}}' in metrics
    assert "thusfar_last_event_seconds" in metrics
    assert "process_resident_memory_bytes" in metrics
    assert 'thusfar_oldest_undone_seconds{state="begun"}' in metrics
    assert re.search(r'thusfar_books_memory_bytes\{kind="words"\} [1-9]', metrics)
    assert "secret" not in metrics + err
    lines = [line for line in err.splitlines() if not line.startswith(("Discord:", "/healthz"))]
    assert all({"at", "level", "logger", "message"} <= json.loads(line).keys() for line in lines)
    assert lines


def test_direct_messages_are_counted_together_since_their_scopes_name_members() -> None:
    clubs = [
        _club("discord:1", "7", tokens=1),
        _club("discord:dm:123", "", tokens=2),
        _club("slack:dm:T1:U1", "", tokens=3),
    ]
    clubs.append(_club("discord:dm:456", "", tokens=4))
    (tokens,) = [sample for sample in of_clubs(clubs) if sample.name == "club_tokens"]
    assert dict(tokens.values) == {("discord:1", "7"): 1.0, ("discord:dm", ""): 6.0, ("slack:dm", ""): 3.0}


async def test_calls_of_models_are_counted_by_what_came_of_them() -> None:
    calls = ModelCalls()
    asked = calls.of(ScriptedChatProvider(says("Hello."), LLMError(LLMErrorCode.OVERLOADED, "busy")))
    assert asked is not None
    await asked.chat([PromptMessage(role="user", content="Hi")])
    with pytest.raises(LLMError):
        await asked.chat_with_tools([PromptMessage(role="user", content="Hi")], [])
    by = {outcome: number for (_, _, outcome), number in calls.counted.items()}
    assert by == {"answered": 1, "overloaded": 1}
    assert calls.of(None) is None


def _club(scope: str, place: str = "", *, tokens: int) -> ClubLine:
    return ClubLine(
        scope=scope,
        place=place,
        title=None,
        page=None,
        threads=0,
        turns=1,
        tokens=tokens,
        cost_micro_usd=0,
        last_used_at=None,
    )


async def test_a_bot_that_has_lost_its_platform_is_not_healthy(discord_server: DiscordServer, own_home: Path) -> None:
    with discord_server.rest_down():
        async with serving(discord_server, THUSFAR_METRICS_PORT="0") as program:
            async with aiohttp.ClientSession() as session, session.get(f"{monitored_at(program)}/healthz") as ill:
                assert (ill.status, await ill.text()) == (503, "discord is not connected\n")


async def test_the_page_in_the_browser_tells_how_it_is_too(own_home: Path) -> None:
    env = environment(THUSFAR_METRICS_PORT="0", THUSFAR_HOME=str(own_home))
    with Program("web", "--no-open", "--port", "0", env=env) as program:
        base = await asyncio.to_thread(monitored_at, program)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{base}/healthz") as healthy:
                assert (healthy.status, await healthy.text()) == (200, "ok\n")
            async with session.get(f"{base}/metrics") as response:
                metrics = await response.text()
        program.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(program.wait) == 0
    assert "thusfar_database_connected 1.0" in metrics
    assert "thusfar_connected{" not in metrics
