"""`thusfar serve` started twice on one home: two would take up each other's unfinished messages and answer both."""

import signal
from pathlib import Path

from tests.bot.running import thusfar
from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.platform_servers.discord.faults import held
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


async def test_a_second_one_is_refused_and_a_question_under_way_is_answered_once(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    async with serving(discord_server, "discord") as first:
        await discord_server.wait_for(lambda: discord_server.gateway.sessions)
        slow = discord_server.fail_next("POST", "/channels/{channel}/messages", held())
        asked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who lit the lamp?")
        await discord_server.wait_for(lambda: discord_server.calls_of("POST", "/channels/{channel}/messages"))
        async with serving(discord_server) as second:
            code, err = await ended(second)
        assert (code, err.count("\n")) == (1, 1)
        assert "Discord" in err
        assert "THUSFAR_HOME" in err
        slow.release()
        first.send_signal(signal.SIGTERM)
        assert (await ended(first))[0] == 0
    assert asked.thread is not None
    assert len(discord_server.by_bot(asked.thread)) == 1


def test_what_serves_nothing_holds_nothing(own_home: Path) -> None:
    for _ in range(2):
        assert "DISCORD_TOKEN" in thusfar("serve", "discord").failed_in_one_line()
