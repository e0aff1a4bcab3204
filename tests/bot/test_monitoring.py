"""`/healthz`, `/metrics` and logs as JSON of a bot that serves."""

import json
import re
import signal
from pathlib import Path

import aiohttp

from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


async def test_a_bot_that_serves_tells_how_it_is_and_nothing_that_was_said(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    settings = {"THUSFAR_METRICS_PORT": "0", "THUSFAR_LOG_FORMAT": "json", "THUSFAR_LOG_LEVEL": "info"}
    async with serving(discord_server, **settings) as program:
        await discord_server.identified()
        thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who lit the lamp, my secret?"))
        told = re.search(rb"are at 127\.0\.0\.1:(\d+)", program.stderr.readline())
        assert told is not None
        base = f"http://127.0.0.1:{told[1].decode()}"
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{base}/healthz") as healthy:
                assert (healthy.status, await healthy.text()) == (200, "ok\n")
            async with session.get(f"{base}/metrics") as response:
                metrics = await response.text()
        program.send_signal(signal.SIGTERM)
        code, err = await ended(program)
    assert code == 0
    assert 'thusfar_connected{platform="discord"} 1.0' in metrics
    assert 'thusfar_undone{state="received"}' in metrics
    assert f'thusfar_club_turns{{place="{club.channel.id}",scope="discord:{club.guild.id}"}}' in metrics
    assert "thusfar_last_event_seconds" in metrics
    assert "process_resident_memory_bytes" in metrics
    assert "secret" not in metrics + err
    lines = [line for line in err.splitlines() if not line.startswith(("Discord:", "/healthz"))]
    assert all({"at", "level", "logger", "message"} <= json.loads(line).keys() for line in lines)
    assert lines


async def test_a_bot_that_has_lost_its_platform_is_not_healthy(discord_server: DiscordServer, own_home: Path) -> None:
    with discord_server.rest_down():
        async with serving(discord_server, THUSFAR_METRICS_PORT="0") as program:
            told = re.search(rb"are at 127\.0\.0\.1:(\d+)", program.stderr.readline())
            assert told is not None
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"http://127.0.0.1:{told[1].decode()}/healthz") as ill,
            ):
                assert (ill.status, await ill.text()) == (503, "discord is not connected\n")
