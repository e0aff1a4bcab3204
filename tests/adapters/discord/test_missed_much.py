"""Much was said while the bot was away, or some of it cannot be read: what was asked is answered all the same."""

from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.domain.inbound import InboundEvent
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.platforms import QUICK
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.faults import broken
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer

HISTORY = "/channels/{channel}/messages"


async def test_a_question_behind_much_talk_that_the_bot_was_there_for_is_found(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers()
    mention = discord_server.bot.mention
    async with running(services=answers.instead_of(services)) as client:
        first = discord_server.say(club.channel, club.ada, f"{mention} First?")
        await discord_server.posted(await discord_server.wait_for(lambda: first.thread))
        for number in range(150):
            discord_server.say(club.channel, club.ben, f"idle {number}")
        other = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
        await discord_server.answer_to(discord_server.say(other, club.ada, "Live?"))
        await client.intake.settled()
    discord_server.say(club.channel, club.ben, f"{mention} Missed?")
    before = len(discord_server.calls_of("GET", HISTORY))
    async with running(services=answers.instead_of(services)) as client:
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["First?", "Live?", "Missed?"]
    # What the bot was there for is not read again.
    assert len(discord_server.calls_of("GET", HISTORY)) == before + 1


async def test_what_was_missed_is_read_page_by_page_to_its_end(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Human talk")
    mention = discord_server.bot.mention
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)):
        await discord_server.answer_to(discord_server.say(thread, club.ada, f"{mention} Before?"))
    for number in range(350):
        discord_server.say(thread, club.ben, f"idle {number}")
    discord_server.say(thread, club.ben, f"{mention} Missed?")
    async with running(services=answers.instead_of(services)) as client:
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Missed?"]


async def test_a_question_from_before_a_crash_is_answered_without_the_right_to_look_at_it_again(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    discord_server.deny(club.channel, Right.READ_MESSAGE_HISTORY)
    before = ScriptedAnswers(held=["Who?"])
    async with running(services=before.instead_of(services)) as client:
        discord_server.say(thread, club.ada, "Who?")
        await before.was_asked()
        await client.finish(within=0)
        await client.close()
    after = ScriptedAnswers()
    async with running(services=after.instead_of(services)) as client:
        await discord_server.posted(thread)
        await client.intake.settled()
    assert [one.text for one in after.asked] == ["Who?"]


async def test_a_row_that_cannot_be_read_keeps_nothing_else_from_being_taken_up(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services)) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await client.intake.settled()
    odd = InboundEvent(platform="discord", place="1", message_id="2", payload={"odd": 1})
    await services.inbox.take_in(odd)
    discord_server.say(thread, club.ada, "Missed?")
    async with running(services=answers.instead_of(services)) as client:
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "Missed?"]
    assert await services.inbox.unfinished("discord") == []


async def test_what_a_later_version_kept_of_a_message_is_read_without_what_is_not_known(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    before = ScriptedAnswers(held=["Who?"])
    async with running(services=before.instead_of(services)) as client:
        discord_server.say(thread, club.ada, "Who?")
        await before.was_asked()
        await client.finish(within=0)
        await client.close()
    (event,) = await services.inbox.unfinished("discord")
    await services.inbox.finish(event)
    asked = discord_server.say(thread, club.ada, "Who again?")
    payload = {**event.payload, "message_id": asked.id, "text": "Who again?", "of_a_later_version": True}
    later = InboundEvent(platform="discord", place=event.place, message_id=str(asked.id), payload=payload)
    await services.inbox.take_in(later)
    after = ScriptedAnswers()
    async with running(services=after.instead_of(services)):
        await discord_server.answer_to(asked)
    assert [one.text for one in after.asked] == ["Who again?"]


async def test_a_channel_whose_history_cannot_be_read_holds_up_no_live_answer(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    answers = ScriptedAnswers()
    # The history is tried for longer than what is heard is held back.
    retry = replace(QUICK, total=10 * PATIENCE_S, hold=0.1)
    async with running(services=answers.instead_of(services), retry=retry) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        await client.intake.settled()
        discord_server.fail_next("GET", HISTORY, broken(503), times=10_000)
        discord_server.gateway.invalidate(resumable=False)
        discord_server.say(thread, club.ada, "Missed?")
        await discord_server.identified(2)
        live = discord_server.say(thread, club.ada, "Live?")
        await discord_server.answer_to(live)
        discord_server.rest.plans.clear()
