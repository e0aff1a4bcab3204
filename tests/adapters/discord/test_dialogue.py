"""The dialogue of the README, with the sample novel, played through Discord."""

import pytest

from bot.home import sample_book
from bot.settings import Settings
from bot.wiring import Application
from core.domain.messages import NOT_MET
from tests.adapters.discord.conftest import Running, place_of
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Message

UNREAD = NOT_MET


@pytest.fixture
async def short_weight(house: Application, club: Club) -> None:
    """The club reads the sample."""
    thread = place_of(club.channel)
    sample = sample_book(Settings().sample_folder)
    book = (await house.library.add(sample.path, scope=thread.scope, title=sample.title, author=sample.author)).book
    await house.threads.use(thread, book_id=book.book_id)


async def _move(server: DiscordServer, club: Club, thread: Channel, to: str) -> list[str]:
    """Use /setpage; return what the thread then shows of it."""
    before = len(server.by_bot(thread))
    await server.responded(server.slash("setpage", {"to": to}, user=club.ada, channel=thread))
    await server.wait_for(lambda: len(server.by_bot(thread)) > before)
    return [one.content for one in server.by_bot(thread)[before:]]


@pytest.mark.usefixtures("short_weight")
async def test_the_readme_is_true_on_discord(discord_server: DiscordServer, club: Club, running: Running) -> None:
    async with running():
        first = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who is Hallam?")
        await discord_server.wait_for(lambda: first.thread and discord_server.by_bot(first.thread))
        thread = first.thread
        assert thread is not None
        assert "How far have you all read?" in thread.texts[-1]
        (moved,) = await _move(discord_server, club, thread, "9")
        assert "p. 9" in moved
        early = await _ask(discord_server, club, thread)
        await discord_server.wait_for(lambda: list(early.reactions) == ["🤷"])
        assert (await discord_server.answer_to(early)).content == f"{UNREAD}\n-# (up to p. 9)"
        (moved,) = await _move(discord_server, club, thread, "ch 3 done")
        assert "p. 18" in moved
        later = await _ask(discord_server, club, thread)
        await discord_server.wait_for(lambda: list(later.reactions) == ["📖"])
        answer = (await discord_server.answer_to(later)).content
    assert answer.startswith("**Hallam** comes up ")
    assert "\n> Ralph Hallam had been Surveyor and Engineer at Garsby for eleven years." in answer
    assert "(p. 10)" in answer
    assert answer.endswith("\n-# (up to p. 18)")


async def _ask(server: DiscordServer, club: Club, thread: Channel) -> Message:
    asked = server.say(thread, club.ben, "Who is Hallam?")
    await server.answer_to(asked)
    return asked
