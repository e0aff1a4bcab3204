"""`book notes`: what it takes is said first, an organiser says yes, and it goes on in the background."""

import pytest

from core.club.books.note_commands import NoteCommands
from core.club.commands.registry import CommandRegistry
from core.club.commands.values import CommandResponse
from core.domain.book import Book
from core.domain.errors import BookError, NotPermittedError, ThusfarError
from core.library.note_jobs import NoteJobs
from core.library.note_making import NoteLimits, NoteMaker
from core.library.note_writer import NoteWriter
from core.library.notes import Notes
from tests.fakes.noting_model import NotingModel
from tests.unit.club_house import CHANNEL, House, asked
from tests.unit.world import PROMPTS, price


class _Notes:
    """The commands over a house, with a model or without one."""

    def __init__(self, house: House, model: NotingModel | None, *, most_tokens: int = 10_000) -> None:
        notes = Notes(books=house.books, notes=house.notes, guard=house.guard)
        maker = (
            None
            if model is None
            else NoteMaker(
                books=house.books,
                notes=house.notes,
                guard=house.guard,
                writer=NoteWriter(provider=model, prompts_dir=PROMPTS),
                price=price,
                clock=house.clock,
                limits=NoteLimits(words=20, at_once=1, most_tokens=most_tokens),
            )
        )
        self.jobs = NoteJobs(books=house.books, notes=house.notes, maker=maker) if maker else None
        commands = NoteCommands(library=house.library, notes=notes, maker=maker, jobs=self.jobs)
        self._registry = CommandRegistry(commands.commands())

    async def use(
        self, text: str = "the marrow", words: str = "book notes", *, organiser: bool = True
    ) -> CommandResponse:
        return await self._registry.run(words, asked(text, thread=CHANNEL, organiser=organiser))


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
async def book(house: House) -> Book:
    return await house.add_book()


async def test_it_says_what_it_takes_and_where_the_text_goes_and_asks(house: House, book: Book) -> None:
    model = NotingModel()
    said = await _Notes(house, model).use()
    assert "Notes on 6 pages take about" in said.text
    assert "about $0." in said.text
    assert "The whole text of these pages goes to scripted-1 (scripted)." in said.text
    assert [(choice.command, choice.text, choice.confirms) for choice in said.choices] == [
        (".notes-make", book.book_id, True)
    ]
    assert model.shown == []


async def test_after_a_yes_they_are_made_and_it_tells_how_far_they_are(house: House, book: Book) -> None:
    model = NotingModel(held=True)
    notes = _Notes(house, model)
    assert notes.jobs is not None
    assert "writing notes" in (await notes.use(book.book_id, ".notes-make")).text
    await model.begun.wait()
    under_way = await notes.use()
    assert "writing notes on The Marrow Light: 0 of 6 pages" in under_way.text
    assert [choice.command for choice in under_way.choices] == [".notes-stop"]
    model.go_on.set()
    await notes.jobs.idle()
    assert (await notes.use()).text == "The Marrow Light has 6 notes on 6 of 6 pages."


async def test_without_a_model_it_says_so(house: House, book: Book) -> None:
    notes = _Notes(house, None)
    said = await notes.use()
    assert said.text == "Only an AI model can write notes, and none is set up here."
    for words in (".notes-make", ".notes-stop"):
        with pytest.raises(ThusfarError, match="none is set up here"):
            await notes.use(book.book_id, words)


async def test_it_is_for_organisers_and_for_books_of_their_scope(house: House, book: Book) -> None:
    notes = _Notes(house, NotingModel())
    for words in ("book notes", ".notes-make", ".notes-stop"):
        with pytest.raises(NotPermittedError):
            await notes.use(book.book_id, words, organiser=False)
    elsewhere = await house.add_book(scope="discord:2")
    for words in ("book notes", ".notes-make", ".notes-stop"):
        with pytest.raises(BookError):
            await notes.use(elsewhere.book_id, words)
