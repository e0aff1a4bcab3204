"""Spoilers that a member hid in a private question stay hidden when the answer is shown to everyone."""

import pytest

from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Who lit the lamp, ||*Marrable*||?", r"Who lit the lamp, ||\*Marrable\*||?"),
        ("Who lit || the lamp?", r"Who lit \|\| the lamp?"),
    ],
)
async def test_paired_spoiler_marks_are_kept_and_a_lone_mark_hides_nothing_of_the_answer(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, question: str, shown: str
) -> None:
    await read_book()
    async with running():
        asked = discord_server.slash("ask", {"question": question}, user=club.ada, channel=club.channel)
        await discord_server.responded(asked)
        discord_server.press("tf1:.post", message=asked.messages[-1], user=club.ada)
        (posted,) = await discord_server.posted(club.channel)
    first, *_ = posted.content.split("\n")
    assert first == f"**Ada asked:** {shown}"
