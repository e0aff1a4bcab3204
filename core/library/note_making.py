"""Makes a book's notes by a model, batch by batch, within a token budget. Each finished batch is stored.

Called by `thusfar notes make`, and by the organisers' command through `note_jobs`. A batch gets only the names on
earlier pages and no other notes, so that several can run at the same time.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from core.answering.costs import CallPrice
from core.answering.dense import Progress
from core.answering.extracts.cast import people
from core.answering.extracts.read_text import ReadText
from core.catalogue.sentences import say_count, sentence
from core.domain.book import Book, Page
from core.domain.errors import LLMError, LLMErrorCode, ThusfarError
from core.domain.note import Note, NoteBatch, NoteMaking, NotesSummary
from core.domain.passage import readable, whole_text
from core.domain.tool_use import TokenUsage
from core.language.sentences import word_count
from core.library.note_writer import NoteWriter, WrittenNotes
from core.library.notes import put_in_place
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.guard import Guard
from core.ports.notes import NoteRepository

_TOKENS_A_WORD: Final = 1.4
_TOKENS_A_CALL: Final = 450
_TOKENS_OF_NOTES: Final = 150
_MOST_PAGES: Final = 12
_LEAST_WORDS: Final = 30
_TRIES: Final = 3
_MOST_EMPTY: Final = 5
_NAMES_GIVEN: Final = 40
_STRETCH: Final = 4
_NAMES_OF_A_STRETCH: Final = 12
_SPLITS: Final = frozenset({LLMErrorCode.CONTEXT_TOO_LONG, LLMErrorCode.REFUSED})
"""Errors that a smaller batch may avoid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLimits:
    """Limits of note making.

    Attributes:
        words: how many words of the book go into one call.
        at_once: how many calls run at the same time.
        most_tokens: input and output tokens for one book in all, unless the caller gives another limit.
    """

    words: int = 2_000
    at_once: int = 4
    most_tokens: int = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEstimate:
    """An estimate for a book's missing notes; `cost` is in US dollars, None if the price is not known."""

    pages: int
    calls: int
    usage: TokenUsage
    cost: Decimal | None
    provider: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeNotes:
    """The result: all stored notes, the tokens used in all, and how many pages still have no notes."""

    summary: NotesSummary
    usage: TokenUsage
    pages_left: int


