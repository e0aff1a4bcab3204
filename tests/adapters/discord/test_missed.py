"""What was said while the bot was away is fetched and answered, once; what was answered before is left alone."""

from datetime import UTC, datetime, timedelta

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.faults import broken, refused
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

HISTORY = "/channels/{channel}/messages"


async def test_what_was_missed_is_answered_oldest_first(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    asked = [discord_server.say(thread, club.ada, f"Missed {number}?") for number in range(5)]
    idle = discord_server.say(club.channel, club.ada, "Nothing for the bot")
    mention = discord_server.say(club.channel, club.ben, f"{discord_server.bot.mention} In the channel?")
    direct = discord_server.dm(club.ada)
    async with running(services=answers.instead_of(services)) as client:
        late = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(late)
        await discord_server.wait_for(lambda: mention.thread and discord_server.by_bot(mention.thread))
        await client.intake.settled()
    in_thread = [one.text for one in answers.asked if one.thread.thread == str(thread.id)]
    assert in_thread == ["Before?", *(f"Missed {number}?" for number in range(5)), "Live?"]
    assert all(len(discord_server.replies_to(one)) == 1 for one in (*asked, late))
    assert discord_server.replies_to(idle) == []
    assert discord_server.by_bot(direct) == []


async def test_a_dm_and_a_thread_that_began_meanwhile_are_not_forgotten(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    dm = discord_server.dm(club.ada)
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(dm, club.ada, "Before?"))
    missed = discord_server.say(dm, club.ada, "Missed?")
    thread = discord_server.create_thread(club.channel, club.ben, "New")
    in_thread = discord_server.say(thread, club.ben, f"{discord_server.bot.mention} Here?")
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(missed)
        await discord_server.answer_to(in_thread)


async def test_a_bot_that_is_new_does_not_dig_in_what_was_said_before_it_came(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Are you there?")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        await client.intake.settled()
    assert answers.asked == []
    assert discord_server.calls_of("GET", HISTORY) == []


async def test_what_is_older_than_allowed_is_left(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    now = datetime.now(UTC)
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        old = discord_server.say(thread, club.ada, "Before?", at=now - timedelta(hours=9))
        await discord_server.answer_to(old)
    await services.inbox.note_watermark("discord", str(old.id))
    discord_server.say(thread, club.ada, "Too old?", at=now - timedelta(hours=7))
    recent = discord_server.say(thread, club.ada, "Recent?", at=now - timedelta(hours=5))
    async with running(services=answers.instead_of(services), missed_hours=6):
        await discord_server.answer_to(recent)
    assert [one.text for one in answers.asked] == ["Before?", "Recent?"]


async def test_a_history_that_cannot_be_read_holds_up_nothing(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    discord_server.say(thread, club.ada, "Missed?")
    discord_server.fail_next("GET", HISTORY, refused(403, 50001, "Missing Access"))
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Live?"))


async def test_a_gap_between_two_sessions_of_one_process_is_closed_too(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        discord_server.gateway.invalidate(resumable=False)
        missed = discord_server.say(thread, club.ada, "Missed?")
        await discord_server.identified(2)
        discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(missed)
        await discord_server.posted(thread, 3)
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Missed?", "Live?"]


async def test_a_broken_history_is_asked_for_again(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    missed = discord_server.say(thread, club.ada, "Missed?")
    discord_server.fail_next("GET", HISTORY, broken(503), times=2)
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(missed)


async def test_a_session_that_goes_on_is_not_trusted_to_have_told_everything(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
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
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Missed?"]


async def test_its_own_messages_are_known_by_their_author(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    discord_server.bot.is_bot = False  # as a server of another make may tell it
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Who?"))
        await discord_server.answer_to(discord_server.say(thread, club.ada, "And who?"))
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Who?", "And who?"]


def _to_nobody(*_: object, **__: object) -> None:
    """Nobody is told."""
