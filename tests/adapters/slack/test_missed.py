"""Messages from while the bot was down are answered when it is back, as far as Slack returns them."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.connection import SlackConnection
from adapters.slack.options import SlackOptions
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import QUICK
from tests.adapters.slack.conftest import Running
from tests.patience import PATIENCE_S
from tests.platform_servers.slack.faults import broken, refused
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message


async def _been_there(server: SlackServer, club: Club, running: Running, services: PlatformServices) -> Message:
    """Let the bot answer once, and stop."""
    async with running(ScriptedAnswers()) as client:
        asked = server.mention(club.channel, club.ada, "Before?")
        await server.answer_to(asked)
        await client.settled()
    return asked


async def test_missed_messages_are_answered_in_every_kind_of_place(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    first = await _been_there(slack_server, club, running, services)
    slack_server.platform.events = frozenset()
    quiet = slack_server.add_channel("never used", club.ada)
    slack_server.mention(club.channel, club.ada, "In the channel?")
    slack_server.reply(first, club.ben, "In the thread?")
    slack_server.mention(quiet, club.ada, "Somewhere new?")
    slack_server.say(slack_server.dm(club.ben), club.ben, "Alone?")
    slack_server.say(club.channel, club.ben, "Idle talk.")
    away = slack_server.mention(club.channel, club.ben, "A thread of its own?")
    slack_server.reply(away, club.ada, "And in it?")
    after = ScriptedAnswers("To {asked}")
    for _ in range(2):
        async with running(after) as client:
            await client.settled()
    assert sorted(one.text for one in after.asked) == [
        "A thread of its own?", "Alone?", "And in it?", "In the channel?", "In the thread?", "Somewhere new?",
    ]  # fmt: skip


async def test_a_thread_that_began_long_ago_is_looked_at_too(
    slack_server: SlackServer, club: Club, running: Running, settling: Running
) -> None:
    past = datetime.now(UTC) - timedelta(days=3)
    root = slack_server.say(club.channel, club.ben, f"{slack_server.bot.mention} Long ago?", at=past)
    async with settling(ScriptedAnswers()):
        asked = slack_server.mention(club.channel, club.ada, "Now?", root.ts)
        await slack_server.answer_to(asked)
    slack_server.platform.events = frozenset()
    slack_server.mention(club.channel, club.ada, "Later?", root.ts)
    after = ScriptedAnswers()
    async with running(after) as client:
        await client.settled()
    assert after.texts == ["Later?"]


async def test_more_than_a_page_of_a_channel_and_of_a_thread_is_read(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    first = await _been_there(slack_server, club, running, services)
    slack_server.platform.events = frozenset()
    slack_server.mention(club.channel, club.ada, "Long before the rest?")
    for number in range(210):
        slack_server.say(club.channel, club.ben, f"Idle talk {number}.")
        slack_server.reply(first, club.ben, f"{club.ada.mention} Idle talk {number}.")
    slack_server.reply(first, club.ada, "After all that?")
    after = ScriptedAnswers()
    async with running(after) as client:
        await client.settled()
    assert after.texts == ["Long before the rest?", "After all that?"]


async def test_only_new_messages_of_a_channel_and_one_older_page_are_read(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    for number in range(250):
        slack_server.say(club.channel, club.ben, f"Idle talk {number}.")
    await _been_there(slack_server, club, running, services)
    async with running() as client:
        await client.settled()
    assert len(slack_server.calls_of("conversations.history")) == 1


async def test_all_threads_are_read_the_bots_own_first(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    first = await _been_there(slack_server, club, running, services)
    slack_server.platform.events = frozenset()
    away = slack_server.mention(club.channel, club.ada, "A thread of its own?")
    talk = [slack_server.say(club.channel, club.ben, f"Talk {number}.") for number in range(12)]
    for one in talk:
        slack_server.reply(one, club.ada, "Indeed.")
    slack_server.mention(club.channel, club.ada, "In the least lively one?", talk[0].ts)
    slack_server.reply(first, club.ben, "In the thread?")
    slack_server.reply(away, club.ben, "And in it?")
    for one in talk[1:]:
        slack_server.reply(one, club.ada, "Indeed.")
    after = ScriptedAnswers()
    async with running(after) as client:
        await client.settled()
    assert sorted(one.text for one in after.asked) == [
        "A thread of its own?", "And in it?", "In the least lively one?", "In the thread?",
    ]  # fmt: skip
    read = [str(call.arguments["ts"]) for call in slack_server.calls_of("conversations.replies")]
    assert len(read) == 14
    assert set(read[:2]) == {first.ts, away.ts}


async def test_a_thread_that_cannot_be_read_is_read_later_without_delaying_the_others(
    slack_server: SlackServer, club: Club, running: Running, settling: Running, services: PlatformServices
) -> None:
    first = await _been_there(slack_server, club, running, services)
    slack_server.platform.events = frozenset()
    missed = slack_server.reply(first, club.ada, "In the thread?")
    channel = slack_server.mention(club.channel, club.ada, "In the channel?")
    slack_server.fail_next("conversations.replies", broken(503), times=1_000)
    after = ScriptedAnswers("To {asked}")
    async with settling(after, retry=replace(QUICK, total=0.05, later=0.05)):
        await slack_server.answer_to(channel)
        slack_server.web_api.plans.clear()
        await slack_server.wait_for(lambda: len(slack_server.replies_to(missed)) == 1 or len(after.asked) == 2)
    assert after.texts == ["In the channel?", "In the thread?"]


async def test_messages_that_are_too_old_stay_unanswered(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    await _been_there(slack_server, club, running, services)
    past = datetime.now(UTC) - timedelta(hours=13)
    slack_server.say(club.channel, club.ada, f"{slack_server.bot.mention} Old?", at=past)
    after = ScriptedAnswers()
    async with running(after) as client:
        await client.settled()
    assert after.asked == []


@pytest.mark.parametrize("method", ["users.conversations", "conversations.history"])
async def test_only_a_channel_that_may_not_be_read_stays_missed(
    slack_server: SlackServer, club: Club, running: Running, settling: Running, services: PlatformServices, method: str
) -> None:
    await _been_there(slack_server, club, running, services)
    slack_server.fail_next(method, refused("missing_scope"))
    after = ScriptedAnswers()
    async with settling(after):
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Now?"))
    assert after.texts == ["Now?"]


@pytest.mark.parametrize("gap", [0.0, 3_600.0], ids=["long away", "away for a moment"])
async def test_messages_from_while_there_was_no_socket_are_fetched(
    slack_server: SlackServer, club: Club, services: PlatformServices, options: SlackOptions, gap: float
) -> None:
    answers = ScriptedAnswers()
    connection = SlackConnection(answers.instead_of(services), options, retry=QUICK, ping=0.05, gap=gap)
    task = asyncio.create_task(connection.attempt())
    await asyncio.wait_for(connection.ready(), PATIENCE_S)
    try:
        await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Before?"))
        slack_server.fail_next("apps.connections.open", broken(503), times=3)
        asked_for_a_socket = len(slack_server.calls_of("apps.connections.open"))
        slack_server.abort_sockets()
        await slack_server.wait_for(lambda: slack_server.calls_of("apps.connections.open")[asked_for_a_socket:])
        slack_server.platform.events = frozenset()
        missed = slack_server.mention(club.channel, club.ada, "Meanwhile?")
        await slack_server.answer_to(missed)
    finally:
        await connection.finish(within=5)
        await connection.close()
        await asyncio.wait([task])
    assert answers.texts == ["Before?", "Meanwhile?"]
