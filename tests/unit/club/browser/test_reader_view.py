"""The book as it is shown: pages that are read, titles of chapters that are begun, and nothing of the rest."""

import pytest

from core.answering.read_book import PageCache
from core.club.browser.reader_view import ReaderView
from core.domain.book import Chapter
from core.domain.errors import BookError, BookErrorCode
from tests.builders import STORY, a_book_text
from tests.unit.world import World

_CHAPTERS = (
    Chapter(number=1, title="The Box", first_page=1, last_page=2),
    Chapter(number=2, title="The Chapel", first_page=3, last_page=6),
)


def _view(world: World) -> ReaderView:
    return ReaderView(books=world.books, shelf=PageCache())


@pytest.mark.parametrize(("position", "titles"), [(None, [None, None]), (0, [None, None]), (2, ["The Box", None])])
async def test_a_title_is_told_once_its_chapter_is_begun(
    world: World, position: int | None, titles: list[str | None]
) -> None:
    book = await world.add_book(a_book_text(chapters=_CHAPTERS))
    seen = await _view(world).up_to(book, position)
    assert [chapter.title for chapter in seen.chapters] == titles
    assert (seen.pages, seen.read) == (6, position or 0)
    assert seen.names == ("1", "2", "3", "4", "5", "6")


async def test_a_read_page_is_shown(world: World) -> None:
    conversation = await world.reading(position=2)
    leaf = await _view(world).page(await world.club(conversation), 2)
    assert (leaf.page, leaf.name, leaf.text) == (2, "2", STORY[1])


async def test_a_page_ahead_and_one_that_is_not_there_are_refused_alike(world: World) -> None:
    conversation = await world.reading(position=2)
    refusals = []
    for page in (3, 6, 7, 0, -1):
        with pytest.raises(BookError) as refused:
            await _view(world).page(await world.club(conversation), page)
        refusals.append((refused.value.code, str(refused.value)))
    assert set(refusals) == {(BookErrorCode.PAGE_OUT_OF_RANGE, "You haven't read that page yet.")}


async def test_what_was_seen_before_is_seen_again_until_the_page_moves(world: World) -> None:
    conversation = await world.reading(position=2)
    view = _view(world)
    state = await world.club(conversation)
    before = await view.since(state, None)
    assert await view.since(state, before) is before
    await world.places.set_thread_position(
        conversation.conversation_id, position=3, has_own=True, member_id="discord:1"
    )
    assert (await view.since(await world.club(conversation), before)).read == 3
