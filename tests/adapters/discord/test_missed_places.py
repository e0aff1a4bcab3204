"""Where the bot looks for missed messages: archived threads, voice channels, DMs, and places that failed before."""

from dataclasses import replace

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.platforms import QUICK
from tests.platform_servers.discord.faults import broken
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

_CHANNEL = "/channels/{channel}"
_HISTORY = f"{_CHANNEL}/messages"
_GIVES_UP = replace(QUICK, total=0.05, later=0.1)


async def test_a_thread_archived_during_the_gap_is_read(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, settling: Running
) -> None:
    gone = discord_server.create_thread(club.channel, discord_server.bot, "Gone")
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await discord_server.answer_to(discord_server.say(gone, club.ada, "Gone?"))
    missed = discord_server.say(thread, club.ada, "Missed?")
    discord_server.archive(thread)
    discord_server.delete_thread(gone)
    async with settling(answers):
        await discord_server.answer_to(missed)
    assert answers.texts == ["Before?", "Gone?", "Missed?"]


async def test_a_server_that_becomes_available_late_is_read_too(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, settling: Running
) -> None:
    late = discord_server.add_club("Late")
    in_late = discord_server.create_thread(late.channel, discord_server.bot, "Theirs")
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(in_late, late.ada, "Before?"))
    missed = discord_server.say(in_late, late.ada, "Missed?")
    discord_server.hold_back(late.guild)
    async with settling(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Live?"))
        discord_server.hand_over(late.guild)
        await discord_server.answer_to(missed)
    assert sorted(one.text for one in answers.asked) == ["Before?", "Live?", "Missed?"]


async def test_a_history_that_could_not_be_read_is_read_later(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running
) -> None:
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    missed = discord_server.say(thread, club.ada, "Missed?")
    discord_server.fail_next("GET", _HISTORY, broken(503), times=50)
    async with running(answers, retry=_GIVES_UP):
        live = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(live)
        assert discord_server.replies_to(missed) == []
        discord_server.rest.plans.clear()
        await discord_server.answer_to(missed)


async def test_a_second_gap_loses_nothing_of_the_first(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers()
    retry = replace(_GIVES_UP, later=60.0, hold=0.05)
    async with settling(answers, retry=retry) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await client.intake.settled()
        discord_server.fail_next("GET", _HISTORY, broken(503), times=1_000)
        discord_server.gateway.invalidate(resumable=False)
        missed = discord_server.say(thread, club.ada, "Missed?")
        await discord_server.identified(2)
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Live?"))
        discord_server.rest.plans.clear()
        discord_server.gateway.invalidate(resumable=False)
        await discord_server.answer_to(missed)
    assert answers.texts == ["Before?", "Live?", "Missed?"]


async def test_any_number_of_places_is_read(discord_server: DiscordServer, club: Club, settling: Running) -> None:
    mention = discord_server.bot.mention
    answers = ScriptedAnswers()
    async with settling(answers):
        discord_server.say(club.channel, club.ada, f"{mention} Before?")
        await answers.was_asked()
    missed = discord_server.create_thread(club.channel, club.ben, "Ours")
    discord_server.say(missed, club.ada, f"{mention} Missed?")
    for number in range(120):
        discord_server.say(discord_server.create_thread(club.channel, club.ben, f"T {number}"), club.ben, "Idle talk.")
    async with settling(answers):
        await answers.was_asked(2)
    assert answers.texts == ["Before?", "Missed?"]
