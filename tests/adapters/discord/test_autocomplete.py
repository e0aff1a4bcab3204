"""Autocomplete: only titles of this server, and chapter titles only once the chapter has begun."""

import pytest

from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

CHAPTERED = "\f".join(
    f"CHAPTER {number}. {title}\n\nSomething is told on page {page} of this chapter, and it takes a while to tell."
    if page % 2
    else f"And more of it is told on page {page}, until the chapter is over and done."
    for page, (number, title) in enumerate(
        [(n, t) for n, t in (("I", "The Calm"), ("II", "The Storm"), ("III", "The Funeral")) for _ in range(2)], start=1
    )
)


async def _offered(
    server: DiscordServer, club: Club, command: str, typed: str, *, organiser: bool = False
) -> list[str]:
    option = "title" if command.startswith("book") else "to"
    user = club.organiser if organiser else club.ada
    asked = server.autocomplete(command, {option: typed}, focused=option, user=user, channel=club.channel)
    await server.responded(asked)
    return [f"{one['name']} = {one['value']}" for one in asked.choices or []]


@pytest.mark.parametrize(
    ("page", "typed", "offered"),
    [
        (
            "3",
            "",
            [
                "CHAPTER II. The Storm: done = ch 2 done",
                "Chapter 3: done = ch 3 done",
                "CHAPTER I. The Calm: done, p. 2 = ch 1 done",
            ],
        ),
        (
            "2",
            "",
            [
                "Chapter 2: done = ch 2 done",
                "Chapter 3: done = ch 3 done",
                "CHAPTER I. The Calm: done, p. 2 = ch 1 done",
            ],
        ),
        (
            None,
            "",
            [
                "Chapter 1: done = ch 1 done",
                "Chapter 2: done = ch 2 done",
                "Chapter 3: done = ch 3 done",
            ],
        ),
        ("3", "ch 3", ["Chapter 3 begun: p. 4 = ch 3", "Chapter 3: done = ch 3 done"]),
        ("3", "storm", ["CHAPTER II. The Storm: done = ch 2 done"]),
        ("3", "funeral", []),
        ("6", "funeral", ["CHAPTER III. The Funeral: done, p. 6 = ch 3 done"]),
    ],
)
async def test_a_chapter_is_offered_by_its_title_once_it_has_begun(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    *,
    page: str | None,
    typed: str,
    offered: list[str],
) -> None:
    await read_book(page=page, text=CHAPTERED)
    async with running():
        assert await _offered(discord_server, club, "setpage", typed) == offered


async def test_an_offered_choice_is_understood(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(page=None, text=CHAPTERED)
    async with running():
        (_, second, _) = await _offered(discord_server, club, "setpage", "")
        discord_server.slash("setpage", {"to": second.split(" = ")[1]}, user=club.ada, channel=club.channel)
        (line,) = await discord_server.posted(club.channel)
    assert line.content == "Ada set the club's page to p. 4 (66 %)."


async def test_a_member_sees_the_titles_up_to_their_own_page(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(page="1", text=CHAPTERED)
    async with running():
        ahead = discord_server.slash("mypage", {"to": "6"}, user=club.ada, channel=club.channel)
        await discord_server.responded(ahead)
        assert await _offered(discord_server, club, "mypage", "funeral") == [
            "CHAPTER III. The Funeral: done, p. 6 = ch 3 done"
        ]
        assert await _offered(discord_server, club, "setpage", "funeral") == []
        assert await _offered(discord_server, club, "mypage", "funeral", organiser=True) == []


async def test_titles_are_those_of_this_server(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    other = discord_server.add_club("Other")
    lamp = await read_book()
    await read_book(other.channel, title="The Other Lamp", text=CHAPTERED)
    async with running():
        for command in ("book use", "book remove"):
            found = await _offered(discord_server, club, command, "lamp", organiser=True)
            assert found == [f"The Lamp, 4 pages = {lamp.book_id}"]
            assert await _offered(discord_server, club, command, "nothing such", organiser=True) == []
        discord_server.slash("book use", {"title": lamp.book_id}, user=club.organiser, channel=club.channel)
        await discord_server.posted(club.channel)
    assert club.channel.texts == ["Olga opened The Lamp by N. N., 4 pages."]


async def test_many_and_long_titles_fit_discords_limits(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    for number in range(30):
        await read_book(
            club.channel, title=f"{number:02} " + "Long " * 30, text=f"Page one of book {number}.", page=None
        )
    async with running():
        found = await _offered(discord_server, club, "book use", "", organiser=True)
    assert len(found) == 25
    assert all(len(one.split(" = ")[0]) == 100 for one in found)
