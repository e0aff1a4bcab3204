"""What every BookRepository does."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.book import BookStatus, Chapter, Page, PageSource
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import ReadableSpan
from core.ports.repositories import BookRepository
from tests.builders import STORY, a_book_text, chunks_of
from tests.contracts.stores import Stores

_CHAPTERS = [
    Chapter(number=1, title="Chapter 1: Dawn", first_page=1, last_page=3),
    Chapter(number=2, title="Chapter 2: Night", first_page=4, last_page=6),
]


@pytest.fixture
def books(stores: Stores) -> BookRepository:
    return stores.books


async def test_a_book_is_stored_whole(books: BookRepository) -> None:
    text = a_book_text(chapters=_CHAPTERS)
    book, is_new = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    assert is_new
    assert book.book_id.startswith("b_")
    assert (book.scope, book.title, book.author, book.content_hash) == ("local", text.title, text.author, "h")
    assert (book.pages, book.chapters, book.chunks) == (6, 2, 6)
    assert (book.page_source, book.status) == (PageSource.FORM_FEEDS, BookStatus.SEARCHABLE)
    assert await books.get(book.book_id) == book
    assert (await books.outline(book.book_id)).chapters == tuple(_CHAPTERS)


async def test_pages_keep_text_label_and_offset(books: BookRepository) -> None:
    pages = (
        Page(number=1, text="  One.\n\nTwo. “Æ” 🙂\n", label="xii", start_offset=0),
        Page(number=2, text="", start_offset=21),
    )
    text = a_book_text(["x"])
    stored = type(text)(title="T", author=None, pages=pages, chapters=(), page_source=PageSource.ESTIMATED)
    book, _ = await books.add(scope="local", content_hash="h", text=stored, chunks=[])
    assert await books.pages(ReadableSpan(book_id=book.book_id, last_page=2)) == list(pages)
    assert (book.author, book.page_source, book.chunks) == (None, PageSource.ESTIMATED, 0)


async def test_the_same_content_is_one_book_a_scope(books: BookRepository) -> None:
    text = a_book_text()
    added = [
        await books.add(scope=scope, content_hash="h", text=text, chunks=chunks_of(text))
        for scope in ("local", "local", "discord:1")
    ]
    ids = [book.book_id for book, _ in added]
    assert [is_new for _, is_new in added] == [True, False, True]
    assert ids[0] == ids[1] != ids[2]
    assert len(await books.chunks(ids[0])) == 6


async def test_of_two_imports_at_once_one_is_new(books: BookRepository) -> None:
    text = a_book_text()
    added = await asyncio.gather(
        *(books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text)) for _ in range(4))
    )
    assert sorted(is_new for _, is_new in added) == [False, False, False, True]
    assert len({book.book_id for book, _ in added}) == 1


@pytest.mark.parametrize(
    ("name", "found"),
    [("emma", "Emma"), ("EMMA", "Emma"), (" Emma ", "Emma"), ("moon", "Moonlight"), ("The Mill", "The Mill")],
)
async def test_a_book_is_found_by_title_or_unique_prefix(stores: Stores, name: str, found: str) -> None:
    for title in ("Emma", "Moonlight", "The Mill", "The Mill on the Floss"):
        await stores.add_book(a_book_text(title=title))
    assert (await stores.books.find(scope="local", name=name)).title == found


async def test_a_book_is_found_by_its_id(stores: Stores) -> None:
    book = await stores.add_book()
    assert await stores.books.find(scope="local", name=book.book_id) == book


async def test_a_name_that_fits_several_is_ambiguous_and_lists_them(stores: Stores) -> None:
    fitting = [await stores.add_book(a_book_text(title=title)) for title in ("Emma", "Emmanuel")]
    with pytest.raises(BookError) as caught:
        await stores.books.find(scope="local", name="em")
    assert caught.value.code is BookErrorCode.AMBIGUOUS
    assert all(book.title in str(caught.value) and book.book_id in str(caught.value) for book in fitting)


@pytest.mark.parametrize("name", ["", "  ", "xyz", "b_none", "%", "_"])
async def test_a_name_that_fits_nothing_is_not_found(stores: Stores, name: str) -> None:
    await stores.add_book()
    with pytest.raises(BookError) as caught:
        await stores.books.find(scope="local", name=name)
    assert caught.value.code is BookErrorCode.NOT_FOUND


async def test_scopes_do_not_see_each_others_books(stores: Stores) -> None:
    theirs = await stores.add_book(scope="discord:1")
    for name in (theirs.title, theirs.book_id):
        with pytest.raises(BookError):
            await stores.books.find(scope="discord:2", name=name)
    assert await stores.books.in_scope(scope="discord:2") == []
    assert await stores.books.latest(scope="discord:2") is None


async def test_books_of_a_scope_come_by_title_and_the_latest_by_time(stores: Stores) -> None:
    for title in ("Moonlight", "Zadig", "Emma"):
        await stores.add_book(a_book_text(title=title))
    assert [book.title for book in await stores.books.in_scope(scope="local")] == ["Emma", "Moonlight", "Zadig"]
    latest = await stores.books.latest(scope="local")
    assert latest is not None
    assert latest.title == "Emma"


async def test_a_removed_book_is_gone_with_all_that_hangs_on_it(stores: Stores) -> None:
    conversation = await stores.conversation()
    book_id = conversation.book_id
    ids = [chunk.chunk_id for chunk in await stores.books.chunks(book_id)]
    span = ReadableSpan(book_id=book_id, last_page=6)
    await stores.books.remove(book_id)
    assert await stores.books.in_scope(scope="local") == []
    assert (await stores.books.chunks(book_id), await stores.books.pages(span)) == ([], [])
    assert await stores.books.readable_chunks(span, ids) == []
    assert await stores.readings.current(scope="local", place="club") is None
    for gone in (stores.books.get(book_id), stores.conversations.get(conversation.conversation_id)):
        with pytest.raises(BookError) as caught:
            await gone
        assert caught.value.code is BookErrorCode.NOT_FOUND


async def test_what_is_not_there_is_not_found(books: BookRepository) -> None:
    for missing in (books.get("b_none"), books.remove("b_none"), books.outline("b_none")):
        with pytest.raises(BookError) as caught:
            await missing
        assert caught.value.code is BookErrorCode.NOT_FOUND


async def test_chunk_ids_are_never_used_twice(stores: Stores) -> None:
    first = await stores.add_book()
    old = {chunk.chunk_id for chunk in await stores.books.chunks(first.book_id)}
    await stores.books.remove(first.book_id)
    again = await stores.add_book()
    assert old.isdisjoint(chunk.chunk_id for chunk in await stores.books.chunks(again.book_id))


async def test_the_outline_has_labels_the_earlier_of_two_counts(books: BookRepository) -> None:
    text = a_book_text(["a", "b", "c"], labels=["i", "1", "1"])
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=[])
    outline = await books.outline(book.book_id)
    assert (outline.pages, outline.labels, outline.chapters) == (3, {"i": 1, "1": 2}, ())


@pytest.mark.parametrize("last_page", range(7))
async def test_only_read_pages_and_chunks_come_through_the_gate(stores: Stores, last_page: int) -> None:
    book = await stores.add_book()
    other = await stores.add_book(a_book_text(["Another."], title="Other"))
    chunks = await stores.books.chunks(book.book_id)
    foreign = await stores.books.chunks(other.book_id)
    span = ReadableSpan(book_id=book.book_id, last_page=last_page)
    ids = [chunk.chunk_id for chunk in reversed([*chunks, *foreign])]
    assert [page.text for page in await stores.books.pages(span)] == list(STORY[:last_page])
    assert await stores.books.readable_chunks(span, [*ids, 10_000]) == chunks[:last_page]


async def test_chunks_come_in_the_order_of_the_book(stores: Stores) -> None:
    book = await stores.add_book()
    chunks = await stores.books.chunks(book.book_id)
    assert [(c.start_page, c.end_page, c.text) for c in chunks] == [(n, n, t) for n, t in enumerate(STORY, start=1)]


@given(st.text(max_size=40))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_title_is_found_again_by_its_whole_name(stores: Stores, name: str) -> None:
    title = f"Book {name}".strip()
    book, _ = await stores.books.add(scope=name, content_hash=name, text=a_book_text(title=title), chunks=[])
    assert await stores.books.find(scope=name, name=title) == book
