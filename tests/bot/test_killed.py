"""`thusfar serve`, killed at the worst moment and started again: what was asked is answered, once."""

import signal
from pathlib import Path

from tests.bot import test_serve_slack
from tests.bot.program import Program
from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.platform_servers.discord import faults as discord_faults
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack import faults as slack_faults
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer

__all__ = ["discord_server", "slack_server"]

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
