"""Nothing outside a book's story is read or found, wherever it stands and whatever the page."""

from dataclasses import replace

from core.domain.book import Book, BookEdit, BookText, OutsidePart, PartRole
from core.domain.passage import readable, whole_text
from core.language.chunking import chunk_pages
from core.ports.books import BookTexts
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_PAGES = [f"Page {number} of the quay." for number in range(1, 13)]
_NOTES = OutsidePart(role=PartRole.NOTES, title="Notes to Volume I", first_page=6, last_page=7, why="title")
_FRONT = OutsidePart(role=PartRole.FRONT, title="Introduction", first_page=1, last_page=2, why="title")
_EXCERPT = OutsidePart(role=PartRole.EXCERPT, title="Preview of The Pier", first_page=11, last_page=12, why="title")


async def _stored(stores: Stores) -> Book:
    text = replace(a_book_text(_PAGES), first_story_page=3, last_story_page=10, outside=(_FRONT, _NOTES, _EXCERPT))
    book, _ = await stores.books.add(
        scope="local", content_hash="outside", text=text, chunks=chunk_pages(text.pages, text.chapters)
    )
    return book


async def _seen(books: BookTexts, book: Book, position: int) -> tuple[list[int], list[int]]:
    """Return the pages that can be read, and those of chunks that can be found."""
    span = readable(book, position)
    pages = [page.number for page in await books.pages(span)]
    found = await books.chunks_of_pages(span, range(1, 13))
    return pages, [chunk.start_page for chunk in found]


async def test_at_every_page_the_story_up_to_it_is_read_and_found(stores: Stores) -> None:
    book = await _stored(stores)
    for position in range(13):
        story = [page for page in (3, 4, 5, 8, 9, 10) if page <= position]
        assert await _seen(stores.books, book, position) == (story, story)
    indexed = [chunk.start_page for chunk in await stores.books.chunks(book.book_id)]
    assert indexed == [3, 4, 5, 8, 9, 10]
    assert len(await stores.books.chunk_marks(book.book_id)) == 6
    assert len(await stores.books.pages(whole_text(book))) == 12


async def test_what_an_organiser_takes_into_the_story_is_read(stores: Stores) -> None:
    book = await _stored(stores)
    await stores.books.edit(book.book_id, BookEdit(first_story_page=1))
    wider = await stores.books.get(book.book_id)
    assert wider.import_id != book.import_id
    assert (await _seen(stores.books, wider, 12))[0] == [1, 2, 3, 4, 5, 8, 9, 10]
    assert [part.title for part in (await stores.books.outline(book.book_id)).outside] == [
        "Notes to Volume I",
        "Preview of The Pier",
    ]


async def test_where_all_pages_of_the_story_are_said_nothing_between_them_is_left_out(stores: Stores) -> None:
    book = await _stored(stores)
    await stores.books.edit(book.book_id, BookEdit(first_story_page=3, last_story_page=10))
    told = await stores.books.get(book.book_id)
    assert (await _seen(stores.books, told, 12))[0] == [3, 4, 5, 6, 7, 8, 9, 10]


async def test_a_copy_has_the_same_parts(stores: Stores) -> None:
    book = await _stored(stores)
    copied, _ = await stores.books.copy(book.book_id, scope="discord:1")
    assert (await stores.books.outline(copied.book_id)).outside == (_FRONT, _NOTES, _EXCERPT)


async def test_the_last_page_read_is_one_of_the_story(stores: Stores) -> None:
    book = await _stored(stores)
    reading = await stores.readings.get_or_create(scope="local", place="club", book_id=book.book_id)
    for position, page in ((7, 5), (8, 8), (12, 10), (2, 0)):
        made = await stores.readings.move(reading, position, member_id="m1")
        assert made.last_page_read == (f"Page {page} of the quay." if page else "")


async def test_an_old_import_gets_its_tree_when_its_file_is_imported_again(stores: Stores) -> None:
    text = replace(a_book_text(_PAGES), first_story_page=3, last_story_page=10, outside=(_FRONT, _NOTES, _EXCERPT))
    old = replace(text, first_story_page=1, last_story_page=None, outside=())
    chunks = chunk_pages(text.pages, text.chapters)

    async def add(text: BookText) -> tuple[Book, bool]:
        return await stores.books.add(scope="local", content_hash="outside", text=text, chunks=chunks)

    before, _ = await add(old)
    again, is_new = await add(text)
    assert (again.book_id, is_new, again.first_story_page) == (before.book_id, False, 3)
    assert again.import_id != before.import_id
    assert await _seen(stores.books, again, 8) == ([3, 4, 5, 8], [3, 4, 5, 8])
    await stores.books.edit(again.book_id, BookEdit(first_story_page=1))
    kept, _ = await add(text)
    assert kept.first_story_page == 1
