"""Talk between members in a thread of the bot's, and threads that keep their own page."""

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel


async def test_a_reply_to_another_member_is_not_for_the_bot(
    discord_server: DiscordServer, club: Club, thread: Channel, settling: Running
) -> None:
    answers = ScriptedAnswers()
    async with settling(answers):
        asked = discord_server.say(thread, club.ada, f"{club.ben.mention} did you like it?")
        discord_server.say(thread, club.ben, "Yes, very much!", reply_to=asked)
        own = discord_server.say(thread, club.ben, "Who lit the lamp?")
        await discord_server.answer_to(own)
        await discord_server.answer_to(discord_server.say(thread, club.ben, "And who saw it?", reply_to=own))
    assert answers.texts == ["Who lit the lamp?", "And who saw it?"]


async def test_threads_that_keep_their_own_page_are_linked(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, read_book: ReadBook
) -> None:
    await read_book(page="2")
    async with running():
        discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=thread)
        await discord_server.posted(thread)
        discord_server.slash("setpage", {"to": "0"}, user=club.ada, channel=club.channel)
        (line,) = await discord_server.posted(club.channel)
    assert line.content.endswith(f"1 thread keeps its own page. <#{thread.id}>")
