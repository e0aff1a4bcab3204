"""`book list`, `use`, `add`, `remove`, and `chat`."""

from pathlib import Path

import pytest

from core.answering.threads import ThreadTitles
from core.club.books.book_commands import BookCommands
from core.domain.book import Chapter
from core.domain.errors import BookError, NotPermittedError, ThusfarError
from core.domain.messages import NO_BOOK
from core.library.library import Library
from tests.builders import a_book_text
from tests.fakes.book_reader import InMemoryBookReader
from tests.unit.club_house import CHANNEL, House, asked
from tests.unit.world import THREAD

CHAPTERS = (
    Chapter(number=1, title="The Calm", first_page=1, last_page=3),
    Chapter(number=2, title="The Funeral", first_page=4, last_page=6),
)


def _adding(house: House) -> BookCommands:
    reader = InMemoryBookReader(lamp=a_book_text(chapters=CHAPTERS), bare=a_book_text(["One."], title="Bare"))
    library = Library(books=house.books, lexical=house.lexical, dense=house.dense, reader_for=lambda _: reader)
    return BookCommands(
        library=library,
        threads=house.threads,
        titles=ThreadTitles(threads=house.threads, books=house.books, shelf=house.quoting.shelf, clock=house.clock),
        add_sample=house.add_sample,
    )


async def test_the_list_marks_the_book_that_is_read() -> None:
    house = House()
    assert (await house.use("book list")).text == "There are no books here yet. `/book add` adds one."
    await house.add_book(a_book_text(title="Another"))
    await house.add_book(a_book_text(title="Elsewhere"), scope="discord:2")
    await house.reading()
    listed = await house.use("book list")
    assert listed.text == "Another, 6 pages\n▸ The Marrow Light, 6 pages"
    assert listed.announcement == ""


async def test_the_choice_of_a_book_is_told_to_the_club() -> None:
    house = House()
    await house.add_book()
    told = await house.use("book use", "the marrow", thread=CHANNEL, organiser=True)
    assert (told.text, told.announcement) == (
        "",
        "Ada opened The Marrow Light by E. Hale, 6 pages. "  # noqa: ISC004
        "`/setpage 1` tells me how far you all are; then mention me and ask.",
    )
    reading = await house.threads.reading(THREAD)
    assert reading is not None
    assert (await house.books.get(reading.book_id)).title == "The Marrow Light"


async def test_the_sample_is_brought_when_it_is_chosen() -> None:
    house = House()
    await house.use("book use", " Sample ", organiser=True)
    assert [book.title for book in await house.books.in_scope(scope="discord:1")] == ["The Marrow Light"]


@pytest.mark.parametrize("words", ["book use", "book remove", ".remove"])
async def test_a_book_of_another_scope_does_not_exist_here(words: str) -> None:
    house = House()
    book = await house.add_book(scope="discord:2")
    for name in (book.title, book.book_id):
        with pytest.raises(BookError, match="There's no book"):
            await house.use(words, name, organiser=True)
    assert [one.book_id for one in await house.books.in_scope(scope="discord:2")] == [book.book_id]


@pytest.mark.parametrize("words", ["book use", "book add", "book remove", ".remove"])
async def test_only_organisers_touch_the_books(words: str) -> None:
    house = House()
    book = await house.add_book()
    with pytest.raises(NotPermittedError, match="for organisers of this club"):
        await house.use(words, book.book_id)
    assert len(await house.books.in_scope(scope="discord:1")) == 1


async def test_a_book_is_removed_by_its_button_alone() -> None:
    house = House()
    await house.add_book()
    sure = await house.use("book remove", "the marrow light", organiser=True)
    assert [choice.label for choice in sure.choices] == ["Remove it"]
    assert len(await house.books.in_scope(scope="discord:1")) == 1
    assert (await house.press(sure.choices[0], organiser=True)).text == "The Marrow Light is gone."
    assert await house.books.in_scope(scope="discord:1") == []
    with pytest.raises(BookError, match="There's no book"):
        await house.press(sure.choices[0], organiser=True)


