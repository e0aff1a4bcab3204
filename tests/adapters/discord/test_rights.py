"""Missing permissions, Discord's limits, edits of a question, and who may do what in a whole server."""

import re

import pytest

from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import add_book, ended, labels, titles_of
from tests.platform_servers.discord.faults import refused
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Person

THREADS = "/channels/{channel}/messages/{message}/threads"


@pytest.mark.parametrize("is_known", [True, False], ids=["a right is missing", "Discord refuses"])
async def test_a_chat_that_cannot_be_opened_leaves_no_line(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, is_known: bool
) -> None:
    await read_book()
    if is_known:
        discord_server.deny(club.channel, Right.READ_MESSAGE_HISTORY)
    else:
        discord_server.fail_next("POST", THREADS, refused(400, 160_006, "Maximum number of active threads"))
    async with running():
        used = await discord_server.responded(discord_server.slash("chat", {}, user=club.ada, channel=club.channel))
    assert used.texts == ["I can't open a thread here. Mention me with your question instead."]
    assert club.channel.texts == []


async def test_a_limit_of_discord_is_not_reported_as_a_missing_right(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        discord_server.fail_next("POST", THREADS, refused(400, 160_006, "Maximum number of active threads"))
        asked = discord_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await discord_server.answer_to(asked)
        used = await discord_server.responded(
            discord_server.slash("help", {}, user=club.organiser, channel=club.channel)
        )
    assert len(used.texts) == 1


async def test_an_answer_that_may_not_be_posted_is_no_answer_and_organisers_hear_why(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    discord_server.deny(club.channel, Right.SEND_MESSAGES_IN_THREADS)
    async with running() as client:
        asked = discord_server.say(thread, club.ben, "Who lit the lamp?")
        await discord_server.wait_for(lambda: "⚠️" in asked.reactions)
        await client.intake.settled()
        used = await discord_server.responded(
            discord_server.slash("help", {}, user=club.organiser, channel=club.channel)
        )
        await discord_server.wait_for(lambda: len(used.texts) > 1)
    assert "✅" not in asked.reactions
    assert "I need Send Messages and Send Messages in Threads" in used.texts[1]


async def test_a_moderator_of_one_channel_cannot_remove_a_book_of_the_server(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    side = discord_server.add_channel(club.guild, "side")
    rights = Right.MANAGE_THREADS | Right.USE_APPLICATION_COMMANDS | Right.SEND_MESSAGES | Right.VIEW_CHANNEL
    async with running():
        used = await discord_server.responded(
            discord_server.slash("book remove", {"title": "The Lamp"}, user=club.ada, channel=side, permissions=rights)
        )
    assert "for organisers" in used.texts[0]
    assert await titles_of(house, club.channel) == ["The Lamp"]


async def test_the_titles_of_a_new_books_chapters_are_behind_a_private_button(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    data = "\f".join(f"CHAPTER {n}\n\nPage {n} of the tale of Marrable." for n in range(1, 9)).encode()
    async with running():
        used = add_book(discord_server, club, discord_server.upload("tale.txt", data))
        await ended(discord_server, used)
    assert labels(used.messages[-1]) == ["Read it here", "Show the titles (they may give the story away)"]
    assert used.messages[-1].is_ephemeral


async def test_spoiler_marks_in_a_question_do_not_hide_the_answer(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        used = await discord_server.responded(
            discord_server.slash("ask", {"question": "Who lit the lamp? ```"}, user=club.ada, channel=thread)
        )
        discord_server.press("tf1:.post", message=used.messages[-1], user=club.ada)
        (posted,) = await discord_server.posted(thread)
    assert "Who lit the lamp? \\`\\`\\`" in posted.content


async def test_a_waiting_question_that_is_edited_to_nothing_is_dropped(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers(held=["One?"])
    async with settling(answers):
        discord_server.say(thread, club.ada, "One?")
        await answers.was_asked()
        two, three = (discord_server.say(thread, club.ada, text) for text in ("Two?", "Three?"))
        await discord_server.wait_for(lambda: "⏳" in three.reactions)
        discord_server.edit(two, "")
        four = discord_server.say(thread, club.ada, "Four?")
        await discord_server.wait_for(lambda: "⏳" in four.reactions)
        answers.release("One?")
        await discord_server.answer_to(four)
    assert answers.answered == ["One?", "Three?", "Four?"]


async def test_the_threads_that_one_member_opens_by_mentions_are_limited(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    answers = ScriptedAnswers()
    async with running(answers) as client:
        asked = [discord_server.mention(club.channel, club.ada, f"Who lit the lamp {number}?") for number in range(25)]
        (in_place,) = await discord_server.posted(club.channel, 1)
        await client.intake.settled()
        await discord_server.wait_for(lambda: sum("⚠️" in one.reactions for one in asked) == 5)
    assert in_place.content == "That was a lot at once: give me a minute, then ask me again."
    assert len(discord_server.by_bot(club.channel)) == 1
    assert sum(one.thread is not None for one in asked) == 20


@pytest.mark.parametrize("roles", [frozenset(), frozenset({1})], ids=["by right", "by a role"])
async def test_help_lists_exactly_the_commands_that_a_member_or_an_organiser_can_see(
    discord_server: DiscordServer, club: Club, running: Running, roles: frozenset[int]
) -> None:
    async with running(organiser_roles=roles):
        for_ada, for_organiser = [await _helped(discord_server, club, one) for one in (club.ada, club.organiser)]
        known = discord_server.platform.commands[None]
    slash = {one["name"] for one in known if one.get("type", 1) == 1}
    hidden = {one["name"] for one in known if one.get("default_member_permissions") is not None}
    assert for_ada <= slash - hidden
    assert {"export", "setpage", *([] if roles else ["books"])} <= for_ada
    assert for_organiser | {"books"} == slash


async def _helped(server: DiscordServer, club: Club, person: Person) -> set[str]:
    """Return the first words of the commands in a person's help."""
    used = server.slash("help", {}, user=person, channel=club.channel)
    await server.responded(used)
    more = server.press("tf1:.help-more", message=used.messages[0], user=person)
    await server.wait_for(lambda: [one for one in more.messages if "show how to ask" in one.content])
    told = "\n".join(one.content for one in more.messages)
    return set(re.findall(r"^`/([a-z]+)", told, re.MULTILINE))
