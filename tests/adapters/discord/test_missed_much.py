"""Many missed messages, or unreadable ones: the questions among them are still answered."""

from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.domain.inbound import InboundEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.faults import broken
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

HISTORY = "/channels/{channel}/messages"


async def test_a_missed_question_behind_many_live_messages_is_found(
    discord_server: DiscordServer, club: Club, running: Running, settling: Running
) -> None:
    answers = ScriptedAnswers()
    mention = discord_server.bot.mention
    async with settling(answers):
        first = discord_server.say(club.channel, club.ada, f"{mention} First?")
        await discord_server.posted(await discord_server.wait_for(lambda: first.thread))
        for number in range(150):
            discord_server.say(club.channel, club.ben, f"idle {number}")
        other = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
        await discord_server.answer_to(discord_server.say(other, club.ada, "Live?"))
    discord_server.say(club.channel, club.ben, f"{mention} Missed?")
    before = len(discord_server.calls_of("GET", HISTORY))
    async with running(answers) as client:
        await client.intake.settled()
    assert answers.texts == ["First?", "Live?", "Missed?"]
    # Messages that the bot received live are not fetched again.
    assert len(discord_server.calls_of("GET", HISTORY)) == before + 1


async def test_missed_messages_are_read_page_by_page_to_the_end(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Human talk")
    mention = discord_server.bot.mention
    answers = ScriptedAnswers()
    async with running(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, f"{mention} Before?"))
    for number in range(210):
        discord_server.say(thread, club.ben, f"idle {number}")
    discord_server.say(thread, club.ben, f"{mention} Missed?")
    async with running(answers) as client:
        await client.intake.settled()
    assert answers.texts == ["Before?", "Missed?"]


async def test_an_unreadable_row_does_not_block_the_others(
    discord_server: DiscordServer,
    club: Club,
    thread: Channel,
    running: Running,
    settling: Running,
    services: PlatformServices,
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
    odd = InboundEvent(platform="discord", place="1", message_id="2", payload={"odd": 1})
    await services.inbox.take_in(odd)
    discord_server.say(thread, club.ada, "Missed?")
    async with running(answers) as client:
        await client.intake.settled()
    assert answers.texts == ["Before?", "Missed?"]
    assert await services.inbox.unfinished("discord") == []


async def test_a_channel_with_unreadable_history_delays_no_live_answer(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running
) -> None:
    answers = ScriptedAnswers()
    # Fetching the history is retried for longer than live messages are held back.
    retry = replace(QUICK, total=10 * PATIENCE_S, hold=0.1)
    async with running(answers, retry=retry) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await client.intake.settled()
        discord_server.fail_next("GET", HISTORY, broken(503), times=10_000)
        discord_server.gateway.invalidate(resumable=False)
        discord_server.say(thread, club.ada, "Missed?")
        await discord_server.identified(2)
        live = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(live)
        discord_server.rest.plans.clear()
