"""Selects reading notes for a position: to show above a quotation, or to give to a model as material (ADR 25).

Notes are not the book's own text. Every note returned here may be shown to a reader of these pages.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from core.answering.extracts.answers import MOST_OF_CAST, chapter_asked
from core.answering.extracts.cast import cast
from core.answering.extracts.in_short import LEAST_LIKE, NEXT_LIKE, FittingNote, NoteWords, chosen
from core.answering.extracts.people import Mentions, find_somebody
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.story import spans
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
MOST_FOR_MODEL: Final = 10
"""How many notes on a range of pages go to a model: about 200 tokens."""
MOST_SHOWN: Final = 3
"""How many notes on a range of pages a member sees."""

_MOST_BYTES: Final = 32 * MEGABYTE
"""Enough for the notes on about ten novels."""
_SPARE: Final = 3
"""How many times more notes are checked than are needed, since some may not be shown."""
_HEADING: Final = (
    "Reading notes on pages read so far, not the book's words. They may be wrong: state nothing on a note alone. What "
    "you take from one is checked against the text of its page, so give that page."
)
_LEAST_FIT: Final = 0.4
_NEXT_BEST: Final = 0.6
_LAST_PAGES: Final = 3
_SHOWN: Final = 12

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
        return chosen(await self._that_may_be_shown(alike, book, position), least=LEAST_LIKE, next_best=NEXT_LIKE)

    async def material(self, query: str, *, book: Book, position: Position, found: Mapping[int, float]) -> list[Note]:
        """Return the notes that a model gets for a query: more of them, chosen less strictly than `in_short`."""
        fitting = await self._fitting(query, book, position, found)
        return chosen(fitting, least=_LEAST_FIT, next_best=_NEXT_BEST, most=MOST_FITTING)

    async def telling(
        self, stretches: Sequence[Stretch], *, book: Book, position: Position, most: int = MOST_SHOWN
    ) -> list[Note]:
        """Return the notes that tell most on ranges of read pages: `most` of each of the last two, fewer before.

        One note a range is the least, so the notes on a whole book are no more than a prompt can take.
        """
        if not book.notes_id:
            return []
        words, last = await self._words_of(book), readable(book, position).last_page
        ranked = [
            (words.telling(first, min(end, last)), max(most // (1 + back // 2), 1))
            for back, (first, end) in enumerate(reversed(stretches))
        ]
        return await self._best(ranked, book, position)

    async def about(self, people: Sequence[Mentions], *, book: Book, position: Position, most: int = 1) -> list[Note]:
        """Return the notes that say who people are, and of one person what they did last: up to `most` of each."""
        if not book.notes_id:
            return []
        words, last = await self._words_of(book), readable(book, position).last_page
        told = [words.about(each, last) for each in people]
        ranked = [who for who, _ in told] + [latest for _, latest in told if len(told) == 1]
        return await self._best([(each, most) for each in ranked], book, position)

    async def of_kind(
        self, asked: Asked | None, read: ReadText, *, book: Book, position: Position, most: int = MOST_SHOWN
    ) -> list[Note]:
        """Return the notes on the people or pages that a kind of question asks about."""
        people = _people(asked, read) if book.notes_id else []
        if people:
            return await self.about(people, book=book, position=position, most=max(most // (2 * len(people)), 1))
        wanted = stretches(asked, read)
        shown = wanted[-_SHOWN:] if most == MOST_SHOWN else wanted
        return await self.telling(shown, book=book, position=position, most=most)

    async def _best(self, ranked: Sequence[tuple[Sequence[Note], int]], book: Book, position: Position) -> list[Note]:
        """Return the first notes of each ranking that may be shown, as many as it says, in the order of the book."""
        looked_at = [(notes[: _SPARE * (count + 1)], count) for notes, count in ranked]
        every = [note for notes, _ in looked_at for note in notes]
        shown = set(await self._guard.notes_to_show(every, book=book, position=position))
        best = {note for notes, count in looked_at for note in [each for each in notes if each in shown][:count]}
        return sorted(best, key=_in_order)

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

    def __init__(self, shelf: NoteShelf, question: Question, read: ReadText) -> None:
        self._shelf = shelf
        self._question = question
        self._read = read
        self._given: set[tuple[int, int]] = set()
        self._along: str | None = None

    async def along_with(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes on the person or the pages that the question asks about, else those that fit it."""
        if self._along is None:
            question = self._question
            kind = asked(understood(question), question.text)
            notes = await self._shelf.of_kind(
                kind, self._read, book=question.book, position=question.position, most=MOST_FOR_MODEL
            )
            self._along = self._new(notes) if notes else await self.beside(query, found)
        return self._along

    async def beside(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes that fit a query and the passages found for it."""
        book, position = self._question.book, self._question.position
        return self._new(await self._shelf.material(query, book=book, position=position, found=page_shares(found)))

    async def of_pages(self, first_page: int, last_page: int) -> str:
        """Return some notes on a range of pages."""
        book, position, pages = self._question.book, self._question.position, [(first_page, last_page)]
        return self._new(await self._shelf.telling(pages, book=book, position=position, most=MOST_FOR_MODEL))

    def _new(self, notes: Sequence[Note]) -> str:
        new = {(note.page, note.number): note for note in notes if (note.page, note.number) not in self._given}
        self._given.update(new)
        return as_material(list(new.values()))


def _people(asked: Asked | None, read: ReadText) -> list[Mentions]:
    if asked and asked.kind is Kind.CAST:
        return cast(read, most=MOST_OF_CAST)
    found = find_somebody(read, asked.subject) if asked and asked.kind is Kind.WHO else None
    return [found] if found else []


def stretches(asked: Asked | None, read: ReadText) -> list[Stretch]:
    """Return the ranges of read pages that a recap or chapter question asks about; empty for other questions."""
    last_page = read.last_page
    if asked is None or not last_page:
        return []
    match asked.kind:
        case Kind.RECAP:
            return [each.pages for each in spans(read)]
        case Kind.JUST_NOW:
            return [(max(last_page - _LAST_PAGES, 0) + 1, last_page)]
        case _:
            chapter = chapter_asked(read, asked)
            return [(chapter.first_page, min(chapter.last_page, last_page))] if chapter else []


def _in_order(note: Note) -> tuple[int, int]:
    return note.page, note.number


def as_material(notes: Sequence[Note]) -> str:
    """Return notes as text for a model, marked as notes, each with its page; empty for no notes."""
    lines = [f"- (note on p. {note.page}) {note.text}" for note in notes]
    return "\n".join([_HEADING, *lines]) if lines else ""
