"""What every BookRepository does."""

import asyncio
from dataclasses import replace

import pytest

from core.domain.book import BookEdit, BookStatus, Chapter, Page, PageSource
from core.domain.edition import Edition, KnownPoint, PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import ReadableSpan
from core.domain.position import Position
from core.ports.books import BookRepository
from tests.builders import STORY, a_book_text, chunks_of
from tests.contracts.stores import Stores

_CHAPTERS = [
    Chapter(number=1, title="Chapter 1: Dawn", first_page=1, last_page=3),
    Chapter(number=2, title="Chapter 2: Night", first_page=4, last_page=6),
]
_ODD = "  One.\r\n\nTwo.\t“Æ” 🙂 \u2028 夜 e\u0301 'quote' \"q\"; -- \x01\n"


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
        Page(number=1, text=_ODD, label="xii", start_offset=0),
        Page(number=2, text="", start_offset=len(_ODD)),
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
    [
        ("emma", "Emma"),
        (" EMMA ", "Emma"),
        ("moon", "Moonlight"),
        ("The Mill", "The Mill"),
        ("mill", "The Mill"),
        ("floss", "The Mill on the Floss"),
        ("scarlet", "A Study in Scarlet"),
        ("the study in", "A Study in Scarlet"),
        ("les miserables", "Les Misérables"),
        ("dont look", "Don’t Look Now"),
        ("the", "The"),
        ("ä", "Ärger"),
    ],
)
async def test_a_book_is_found_by_its_title_or_by_words_of_it(stores: Stores, name: str, found: str) -> None:
    titles = ("Emma", "Moonlight", "The Mill", "The Mill on the Floss", "A Study in Scarlet", "The")
    for title in (*titles, "Les Misérables", "Don’t Look Now", "Ärger"):
        await stores.add_book(a_book_text(title=title))
    assert (await stores.books.find(scope="local", name=name)).title == found


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "xyz",
        "b_none",
        "%",
        "_",
        "*",
        "b_",
        "marr%w",
        "\x00",
        "'; DROP TABLE book; --",
        "arrow",
        "light marrow",
    ],
)
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


async def test_the_outline_has_the_places_of_the_pages_and_the_story(books: BookRepository) -> None:
    text = replace(a_book_text(["abc", "", "déf🙂"]), first_story_page=2, last_story_page=3)
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=[])
    outline = await books.outline(book.book_id)
    assert (outline.ends, outline.first_story_page, outline.last_story_page) == ((3, 4, 9), 2, 3)
    bare, _ = await books.add(scope="local", content_hash="i", text=a_book_text(["a"]), chunks=[])
    outline = await books.outline(bare.book_id)
    assert (outline.first_story_page, outline.last_story_page, outline.story_end) == (1, None, 1)


async def test_what_is_mended_is_changed_and_nothing_else(books: BookRepository) -> None:
    text = a_book_text(chapters=_CHAPTERS)
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    await books.edit(book.book_id, BookEdit())
    assert await books.get(book.book_id) == book
    await books.edit(book.book_id, BookEdit(title="Other", chapter_titles={2: "Dusk", 9: "None such"}))
    assert await books.get(book.book_id) == replace(book, title="Other")
    assert [chapter.title for chapter in (await books.outline(book.book_id)).chapters] == ["Chapter 1: Dawn", "Dusk"]
    await books.edit(book.book_id, BookEdit(author="", first_story_page=2, last_story_page=5))
    assert (await books.get(book.book_id)).author is None
    outline = await books.outline(book.book_id)
    assert (outline.first_story_page, outline.last_story_page) == (2, 5)
    with pytest.raises(BookError):
        await books.edit("b_none", BookEdit(title="Other"))