class NoteMaker:
    """Makes the notes of books."""

    def __init__(
        self,
        *,
        books: BookTexts,
        notes: NoteRepository,
        guard: Guard,
        writer: NoteWriter,
        price: CallPrice,
        clock: Clock,
        limits: NoteLimits,
    ) -> None:
        self._books = books
        self._notes = notes
        self._guard = guard
        self._writer = writer
        self._price = price
        self._clock = clock
        self._limits = limits

    @property
    def model(self) -> str:
        """The model's name."""
        return self._writer.model

    async def estimate(self, book: Book) -> NoteEstimate:
        """Estimate the cost of a book's missing notes.

        Raises:
            ThusfarError: the book has all its notes.
        """
        await self._check_lacking(book)
        making = await self._making(book)
        pages = await self._pages(book)
        left = _batches(
            pages, making.pages_left(book.pages) if making else range(1, book.pages + 1), self._limits.words
        )
        words = sum(word_count(page.text) for batch in left for page in batch)
        noted = sum(map(len, left))
        usage = TokenUsage(
            input_tokens=round(words * _TOKENS_A_WORD) + len(left) * _TOKENS_A_CALL,
            output_tokens=noted * _TOKENS_OF_NOTES,
        )
        return NoteEstimate(
            pages=noted,
            calls=len(left),
            usage=usage,
            cost=self._cost(usage, len(left)),
            provider=self._writer.name,
            model=self._writer.model,
        )

    def _cost(self, usage: TokenUsage, calls: int) -> Decimal | None:
        mean = TokenUsage(input_tokens=usage.input_tokens // calls, output_tokens=usage.output_tokens // calls)
        cost = self._price(self._writer.model, mean)
        return None if cost is None else cost * calls

    async def make(
        self,
        book: Book,
        *,
        most_tokens: int | None = None,
        asked_in: str = "",
        on_progress: Progress | None = None,
    ) -> MadeNotes:
        """Make the missing notes of a book. They are used once all are finished; stored ones stay after an error.

        Raises:
            ThusfarError: the book has all its notes, or the model's answers are unreadable.
            LLMError: the model cannot be reached.
        """
        await self._check_lacking(book)
        making = await self._notes.begin(
            book.book_id, most_tokens=most_tokens or self._limits.most_tokens, asked_in=asked_in
        )
        pages = await self._pages(book)
        names = await asyncio.to_thread(_names_by_stretch, pages)
        run = _NoteRun(book=book, making=making, names=names, on_progress=on_progress)
        run.todo.extend(
            _Batch(pages=each) for each in _batches(pages, making.pages_left(book.pages), self._limits.words)
        )
        run.tell()
        await self._work(run)
        if not run.wanted:
            raise ThusfarError(f"The notes of {book.title} are wanted no more.")
        left = run.making.pages_left(book.pages)
        if not left:
            await self._notes.finish(book.book_id)
        summary = await self._notes.summary(book.book_id)
        return MadeNotes(summary=summary, usage=run.making.usage, pages_left=len(left))

    async def _pages(self, book: Book) -> list[Page]:
        """Return all pages of a book; those that are no story are blank."""
        story = {page.number for page in await self._books.pages(readable(book, book.pages))}
        whole = await self._books.pages(whole_text(book))
        return [page if page.number in story else replace(page, text="") for page in whole]

    async def _work(self, run: "_NoteRun") -> None:
        """Make several batches at the same time; the first error ends it, after running batches are stored."""
        workers = [asyncio.create_task(self._one_after_another(run)) for _ in range(self._limits.at_once)]
        try:
            await asyncio.gather(*workers)
        except (LLMError, ThusfarError):
            run.todo.clear()
            await asyncio.gather(*workers, return_exceptions=True)
            raise
        finally:
            for worker in workers:
                worker.cancel()

    async def _one_after_another(self, run: "_NoteRun") -> None:
        while run.goes_on:
            batch = run.todo.popleft()
            try:
                written = await self._writer.write(batch.pages, book=run.book, names=run.names_before(batch))
            except LLMError as error:
                if error.code not in _SPLITS:
                    raise
                run.usage += error.usage or TokenUsage()
                written = WrittenNotes(notes={}, model=self._writer.model, usage=TokenUsage())
            run.usage += written.usage
            await self._kept(run, batch, written)

    async def _kept(self, run: "_NoteRun", batch: "_Batch", written: WrittenNotes) -> None:
        """Store the notes of answered pages; retry the other pages a few times in smaller batches."""
        run.count(written, self._writer.model)
        for pages, is_answered in _runs(batch, written):
            if not is_answered:
                run.todo.extendleft(reversed(_smaller(pages, tries=batch.tries + 1)))
                continue
            notes = [
                Note(page=page.number, text=text, written_by=written.model, written_at=self._clock.now())
                for page in pages
                for text in written.notes.get(page.number, [])
            ]
            places = await self._guard.place_notes(notes, book=run.book)
            usage, run.usage = run.usage, TokenUsage()
            kept = NoteBatch(
                first_page=pages[0].number,
                last_page=pages[-1].number,
                notes=tuple(put_in_place(notes, places)),
                usage=usage,
            )
            run.is_now(await self._notes.keep(run.book.book_id, kept))

    async def _check_lacking(self, book: Book) -> None:
        if book.notes_id:
            summary = await self._notes.summary(book.book_id)
            raise ThusfarError(
                say_count(
                    "{title} already has its notes: {notes} on {number} page.",
                    "{title} already has its notes: {notes} on {number} pages.",
                    summary.pages,
                    title=book.title,
                    notes=summary.notes,
                )
            )

    async def _making(self, book: Book) -> NoteMaking | None:
        makings = await self._notes.makings()
        return next((making for making in makings if making.book_id == book.book_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Consecutive pages for one call; `tries` is how many calls for them have failed."""

    pages: Sequence[Page]
    tries: int = 0


@dataclass(kw_only=True)
class _NoteRun:
    """One making in progress: the batches left, the stored progress, and usage that is not stored yet."""

    book: Book
    making: NoteMaking
    names: Sequence[tuple[int, Sequence[str]]]
    on_progress: Progress | None
    todo: deque[_Batch] = field(default_factory=deque)
    usage: TokenUsage = field(default_factory=TokenUsage)
    wanted: bool = True
    empty: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether batches and budget are left."""
        return bool(self.todo) and self.wanted and not self.making.is_spent

    def names_before(self, batch: _Batch) -> list[str]:
        """Return the most frequent names on the pages before a batch."""
        first = batch.pages[0].number
        counts = Counter(name for last, names in self.names if last < first for name in names)
        return [name for name, _ in counts.most_common(_NAMES_GIVEN)]

    def count(self, written: WrittenNotes, model: str) -> None:
        """Count consecutive unusable answers. Raises ThusfarError if there are too many."""
        self.empty = 0 if written.notes else self.empty + 1
        if self.empty >= _MOST_EMPTY:
            raise ThusfarError(f"{model} does not answer in a form that notes can be read from; another model may.")

    def is_now(self, making: NoteMaking | None) -> None:
        """Update the stored progress; None means that the making was stopped."""
        self.wanted = self.wanted and making is not None
        if making is not None:
            self.making = making
            self.tell()

    def tell(self) -> None:
        """Report how many pages have notes."""
        if self.on_progress is not None:
            left = len(self.making.pages_left(self.book.pages))
            self.on_progress(sentence("noting"), self.book.pages - left, self.book.pages)


def _batches(pages: Sequence[Page], wanted: Iterable[int], words: int) -> list[list[Page]]:
    """Divide the wanted pages into batches of consecutive pages with about `words` words."""
    batches: list[list[Page]] = []
    room = 0
    for number in wanted:
        page = pages[number - 1]
        length = word_count(page.text)
        follows = bool(batches) and batches[-1][-1].number == number - 1
        if not follows or room < length or len(batches[-1]) == _MOST_PAGES:
            batches.append([])
            room = words
        batches[-1].append(page)
        room -= length
    return batches


def _runs(batch: _Batch, written: WrittenNotes) -> list[tuple[list[Page], bool]]:
    """Divide a batch into runs of pages that were answered, and runs to retry.

    A page with little text may stay without notes, as may one after enough retries.
    """
    runs: list[tuple[list[Page], bool]] = []
    last_try = batch.tries + 1 >= _TRIES
    for page in batch.pages:
        is_answered = last_try or page.number in written.notes or word_count(page.text) < _LEAST_WORDS
        if not runs or runs[-1][1] != is_answered:
            runs.append(([], is_answered))
        runs[-1][0].append(page)
    return runs


def _smaller(pages: Sequence[Page], *, tries: int) -> list[_Batch]:
    """Divide pages of a failed call into two halves; for the last try, into single pages."""
    size = 1 if tries + 1 >= _TRIES else max(len(pages) // 2, 1)
    return [_Batch(pages=pages[at : at + size], tries=tries) for at in range(0, len(pages), size)]


def _names_by_stretch(pages: Sequence[Page]) -> list[tuple[int, list[str]]]:
    """Return the names on each few pages, with the last of these pages."""
    read = ReadText(pages)
    lasts = range(_STRETCH, len(pages) + 1, _STRETCH)
    return [(last, people(read, last - _STRETCH + 1, last, most=_NAMES_OF_A_STRETCH)) for last in lasts]
