"""Answers on Discord: where they are posted, in how many messages, whom they ping, and their footer and buttons."""

import pytest

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.faults import Fault, broken, refused, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer

MESSAGES = "/channels/{channel}/messages"


async def test_the_conversation_of_a_thread_belongs_to_the_club_of_its_channel(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    answers = ScriptedAnswers()
    async with running(answers):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        await answers.was_asked()
    (message,) = answers.asked
    assert (message.thread.scope, message.thread.place, message.thread.thread) == (
        f"discord:{club.guild.id}",
        str(club.channel.id),
        str(asked.id),
    )
    assert (message.author.member_id, message.author.display_name) == (f"discord:{club.ada.id}", "Ada")
    assert (message.text, message.ref) == ("Who?", f"discord:{club.channel.id}:{asked.id}")


async def test_an_answer_in_a_thread_is_a_reply_that_pings_the_asker_alone(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    loud = f"@everyone <@{club.ben.id}> <@&{club.guild.readers.id}> see https://example.org"
    thread = discord_server.create_thread(club.channel, club.ada, "Ours")
    async with running(ScriptedAnswers(loud)):
        asked = discord_server.mention(thread, club.ada, "Who?")
        answer = await discord_server.answer_to(asked)
    assert answer.pings == {club.ada.id}
    assert (answer.mentioned, answer.mentioned_roles, answer.mentions_everyone) == ([], [], False)
    assert not answer.unfurls


async def test_a_long_answer_is_cut_with_the_footer_and_the_buttons_in_its_last_part(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    long = "\n\n".join(f"Paragraph {number}. " + "The lamp was lit again. " * 20 for number in range(12))
    thread = discord_server.create_thread(club.channel, club.ada, "Ours")
    async with running(ScriptedAnswers(long)):
        asked = discord_server.mention(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: any(part.components for part in discord_server.by_bot(thread)))
    posted = discord_server.by_bot(thread)
    assert len(posted) > 2
    assert all(len(part.content) <= 2_000 for part in posted)
    assert [part.reply_to for part in posted] == [asked, *[None] * (len(posted) - 1)]
    assert [bool(part.components) for part in posted] == [*[False] * (len(posted) - 1), True]
    assert [part.content.endswith("(up to p. 2)") for part in posted] == [*[False] * (len(posted) - 1), True]
    assert len({part.nonce for part in posted}) == len(posted)
    assert all(part.nonce is not None and len(part.nonce) <= 25 for part in posted)
    assert "".join("".join(part.content for part in posted).split("\n-#")[0].split()) == "".join(long.split())


@pytest.mark.parametrize(
    "fault",
    [reset(accepted=True), reset(accepted=False), broken(503), refused(503)],
    ids=["reset, taken", "reset", "proxy", "503"],
)
async def test_a_failed_post_is_retried_and_appears_once(
    discord_server: DiscordServer, club: Club, running: Running, fault: Fault
) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Ours")
    async with running(ScriptedAnswers()):
        discord_server.fail_next("POST", MESSAGES, fault, times=2)
        asked = discord_server.mention(thread, club.ada, "Who?")
        await discord_server.wait_for(
            lambda: [call.status for call in discord_server.calls_of("POST", MESSAGES)][2:] == [200]
        )
    assert [one.content for one in discord_server.replies_to(asked)] == ["An answer.\n-# (up to p. 2)"]


async def test_typing_is_shown_until_the_answer_is_there_and_never_after(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Ours")
    answers = ScriptedAnswers(held=["Who?"])
    async with settling(answers):
        discord_server.mention(thread, club.ada, "Who?")
        await discord_server.wait_for(lambda: discord_server.platform.typing)
        answers.release("Who?")
        await discord_server.posted(thread)
    routes = [call.route for call in discord_server.calls if call.route.endswith(("/typing", "/messages"))]
    assert routes == ["/channels/{channel}/typing", MESSAGES]


@pytest.mark.parametrize("missing", [Right.CREATE_PUBLIC_THREADS, Right.SEND_MESSAGES_IN_THREADS])
async def test_without_the_right_to_open_threads_the_answer_is_posted_in_the_channel(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    missing: Right,
    caplog: pytest.LogCaptureFixture,
) -> None:
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~missing)
    answers = ScriptedAnswers()
    async with running(answers):
        for _ in range(2):
            asked = discord_server.mention(club.channel, club.ada, "Who?")
            answer = await discord_server.answer_to(asked)
            assert answer.channel is club.channel
    assert [message.thread.thread for message in answers.asked] == ["", ""]
    assert discord_server.rest.invalid_calls == 0
    told = [record.getMessage() for record in caplog.records if "Create Public Threads" in record.getMessage()]
    assert len(told) == 1


async def test_only_the_first_answer_in_a_thread_pings_its_asker(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    ours = discord_server.create_thread(club.channel, club.ada, "Ours")
    async with running(ScriptedAnswers()):
        pings = []
        for person in (club.ada, club.ben, club.ada):
            asked = discord_server.mention(ours, person, "Who?")
            pings.append((await discord_server.answer_to(asked)).pings)
        opened = discord_server.mention(club.channel, club.ada, "Who?")
        await discord_server.wait_for(lambda: opened.thread and discord_server.by_bot(opened.thread))
        assert opened.thread is not None
        more = discord_server.mention(opened.thread, club.ada, "And who?")
        pings.append((await discord_server.answer_to(more)).pings)
    assert pings == [{club.ada.id}, set(), set(), set()]
    assert more.author is club.ada
