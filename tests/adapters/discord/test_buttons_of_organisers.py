"""Buttons that remove and forget, and those that stay under an answer for everyone."""

from adapters.persistence.club_life_tables import AnswerFeedbackRow
from bot.wiring import Application
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import buttons, labels, titles_of
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message, Person


async def _private(server: DiscordServer, user: Person, club: Club, command: str, **given: str) -> Message:
    used = server.slash(command, given, user=user, channel=club.channel)
    return (await server.responded(used)).messages[0]


async def _press(server: DiscordServer, custom_id: str, message: Message, user: Person) -> Interaction:
    """Press a button whose answer is a private message."""
    pressed = server.press(custom_id, message=message, user=user)
    await server.wait_for(lambda: pressed.followups)
    return pressed


async def _look(server: DiscordServer, custom_id: str, message: Message, user: Person) -> Interaction:
    """Press a button that shows something, and changes nothing."""
    return await server.responded(server.press(custom_id, message=message, user=user))


async def test_a_book_is_removed_by_its_button_and_only_by_a_current_organiser(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        asked = await _private(discord_server, club.organiser, club, "book remove", title="The Lamp")
        assert await titles_of(house, club.channel) == ["The Lamp"]
        roles, club.guild.members[club.organiser.id].roles = (
            club.guild.members[club.organiser.id].roles,
            [club.guild.readers],
        )
        refused = await _press(discord_server, "tf1:.remove", asked, club.organiser)
        assert refused.followups[0].content == "This is for organisers of this club."
        assert await titles_of(house, club.channel) == ["The Lamp"]
        club.guild.members[club.organiser.id].roles = roles
        gone = await _press(discord_server, "tf1:.remove", asked, club.organiser)
        await discord_server.wait_for(lambda: not labels(asked))
    assert gone.followups[0].content == "The Lamp is gone."
    assert await titles_of(house, club.channel) == []


async def test_a_club_is_forgotten_after_its_button(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        settings = await _private(discord_server, club.organiser, club, "settings")
        asking = await _press(discord_server, "tf1:.ask-forget-club", settings, club.organiser)
        asked = asking.messages[-1]
        assert (asked.is_ephemeral, labels(asked)) == (True, ["Forget this club"])
        done = await _press(discord_server, "tf1:.forget-club", asked, club.organiser)
        where = discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.responded(where)
    assert done.followups[0].content == "I've forgotten this club. Its books are still here."
    assert "The Lamp" not in where.texts[0]
    assert club.channel.texts == []
    assert await titles_of(house, club.channel) == ["The Lamp"]


async def test_more_and_thumbs_stay_under_an_answer_and_are_answered_privately(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with running():
        opened = discord_server.slash("chat", {"question": "Who lit the lamp?"}, user=club.ada, channel=club.channel)
        await discord_server.responded(opened)
        thread = discord_server.by_bot(club.channel)[0].thread
        assert thread is not None
        answer = discord_server.by_bot(thread)[-1]
    async with running():
        around = await _look(discord_server, "tf1:.around", answer, club.ben)
        thumb = await _look(discord_server, "tf1:.down", answer, club.ben)
    assert labels(answer) == ["More here", "More passages", "👍", "👎", "Keep for later"]
    assert "lit the lamp" in around.texts[0]
    assert thumb.texts == ["Thank you, noted."]
    assert all(one.is_ephemeral for one in (*around.messages, *thumb.messages))
    turn_id, member = int(buttons(answer)[0]["custom_id"].split(":")[2].partition("|")[0]), f"discord:{club.ben.id}"
    given = await house.database.read(lambda session: session.get_one(AnswerFeedbackRow, (turn_id, member)).feedback)
    assert given == -1
