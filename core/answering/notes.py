"""Selects reading notes for a position: to show above a quotation, or to give to a model as material (ADR 25).

Notes are not the book's own text. Every note returned here may be shown to a reader of these pages.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from core.answering.extracts.in_short import FittingNote, NoteWords, chosen, chosen_alike
from core.answering.extracts.read_text import ReadText
from core.domain.book import Book
from core.domain.note import Note, NotesForModel
from core.domain.passage import ReadableSpan, SearchResult, page_shares, readable
from core.domain.position import Position
from core.domain.question import Question
from core.language.book_memory import MEGABYTE, BookCache, BookMemory
from core.ports.guard import Guard
from core.ports.notes import NoteRepository
from core.understanding.asked import Asked, Kind, asked, understood

MOST_FITTING: Final = 6
MOST_OF_STRETCH: Final = 10
"""How many notes on a range of pages go to a model: about 200 tokens."""

_MOST_BYTES: Final = 32 * MEGABYTE
"""Enough for the notes on about ten novels."""
_SPARE: Final = 2
"""How many times more notes are checked than are needed, since some may not be shown."""
_HEADING: Final = (
    "Reading notes on pages read so far, not the book's words. They may be wrong: state nothing on a note alone. What "
    "you take from one is checked against the text of its page, so give that page."
)
_LEAST_FIT: Final = 0.4
_NEXT_BEST: Final = 0.6
_LAST_PAGES: Final = 3
_LATELY: Final = 20

NearNotes = Callable[[ReadableSpan, str], Awaitable[Sequence[tuple[int, float]]]]
"""Returns indexes and scores of the notes on read pages that are nearest to a question; empty without a model."""
Stretch = tuple[int, int]
"""The first and last page of a range."""


class NoteShelf:
    """Caches and searches the notes of recently used books.

    Args:
        notes: the stored notes.
        guard: decides which notes may be shown.
        near: finds notes by meaning; None where there is no embedding model.
        most_bytes: how much memory the cached words may take.
    """

    def __init__(
        self,
        *,
        notes: NoteRepository,
        guard: Guard,
        near: NearNotes | None = None,
        most_bytes: int = _MOST_BYTES,
    ) -> None:
        self._notes = notes
        self._guard = guard
        self._near = near
        self._held: BookCache[NoteWords] = BookCache("notes", BookMemory(most_bytes))

    async def in_short(
        self, question: str, *, book: Book, position: Position, found: Mapping[int, float]
    ) -> list[Note]:
        """Return up to three notes that fit a question, in the order of the book.

        `found` maps the pages that a search found to their shares.
        """
        span = readable(book, position)
        near = await self._near(span, question) if self._near is not None and book.notes_id else ()
        if not near:
            return chosen(await self._fitting(question, book, position, found))
        alike = (await self._words_of(book)).alike(near, last_page=span.last_page, found=found)
        return chosen_alike(await self._that_may_be_shown(alike, book, position))

    async def material(self, query: str, *, book: Book, position: Position, found: Mapping[int, float]) -> list[Note]:
        """Return the notes that a model gets for a query: more of them, chosen less strictly than `in_short`."""
        return near(await self._fitting(query, book, position, found))

    async def of_pages(self, first_page: int, last_page: int, *, book: Book, position: Position) -> list[Note]:
        """Return some notes on a range of read pages, evenly spread."""
        if not book.notes_id:
            return []
        words = await self._words_of(book)
        notes = words.on_pages(first_page, min(last_page, readable(book, position).last_page))
        looked_at = spread(notes, most=_SPARE * MOST_OF_STRETCH)
        shown = await self._guard.notes_to_show(looked_at, book=book, position=position)
        return spread(shown, most=MOST_OF_STRETCH)

    async def _fitting(
        self, question: str, book: Book, position: Position, found: Mapping[int, float]
    ) -> list[FittingNote]:
        if not book.notes_id:
            return []
        words = await self._words_of(book)
        fitting = words.fitting(question, last_page=readable(book, position).last_page, found=found)
        return await self._that_may_be_shown(fitting, book, position)

    async def _that_may_be_shown(
        self, fitting: Sequence[FittingNote], book: Book, position: Position
    ) -> list[FittingNote]:
        shown = await self._guard.notes_to_show([each.note for each in fitting], book=book, position=position)
        return [each for each in fitting if each.note in shown]

    async def _words_of(self, book: Book) -> NoteWords:
        return await self._held.get(book.book_id, book.notes_id, lambda: self._words(book))

    async def _words(self, book: Book) -> NoteWords:
        return NoteWords(await self._notes.notes(readable(book, book.pages)))


class TurnNotes(NotesForModel):
    """The notes that the prompt and the tools of one question give to a model; none is given twice.

    The notes in the prompt are computed once, so that a second draft gets exactly the same prompt.
    """

    def __init__(self, shelf: NoteShelf, question: Question) -> None:
        self._shelf = shelf
        self._question = question
        self._given: set[tuple[int, int]] = set()
        self._along: str | None = None

    async def along_with(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes on the pages that the question asks about, else those that fit it."""
        if self._along is None:
            question = self._question
            begun = ReadText(pages=(), chapters=question.chapters or ())
            wanted = stretches(asked(understood(question), question.text), begun, last_page=question.position or 0)
            self._along = await (self._of_stretches(wanted) if wanted else self.beside(query, found))
        return self._along

    async def beside(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes that fit a query and the passages found for it."""
        book, position = self._question.book, self._question.position
        return self._new(await self._shelf.material(query, book=book, position=position, found=page_shares(found)))

    async def of_pages(self, first_page: int, last_page: int) -> str:
        """Return some notes on a range of pages."""
        return await self._of_stretches([(first_page, last_page)])

    async def _of_stretches(self, stretches: Sequence[Stretch]) -> str:
        book, position = self._question.book, self._question.position
        return self._new(
            [note for pages in stretches for note in await self._shelf.of_pages(*pages, book=book, position=position)]
        )

    def _new(self, notes: Sequence[Note]) -> str:
        new = {(note.page, note.number): note for note in notes if (note.page, note.number) not in self._given}
        self._given.update(new)
        return as_material(list(new.values()))


def near(fitting: Sequence[FittingNote]) -> list[Note]:
    """Return the notes that fit a question best, in the order of the book; empty where even the best fits poorly."""
    best = max((each.fit for each in fitting), default=0.0)
    if best < _LEAST_FIT:
        return []
    kept = sorted((each for each in fitting if each.fit >= _NEXT_BEST * best), key=lambda each: -each.fit)
    return sorted((each.note for each in kept[:MOST_FITTING]), key=lambda note: (note.page, note.number))


def spread(notes: Sequence[Note], *, most: int) -> list[Note]:
    """Return at most `most` notes, evenly spread from first to last."""
    if len(notes) <= most:
        return list(notes)
    return [notes[round(at * (len(notes) - 1) / (most - 1))] for at in range(most)]


def stretches(asked: Asked | None, read: ReadText, *, last_page: int) -> list[Stretch]:
    """Return the ranges of read pages that a recap or chapter question asks about; empty for other questions.

    Only the chapters of `read` are used, not its pages.
    """
    if asked is None or not last_page:
        return []
    begun = [each.first_page for each in read.chapters]
    match asked.kind:
        case Kind.RECAP:
            latest = begun[-2:][0] if begun else max(last_page - _LATELY, 0) + 1
            return [(1, latest - 1), (latest, last_page)] if latest > 1 else [(1, last_page)]
        case Kind.JUST_NOW:
            return [(max(last_page - _LAST_PAGES, 0) + 1, last_page)]
        case Kind.CHAPTER:
            chapters = read.chapters_meant(asked.chapter, called=asked.called)[-1:]
        case Kind.LAST_CHAPTER:
            chapters = [each for each in read.chapters if each.last_page <= last_page][-1:]
        case Kind.THIS_CHAPTER:
            chapters = list(read.chapters[-1:])
        case _:
            chapters = []
    return [(each.first_page, min(each.last_page, last_page)) for each in chapters]


def as_material(notes: Sequence[Note]) -> str:
    """Return notes as text for a model, marked as notes, each with its page; empty for no notes."""
    lines = [f"- (note on p. {note.page}) {note.text}" for note in notes]
    return "\n".join([_HEADING, *lines]) if lines else ""
