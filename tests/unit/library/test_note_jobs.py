"""Notes are made in the background, one task a book, and taken up again by the next process."""

import pytest

from core.domain.book import Book
from core.library.note_jobs import NoteJobs
from core.library.note_making import NoteLimits, NoteMaker
from core.library.note_writer import NoteWriter
from tests.fakes.noting_model import NotingModel, in_json
from tests.unit.world import PROMPTS, World, price

_PLACE = "discord:1:books"


def _jobs(world: World, model: NotingModel, *, most_tokens: int = 10_000) -> NoteJobs:
    maker = NoteMaker(
        books=world.books,
        notes=world.notes,
        guard=world.guard,
        writer=NoteWriter(provider=model, prompts_dir=PROMPTS),
        price=price,
        clock=world.clock,
        limits=NoteLimits(words=20, at_once=1, most_tokens=most_tokens),
    )
    return NoteJobs(books=world.books, notes=world.notes, maker=maker)


@pytest.fixture
async def book(world: World) -> Book:
    return await world.add_book()


async def test_a_book_is_noted_in_the_background_once(world: World, book: Book) -> None:
    model = NotingModel(held=True)
    jobs = _jobs(world, model)
    jobs.start(book, asked_in=_PLACE)
    jobs.start(book, asked_in=_PLACE)
    await model.begun.wait()
    assert jobs.is_running(book.book_id)
    model.go_on.set()
    await jobs.idle()
    assert not jobs.is_running(book.book_id)
    assert sorted(page for call in model.shown for page in call) == [1, 2, 3, 4, 5, 6]
    assert await world.has_notes(book)


async def test_what_a_process_left_is_taken_up_by_the_next(world: World, book: Book) -> None:
    model = NotingModel()

    def until_page_three(pages: dict[int, str]) -> str:
        if 3 in pages:
            model.go_on.clear()
        return in_json(pages)

    model.answering = until_page_three
    first = _jobs(world, model)
    first.start(book, asked_in=_PLACE)
    while len(model.shown) < 3 or model.at_once == 0:
        await model.begun.wait()
        model.begun.clear()
    await first.close()
    assert not await world.has_notes(book)
    again = NotingModel()
    second = _jobs(world, again)
    await second.resume()
    await second.idle()
    assert not {page for call in again.shown for page in call} & {1, 2}
    assert await world.has_notes(book)


async def test_what_was_begun_at_the_command_line_or_is_spent_is_left_alone(world: World, book: Book) -> None:
    model = NotingModel()
    jobs = _jobs(world, model)
    await world.notes.begin(book.book_id, most_tokens=99)
    await jobs.resume()
    assert not jobs.is_running(book.book_id)
    spent = _jobs(world, model, most_tokens=1)
    spent.start(book, asked_in=_PLACE)
    await spent.idle()
    calls = len(model.shown)
    await spent.resume()
    await spent.idle()
    assert len(model.shown) == calls
