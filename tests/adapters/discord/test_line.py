"""An answer that takes long is announced by one line, which becomes the answer or goes away."""

import pytest

from adapters.discord import surface
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.discord.using import labels
from tests.platform_servers.discord.faults import reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message

LINE = "I'm still looking. My answer will be here."


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surface, "LINE_AFTER_S", 0.05)


async def _line(server: DiscordServer, asked: Message) -> Message:
    return await server.wait_for(
        lambda: next((one for one in server.by_bot(asked.thread or asked.channel) if one.content == LINE), None)
    )


async def test_the_line_becomes_the_answer(discord_server: DiscordServer, club: Club, settling: Running) -> None:
    answers = ScriptedAnswers("The whole answer.", held=["Who?"])
    async with settling(answers):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        line = await _line(discord_server, asked)
        assert labels(line) == ["Stop"]
        answers.release("Who?")
        await discord_server.wait_for(lambda: line.content.startswith("The whole answer."))
        assert "Stop" not in labels(line)
        assert "Sources" in labels(line)
        assert discord_server.by_bot(line.channel) == [line]


async def test_a_long_answer_begins_in_the_line(discord_server: DiscordServer, club: Club, settling: Running) -> None:
    text = "\n\n".join(f"{number}. " + "word " * 150 for number in range(6))
    answers = ScriptedAnswers(text, held=["Who?"])
    async with settling(answers):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        line = await _line(discord_server, asked)
        answers.release("Who?")
        await discord_server.wait_for(lambda: "5. " in discord_server.by_bot(line.channel)[-1].content)
        parts = discord_server.by_bot(line.channel)
        assert parts[0] is line
        assert line.content.startswith("0. ")
        assert len(parts) > 1


async def test_a_line_that_somebody_deleted_is_no_loss(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=["Who?"])
    async with settling(answers):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        line = await _line(discord_server, asked)
        discord_server.delete(line)
        answers.release("Who?")
        await discord_server.wait_for(
            lambda: [one for one in discord_server.by_bot(line.channel) if one.content.startswith("The whole answer.")]
        )


async def test_an_answer_that_could_not_be_edited_in_is_tried_again(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers("The whole answer.", held=["Who?"])
    async with settling(answers):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        line = await _line(discord_server, asked)
        discord_server.fail_next("PATCH", "/channels/{channel}/messages/{message}", reset(accepted=True), times=1)
        answers.release("Who?")
        await discord_server.wait_for(lambda: line.content.startswith("The whole answer."))
    assert len(discord_server.by_bot(line.channel)) == 1


async def test_a_question_that_was_deleted_leaves_no_line(
    discord_server: DiscordServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    async with settling(answers):
        asked = discord_server.mention(thread, club.ada, "Who?")
        await _line(discord_server, asked)
        discord_server.delete(asked)
        discord_server.mention(club.channel, club.ada, "And then?")
        await answers.was_asked(2)  # so the deletion has come, too
        answers.release("Who?")
        await discord_server.wait_for(lambda: not discord_server.by_bot(thread))
