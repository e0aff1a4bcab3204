"""Messages from while the bot was offline are fetched and answered once; answered ones are left alone."""

from datetime import UTC, datetime, timedelta

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel


async def test_missed_messages_are_answered_oldest_first(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    asked = [discord_server.say(thread, club.ada, f"Missed {number}?") for number in range(5)]
    idle = discord_server.say(club.channel, club.ada, "Nothing for the bot")
    mention = discord_server.mention(club.channel, club.ben, "In the channel?")
    direct = discord_server.dm(club.ada)
    async with settling(answers):
        late = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(late)
        await discord_server.wait_for(lambda: mention.thread and discord_server.by_bot(mention.thread))
    in_thread = [one.text for one in answers.asked if one.thread.thread == str(thread.id)]
    assert in_thread == ["Before?", *(f"Missed {number}?" for number in range(5)), "Live?"]
    assert all(len(discord_server.replies_to(one)) == 1 for one in (*asked, late))
    assert discord_server.replies_to(idle) == []
    assert discord_server.by_bot(direct) == []


async def test_a_dm_and_a_thread_that_began_during_the_gap_are_included(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    dm = discord_server.dm(club.ada)
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(dm, club.ada, "Before?"))
    missed = discord_server.say(dm, club.ada, "Missed?")
    thread = discord_server.create_thread(club.channel, club.ben, "New")
    in_thread = discord_server.mention(thread, club.ben, "Here?")
    async with running(answers):
        await discord_server.answer_to(missed)
        await discord_server.answer_to(in_thread)


async def test_messages_older_than_the_limit_are_ignored(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, services: PlatformServices
) -> None:
    now = datetime.now(UTC)
    answers = ScriptedAnswers()
    async with running(answers):
        old = discord_server.say(thread, club.ada, "Before?", at=now - timedelta(hours=9))
        await discord_server.answer_to(old)
    await services.inbox.note_watermark("discord", str(old.id))
    discord_server.say(thread, club.ada, "Too old?", at=now - timedelta(hours=7))
    recent = discord_server.say(thread, club.ada, "Recent?", at=now - timedelta(hours=5))
    async with running(answers, missed_hours=6):
        await discord_server.answer_to(recent)
    assert answers.texts == ["Before?", "Recent?"]


async def test_a_gap_between_two_sessions_of_one_process_is_closed_too(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        discord_server.gateway.invalidate(resumable=False)
        missed = discord_server.say(thread, club.ada, "Missed?")
        await discord_server.identified(2)
        discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(missed)
        await discord_server.posted(thread, 3)
    assert answers.texts == ["Before?", "Missed?", "Live?"]


async def test_a_resumed_session_is_checked_for_missed_messages_too(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        before = discord_server.say(thread, club.ada, "Before?")
        await discord_server.answer_to(before)
        published, discord_server.platform.gateway.publish = (  # type: ignore[method-assign]
            discord_server.platform.gateway.publish,
            _to_nobody,
        )
        missed = discord_server.say(thread, club.ada, "Missed?")
        discord_server.platform.gateway.publish = published  # type: ignore[method-assign]
        discord_server.gateway.abort()
        await discord_server.wait_for(lambda: discord_server.gateway.resumes)
        await discord_server.answer_to(missed)
    assert answers.texts == ["Before?", "Missed?"]


def _to_nobody(*_: object, **__: object) -> None:
    """Publish nothing."""
