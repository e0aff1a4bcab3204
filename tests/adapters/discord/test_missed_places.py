"""Where the bot looks for what it missed: in the archive, in voice channels, in DMs, and again where it could not."""

from dataclasses import replace

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.platforms import QUICK
from tests.platform_servers.discord.faults import broken
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import ChannelKind

_CHANNEL = "/channels/{channel}"
_HISTORY = f"{_CHANNEL}/messages"
_GIVES_UP = replace(QUICK, total=0.05, later=0.1)


async def test_a_thread_that_went_into_the_archive_meanwhile_is_read(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    gone = discord_server.create_thread(club.channel, discord_server.bot, "Gone")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await discord_server.answer_to(discord_server.say(gone, club.ada, "Gone?"))
    missed = discord_server.say(thread, club.ada, "Missed?")
    discord_server.archive(thread)
    discord_server.delete_thread(gone)
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(missed)
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Gone?", "Missed?"]


async def test_what_was_asked_in_the_text_of_a_voice_channel_is_read(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    voice = discord_server.add_channel(club.guild, "Lounge", kind=ChannelKind.VOICE)
    mention = discord_server.bot.mention
    answers = ScriptedAnswers("To {asked}")
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(discord_server.say(voice, club.ada, f"{mention} Before?"))
        await client.intake.settled()
    missed = discord_server.say(voice, club.ada, f"{mention} Missed?")
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(missed)


async def test_a_server_that_comes_later_than_the_others_is_read_too(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    late = discord_server.add_club("Late")
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    in_late = discord_server.create_thread(late.channel, discord_server.bot, "Theirs")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(in_late, late.ada, "Before?"))
    missed = discord_server.say(in_late, late.ada, "Missed?")
    discord_server.hold_back(late.guild)
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Live?"))
        discord_server.hand_over(late.guild)
        await discord_server.answer_to(missed)
        await client.intake.settled()
    assert sorted(one.text for one in answers.asked) == ["Before?", "Live?", "Missed?"]


async def test_a_dm_that_is_out_of_reach_is_looked_at_again(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    dm = discord_server.dm(club.ada)
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(dm, club.ada, "Before?"))
    missed = discord_server.say(dm, club.ada, "Missed?")
    discord_server.fail_next("GET", _CHANNEL, broken(503), times=5)
    async with running(services=answers.instead_of(services), retry=_GIVES_UP):
        await discord_server.answer_to(missed)
        discord_server.rest.plans.clear()


async def test_a_history_that_was_out_of_reach_is_read_when_it_is_back(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    missed = discord_server.say(thread, club.ada, "Missed?")
    discord_server.fail_next("GET", _HISTORY, broken(503), times=50)
    async with running(services=answers.instead_of(services), retry=_GIVES_UP):
        live = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(live)
        assert discord_server.replies_to(missed) == []
        discord_server.rest.plans.clear()
        await discord_server.answer_to(missed)


async def test_a_second_gap_loses_nothing_of_the_first(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    retry = replace(_GIVES_UP, later=60.0, hold=0.05)
    async with running(services=answers.instead_of(services), retry=retry) as client:
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
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Live?", "Missed?"]


async def test_no_place_is_too_many_to_be_read(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    mention = discord_server.bot.mention
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        discord_server.say(club.channel, club.ada, f"{mention} Before?")
        await answers.was_asked()
        await client.intake.settled()
    missed = discord_server.create_thread(club.channel, club.ben, "Ours")
    discord_server.say(missed, club.ada, f"{mention} Missed?")
    for number in range(301):
        discord_server.say(discord_server.create_thread(club.channel, club.ben, f"T {number}"), club.ben, "Idle talk.")
    async with running(services=answers.instead_of(services)) as client:
        await answers.was_asked(2)
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Missed?"]
