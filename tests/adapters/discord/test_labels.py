"""Printed page labels are shown in every footer and citation."""

from adapters.persistence.books import SqlBookRepository
from bot.wiring import Application
from core.domain.book import BookText, Page, PageSource
from core.language.chunking import chunk_pages
from tests.adapters.discord.conftest import LIGHTHOUSE, Running, place_of
from tests.adapters.discord.test_private import _open
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel

_FRONT = ["Preface by the publisher of these pages.", "Another preface of the publisher."]


async def _read_labelled(house: Application, channel: Channel) -> None:
    """The small book behind two prefaces: its page 3 has a 1 printed on it."""
    texts, labels = [*_FRONT, *LIGHTHOUSE.split("\f")], ["i", "ii", "1", "2", "3", "4"]
    pages = tuple(
        Page(number=number, text=text, label=label, start_offset=sum(len(one) + 1 for one in texts[: number - 1]))
        for number, (text, label) in enumerate(zip(texts, labels, strict=True), start=1)
    )
    text = BookText(title="Labelled", author=None, pages=pages, chapters=(), page_source=PageSource.PAGE_LIST)
    place = place_of(channel)
    books = SqlBookRepository(house.database, embedding_model_id=None)
    book, _ = await books.add(scope=place.scope, content_hash="x", text=text, chunks=chunk_pages(text.pages, ()))
    await house.threads.use(place, book_id=book.book_id)


async def test_footers_and_citations_show_printed_labels(
    discord_server: DiscordServer, club: Club, thread: Channel, running: Running, house: Application
) -> None:
    await _read_labelled(house, club.channel)
    async with running():
        discord_server.slash("setpage", {"to": "2"}, user=club.ada, channel=thread)
        await discord_server.posted(thread)
        answer = await discord_server.answer_to(discord_server.say(thread, club.ada, "Who lit the lamp?"))
        await discord_server.responded(
            discord_server.slash("mypage", {"to": "4"}, user=club.ada, channel=thread),
        )
        question = {"question": "What did Ines do with the whistle?"}
        used = await discord_server.responded(
            discord_server.slash("ask", question, user=club.ada, channel=thread),
        )
        discord_server.press("tf1:.post", message=used.messages[-1], user=club.ada)
        shown = (await discord_server.posted(thread, 3))[-1]
    assert answer.content.startswith("**pp. 1-2**\n")
    assert answer.content.endswith("-# (up to p. 2)")
    assert used.texts[0].endswith("(up to p. 4)")
    assert used.texts[0].startswith("**pp. 3-4**\n")
    assert "up to p. 4" in _open(shown)
