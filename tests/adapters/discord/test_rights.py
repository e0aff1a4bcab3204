"""Missing permissions, Discord's limits, edits of a question, and who may do what in a whole server."""

from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import add_book, ended, labels, titles_of
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

THREADS = "/channels/{channel}/messages/{message}/threads"


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
