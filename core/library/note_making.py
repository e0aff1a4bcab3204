"""Has a model write a book's notes, batch by batch, within a budget; what is made is kept as it goes.

Called by `thusfar notes make`, and by the organisers' command through `note_jobs`. The batches know nothing of one
another but the names that the book's own text has brought up before them, so that a few can be asked for at once.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
from core.domain.passage import whole_text
from core.domain.tool_use import TokenUsage
from core.language.sentences import word_count
from core.library.note_writer import NoteWriter, WrittenNotes
from core.library.notes import put_in_place
from core.ports.books import BookRepository
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
"""What fewer pages at a time may mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLimits:
    """How many words of the book go into one call, how many calls are made side by side, and what they may take.

    `most_tokens` bounds what one book's notes take in all, tokens in and out, unless whoever asks says otherwise.
    """

    words: int = 2_000
    at_once: int = 4
    most_tokens: int = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEstimate:
    """What the notes that are missing will about take; `cost` is in US dollars, None where the price is not known."""

    pages: int
    calls: int
    usage: TokenUsage
    cost: Decimal | None
    provider: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeNotes:
    """What became of it: all that is kept, what it took in all, and how many pages are still to be noted."""

    summary: NotesSummary
    usage: TokenUsage
    pages_left: int


class NoteMaker:
    """Makes the notes of books, one after the other or side by side."""

    def __init__(
        self,
        *,
        books: BookRepository,
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
        """The model that is asked."""
        return self._writer.model

    async def estimate(self, book: Book) -> NoteEstimate:
        """Say what the notes that a book still lacks will take.

        Raises:
            ThusfarError: it has all its notes.
        """
        await self._check_lacking(book)
        making = await self._making(book)
        pages = await self._books.pages(whole_text(book))
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
        """Make the notes that a book lacks; once all are there, they are used. What is kept stays, whatever happens.

        Raises:
            ThusfarError: it has all its notes, or the model's answers cannot be read.
            LLMError: the model cannot be reached.
        """
        await self._check_lacking(book)
        making = await self._notes.begin(
            book.book_id, most_tokens=most_tokens or self._limits.most_tokens, asked_in=asked_in
        )
        pages = await self._books.pages(whole_text(book))
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

    async def _work(self, run: "_NoteRun") -> None:
        """Have a few batches made at once; the first error ends it, after what is under way is kept."""
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
        """Keep the pages that were answered; the others are asked for again, fewer at a time, a few times."""
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
    """Pages in a row that go into one call; `tries` is how often they were asked for in vain."""

    pages: Sequence[Page]
    tries: int = 0


@dataclass(kw_only=True)
class _NoteRun:
    """One making under way: what is to do, what is kept, and what was spent and stands in no kept batch yet."""

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
        """Whether there is more to do, and something left to do it with."""
        return bool(self.todo) and self.wanted and not self.making.is_spent

    def names_before(self, batch: _Batch) -> list[str]:
        """Return whom the pages before a batch name most often."""
        first = batch.pages[0].number
        counts = Counter(name for last, names in self.names if last < first for name in names)
        return [name for name, _ in counts.most_common(_NAMES_GIVEN)]

    def count(self, written: WrittenNotes, model: str) -> None:
        """Count answers in a row of which nothing can be used. Raises ThusfarError: there are too many."""
        self.empty = 0 if written.notes else self.empty + 1
        if self.empty >= _MOST_EMPTY:
            raise ThusfarError(f"{model} does not answer in a form that notes can be read from; another model may.")

    def is_now(self, making: NoteMaking | None) -> None:
        """Take note of what is kept."""
        self.wanted = self.wanted and making is not None
        if making is not None:
            self.making = making
            self.tell()

    def tell(self) -> None:
        """Tell whoever watches how many pages are noted."""
        if self.on_progress is not None:
            left = len(self.making.pages_left(self.book.pages))
            self.on_progress(sentence("noting"), self.book.pages - left, self.book.pages)


def _batches(pages: Sequence[Page], wanted: Iterable[int], words: int) -> list[list[Page]]:
    """Divide the wanted pages into runs of about so many words."""
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
    """Divide a batch into pages in a row that were answered, and such that are to be asked for again.

    A page with little on it may go without notes, as may one that was asked for often enough.
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
    """Divide pages that were asked for in vain into two halves; at the last try, each goes alone."""
    size = 1 if tries + 1 >= _TRIES else max(len(pages) // 2, 1)
    return [_Batch(pages=pages[at : at + size], tries=tries) for at in range(0, len(pages), size)]


def _names_by_stretch(pages: Sequence[Page]) -> list[tuple[int, list[str]]]:
    """Return who comes up in each few pages, with the last of them."""
    read = ReadText(pages)
    lasts = range(_STRETCH, len(pages) + 1, _STRETCH)
    return [(last, people(read, last - _STRETCH + 1, last, most=_NAMES_OF_A_STRETCH)) for last in lasts]
