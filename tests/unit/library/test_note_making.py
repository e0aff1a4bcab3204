"""Notes are made in batches within a budget, kept as they come, and asked for again where an answer cannot be used."""

from collections.abc import Callable

import pytest

from core.domain.book import Book
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.passage import readable
from core.domain.tool_use import TokenUsage
from core.library.note_making import NoteLimits, NoteMaker
from core.library.note_writer import NoteWriter
from tests.builders import STORY, a_book_text
from tests.fakes.noting_model import NotingModel, first_words, in_json
from tests.unit.world import PROMPTS, World, price

_PAGES = [f"{text} " + " ".join(f"{place} {number}" for number in range(20)) for place, text in enumerate(STORY * 2)]
_WORDS = 60
Maker = Callable[..., NoteMaker]


@pytest.fixture
async def book(world: World) -> Book:
    return await world.add_book(a_book_text(_PAGES, title="Twelve pages"))


@pytest.fixture
def maker(world: World) -> Maker:
    def made(model: NotingModel, *, words: int = 2 * _WORDS, at_once: int = 2, most_tokens: int = 10_000) -> NoteMaker:
        return NoteMaker(
            books=world.books,
            notes=world.notes,
            guard=world.guard,
            writer=NoteWriter(provider=model, prompts_dir=PROMPTS),
            price=price,
            clock=world.clock,
            limits=NoteLimits(words=words, at_once=at_once, most_tokens=most_tokens),
        )

    return made


async def _noted(world: World, book: Book) -> list[int]:
    return [note.page for note in await world.notes.notes(readable(book, book.pages))]


async def test_every_page_is_noted_once_in_batches_and_then_they_are_used(
    world: World, book: Book, maker: Maker
) -> None:
    model, told = NotingModel(), list[tuple[int, int]]()
    made = await maker(model).make(book, on_progress=lambda _doing, done, total: told.append((done, total)))
    assert sorted(page for call in model.shown for page in call) == list(range(1, 13))
    assert all(2 <= len(call) <= 3 for call in model.shown)
    assert (made.summary.notes, made.summary.pages, made.pages_left) == (12, 12, 0)
    assert made.summary.written_by == ("scripted-1-today",)
    calls = len(model.shown)
    assert made.usage == TokenUsage(input_tokens=100 * calls, output_tokens=10 * calls)
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    assert await world.has_notes(book)
    first = (await world.notes.notes(readable(book, 1)))[0]
    assert first.text == f"It is told that {first_words(_PAGES[0])}."
    assert first.written_at == world.clock.now()


async def test_a_model_sees_the_pages_and_the_names_before_them_and_nothing_of_other_pages(
    world: World, book: Book, maker: Maker
) -> None:
    model = NotingModel()
    await maker(model, at_once=1).make(book)
    for pages, prompt in zip(model.shown, model.prompts, strict=True):
        others = [text for number, text in enumerate(_PAGES, 1) if number not in pages]
        assert not any(text in prompt for text in others)
    assert "Names met before" not in model.prompts[0]
    assert all(model.schemas)


async def test_a_stop_keeps_what_is_made_and_the_rest_is_made_the_next_time(
    world: World, book: Book, maker: Maker
) -> None:
    error = LLMError(LLMErrorCode.UNAVAILABLE, "gone")
    down = NotingModel(lambda pages: error if 7 in pages else in_json(pages))
    with pytest.raises(LLMError):
        await maker(down, words=_WORDS, at_once=1).make(book)
    kept = await _noted(world, book)
    assert kept == [1, 2, 3, 4, 5, 6]
    assert not await world.has_notes(book)
    up = NotingModel()
    made = await maker(up, words=_WORDS).make(book)
    assert sorted(page for call in up.shown for page in call) == list(range(7, 13))
    assert await _noted(world, book) == list(range(1, 13))
    assert made.usage.input_tokens == 100 * 12
    assert await world.has_notes(book)


@pytest.mark.parametrize(
    "answering",
    [
        lambda pages: in_json(pages) if len(pages) == 1 else "I cannot write JSON of so much.",
        lambda pages: in_json(pages) if len(pages) == 1 else LLMError(LLMErrorCode.CONTEXT_TOO_LONG, "too long"),
        lambda pages: in_json(dict(list(pages.items())[:1])),
        lambda pages: in_json(pages)[:-20] if len(pages) > 1 else in_json(pages),
    ],
    ids=["no json", "too long", "one page a call", "cut off"],
)
async def test_what_a_model_leaves_out_is_asked_for_again_a_little_at_a_time(
    world: World, book: Book, maker: Maker, answering: Callable[[dict[int, str]], str | LLMError]
) -> None:
    made = await maker(NotingModel(answering), words=4 * _WORDS, at_once=1).make(book)
    assert made.pages_left == 0
    assert await _noted(world, book) == list(range(1, 13))


async def test_what_a_note_tells_of_later_pages_goes_there(world: World, book: Book, maker: Maker) -> None:
    world.guard.leaking["lighthouse"] = 9
    await maker(NotingModel()).make(book)
    moved = [note for note in await world.notes.notes(readable(book, 12)) if note.moved]
    assert [(note.page, note.moved_from) for note in moved] == [(9, 2), (9, 8)]


async def test_what_it_takes_is_told_before(world: World, book: Book, maker: Maker) -> None:
    model = NotingModel()
    estimate = await maker(model).estimate(book)
    assert (estimate.pages, estimate.calls) == (12, 6)
    assert (estimate.provider, estimate.model) == ("scripted", "scripted-1")
    assert estimate.cost is not None
    assert estimate.usage.input_tokens > 12 * 40
    assert model.shown == []
    assert await world.notes.makings() == []