async def test_a_copy_in_another_scope_is_a_book_of_its_own(stores: Stores) -> None:
    text = replace(a_book_text(chapters=_CHAPTERS, labels=["i", "ii", "1", "2", "3", "4"]), first_story_page=3)
    original, _ = await stores.books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    copied, is_new = await stores.books.copy(original.book_id, scope="discord:1")
    assert is_new
    assert copied.book_id != original.book_id
    assert (copied.scope, copied.title, copied.author) == ("discord:1", original.title, original.author)
    assert (copied.pages, copied.chapters, copied.chunks) == (6, 2, 6)
    assert await stores.books.outline(copied.book_id) == await stores.books.outline(original.book_id)
    spans = [ReadableSpan(book_id=book.book_id, last_page=6) for book in (original, copied)]
    assert await stores.books.pages(spans[1]) == await stores.books.pages(spans[0])
    chunks = [await stores.books.chunks(span.book_id) for span in spans]
    assert [chunk.text for chunk in chunks[0]] == [chunk.text for chunk in chunks[1]]
    assert {chunk.chunk_id for chunk in chunks[0]}.isdisjoint(chunk.chunk_id for chunk in chunks[1])
    again, is_new = await stores.books.copy(original.book_id, scope="discord:1")
    assert (again.book_id, is_new) == (copied.book_id, False)
    await stores.books.remove(original.book_id)
    assert len(await stores.books.chunks(copied.book_id)) == 4


_TWICE = PlaceMap(pages_down=tuple(range(0, 13, 2)), pages_up=tuple(range(0, 13, 2)), offset=lambda offset: offset + 50)
_TWELVE = a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve")


async def _stands(stores: Stores, conversation_id: str) -> tuple[Position, Position]:
    standing = await stores.places.standing(conversation_id)
    return standing.thread_position, standing.reading.current_page


async def test_a_book_that_succeeds_another_has_its_readings_and_everybody_stands_where_they_stood(
    stores: Stores,
) -> None:
    old = await stores.add_book()
    thread = await stores.conversation(book=old)
    reading_id = thread.reading_id
    await stores.places.set_reading_position(reading_id, position=2, member_id="m")
    for page in (3, 5):
        await stores.places.set_thread_position(thread.conversation_id, position=page, has_own=True, member_id="m")
    await stores.places.set_member_position(reading_id, "m", 4)
    edition = Edition(last_page=99, points=(KnownPoint(page=5, offset=100),))
    await stores.readings.set_edition(reading_id, edition, member_id="m")
    await stores.readings.set_edition(reading_id, Edition(last_page=77))
    new = await stores.add_book(_TWELVE)
    assert await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    assert [book.book_id for book in await stores.books.in_scope(scope="local")] == [new.book_id]
    current = await stores.readings.current(scope="local", place="club")
    assert current is not None
    assert (current.reading_id, current.book_id) == (reading_id, new.book_id)
    assert await stores.readings.get_or_create(scope="local", place="club", book_id=new.book_id) == current
    assert (await stores.conversations.get(thread.conversation_id)).book_id == new.book_id
    assert await _stands(stores, thread.conversation_id) == (10, 4)
    assert await stores.clubs.member_position(reading_id, "m") == 8
    moved = Edition(last_page=99, points=(KnownPoint(page=5, offset=150),))
    assert await stores.places.edition(reading_id, "m") == moved
    assert await stores.places.edition(reading_id) == Edition(last_page=77)
    undone = await stores.places.undo(thread.conversation_id)
    assert undone is not None
    assert (undone.from_position, undone.to_position) == (10, 6)


async def test_where_a_club_reads_both_books_the_old_one_stays(stores: Stores) -> None:
    old, new = await stores.add_book(), await stores.add_book(_TWELVE)
    in_both = [await stores.readings.get_or_create(scope="local", place="a", book_id=b.book_id) for b in (old, new)]
    in_old = await stores.readings.get_or_create(scope="local", place="b", book_id=old.book_id)
    assert not await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    books = [(await stores.readings.get(reading.reading_id)).book_id for reading in (*in_both, in_old)]
    assert books == [old.book_id, new.book_id, new.book_id]
    for missing in (("b_none", new.book_id), (old.book_id, "b_none")):
        with pytest.raises(BookError):
            await stores.books.succeed(*missing, _TWICE)


@pytest.mark.parametrize(
    ("last_page", "pages", "found"), [(6, [2, 1], [1, 2]), (6, [5], [5]), (2, [2, 3], [2]), (0, [1], []), (6, [], [])]
)
async def test_the_chunks_of_pages_come_through_the_gate(
    stores: Stores, last_page: int, pages: list[int], found: list[int]
) -> None:
    book = await stores.add_book()
    chunks = await stores.books.chunks_of_pages(ReadableSpan(book_id=book.book_id, last_page=last_page), pages)
    assert [chunk.start_page for chunk in chunks] == found