async def test_titles_are_offered_wherever_they_hold_what_was_typed() -> None:
    house = House()
    book = await house.add_book()
    await house.add_book(a_book_text(title="Another"))
    await house.add_book(a_book_text(title="Marrow Elsewhere"), scope="discord:2")
    (offered,) = await house.offered("book use", "MARROW", organiser=True)
    assert (offered.label, offered.text) == ("The Marrow Light, 6 pages", book.book_id)
    with pytest.raises(NotPermittedError):
        await house.offered("book remove", "")
    assert await house.offered("book list", "") == []


async def test_what_an_import_found_is_told_without_a_chapters_title() -> None:
    house = House()
    told = await _adding(house).add(Path("lamp.txt"), asked(organiser=True))
    assert told.text == (
        "The Marrow Light is here: 6 pages. `/book use The Marrow Light` opens it.\n\n"
        "Its chapters: 1: p. 1-3, 2: p. 4-6.\n\nStory: pp. 1 to 6."
    )
    assert told.announcement == ""
    again = await _adding(house).add(Path("lamp.txt"), asked(organiser=True))
    assert "This text was already here." in again.text
    bare = await _adding(house).add(Path("bare.txt"), asked(organiser=True), title="Mine")
    assert bare.text.startswith("Mine is here: 1 page.")
    assert bare.text.endswith("I found no chapters in this book.\n\nStory: pp. 1 to 1.")


async def test_the_titles_of_chapters_are_for_organisers_behind_a_button() -> None:
    house = House()
    told = await _adding(house).add(Path("lamp.txt"), asked(organiser=True))
    (here, titles) = told.choices
    assert (here.label, here.command) == ("Read it here", ".use")
    assert titles.label == "Show the titles (they may give the story away)"
    with pytest.raises(NotPermittedError):
        await house.press(titles)
    shown = await house.press(titles, organiser=True)
    assert shown.text == "1: The Calm, p. 1-3\n2: The Funeral, p. 4-6"
    assert shown.announcement == ""
    bare = await _adding(house).add(Path("bare.txt"), asked(organiser=True))
    assert [choice.label for choice in bare.choices] == ["Read it here"]


async def test_an_import_asks_before_it_takes_the_place_of_another_of_its_title() -> None:
    house = House()
    conversation = await house.reading(position=2)
    told = await _adding(house).add(Path("lamp.txt"), asked(organiser=True))
    assert "You already have a book with this title and 6 pages. Replace it?" in told.text
    assert [book.title for book in await house.books.in_scope(scope="discord:1")] == ["The Marrow Light"] * 2
    place, *_ = told.choices
    with pytest.raises(NotPermittedError):
        await house.press(place)
    done = await house.press(place, organiser=True)
    assert done.text.startswith("The Marrow Light has replaced it")
    assert [book.title for book in await house.books.in_scope(scope="discord:1")] == ["The Marrow Light"]
    assert await house.page_of(conversation) == 2


async def test_a_file_of_somebody_else_is_not_imported() -> None:
    house = House()
    books = _adding(house)
    with pytest.raises(NotPermittedError):
        books.check_may_add(asked())
    with pytest.raises(NotPermittedError):
        await books.add(Path("lamp.txt"), asked())
    with pytest.raises(BookError, match="cannot be read"):
        await books.add(Path("other.txt"), asked(organiser=True))
    assert await house.books.in_scope(scope="discord:1") == []


async def test_a_thread_about_the_book_is_opened_outside_threads_alone() -> None:
    house = House()
    with pytest.raises(ThusfarError) as refused:
        await house.use("chat", thread=CHANNEL)
    assert str(refused.value) == NO_BOOK
    await house.reading()
    opened = await house.use("chat", "Who?", thread=CHANNEL)
    assert (opened.opens, opened.announcement) == (
        "The Marrow Light: Ada asks, 1 May",
        "Ada opens a thread about The Marrow Light.",
    )
    with pytest.raises(ThusfarError, match="already in a thread"):
        await house.use("chat", "Who?")
