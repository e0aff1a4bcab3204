"""The spoiler guard: judges each sentence of a text against read and unread pages (ADR 14).

`judge` has the rules. This module loads books, checks positions, and moves long work to threads.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from core.domain.book import Book
from core.domain.note import Note, NotePlace
from core.domain.off_loop import off_loop
from core.domain.passage import readable
from core.domain.position import Position
from core.domain.verdict import Judgement, Signal
from core.guard.book_index import BookIndex, StemIndex
from core.guard.given_away import TwoPages, given_away
from core.guard.judge import Exempt, Judge
from core.guard.kept_index import KeptIndexes
from core.guard.note_check import NoteCheck
from core.guard.score import fitted_score
from core.language.book_memory import BookCache, BookMemory
from core.ports.books import BookTexts
from core.ports.guard import Guard
from core.ports.index_files import IndexFiles
from core.ports.notes import NoteRepository

GuardLevel = Literal["balanced", "strict"]
# Up to this many characters take at most 10 ms of CPU on a long novel; longer texts are judged in a thread.
_LOOKED_AT_AT_ONCE = 4_000
# A note takes about a millisecond.
_NOTES_AT_ONCE = 9


class SpoilerGuard(Guard):
    """Judges every draft before anything is posted. Needs no model; loads a book when it is first used.

    Args:
        books: the stored books.
        notes: the stored reading notes, which help to score leaks; None to use the books' text alone.
        level: `strict` passes only sentences that read text supports.
        memory: limits the cached indexes, together with the other caches of books.
        files: stores built indexes; None to build them in each process.
    """

    def __init__(
        self,
        *,
        books: BookTexts,
        notes: NoteRepository | None = None,
        level: GuardLevel = "balanced",
        memory: BookMemory | None = None,
        files: IndexFiles | None = None,
    ) -> None:
        memory = memory or BookMemory()
        self._books = books
        self._notes = notes
        self._strict = level == "strict"
        self._kept = KeptIndexes(files)
        self._held: BookCache[BookIndex] = BookCache("guard", memory)
        self._held_notes: BookCache[StemIndex | None] = BookCache("guard_notes", memory)

    async def judge(
        self,
        text: str,
        *,
        book: Book,
        position: Position,
        question: str | None = None,
        speakers: Collection[str] = (),
        any_language: bool = False,
    ) -> Judgement:
        """Return a verdict for each sentence of a text.

        `question` is what the text answers; `speakers` are the names of the people in the conversation. With
        `any_language`, a sentence may be in a known language that is not the book's.

        Raises:
            BookError: the position is outside the book.
        """
        judge = await self._judge(book, position)
        exempt = Exempt.of(book.title, book.author, question, speakers)
        return await off_loop(text, judge.verdicts, text, exempt, question=question, any_language=any_language)

    async def is_background(self, text: str, *, book: Book, position: Position, question: str) -> bool:
        """Whether a sentence has no name of the question or the book, read or unread, and does not score as a leak.

        The author may be named. A title may not, since it may be a character's name.

        Raises:
            BookError: the position is outside the book.
        """
        judge = replace(await self._judge(book, position), strict=False)
        of_author = Exempt.of("", book.author, question)
        exempt = replace(of_author, always=frozenset(), asked=of_author.asked - of_author.always)
        return await off_loop(text, judge.is_background, text, exempt)

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        """Return the highest unread page that a member's message certainly reveals; None if there is none.

        Raises:
            BookError: the position is outside the book.
        """
        judge = await self._judge(book, position)
        exempt = Exempt.of(book.title, book.author, None)
        if len(text) > _LOOKED_AT_AT_ONCE:
            return await asyncio.to_thread(judge.revealed_page, text, exempt)
        return judge.revealed_page(text, exempt)

    async def gives_away(
        self, text: str, *, book: Book, position: Position, own_page: int, speakers: Collection[str] = ()
    ) -> Signal | None:
        """Return why a member's post certainly reveals something, compared with the pages they have read; or None.

        Raises:
            BookError: a page is outside the book.
        """
        page, own_page = (readable(book, each).last_page for each in (position, own_page))
        if own_page <= page:
            return None
        pages = TwoPages(
            index=await self._index(book),
            notes=await self._notes_on(book) if book.notes_id else None,
            fitted=fitted_score(),
            page=page,
            own_page=own_page,
        )
        exempt = Exempt.of(book.title, book.author, None, speakers)
        return await asyncio.to_thread(given_away, text[:_LOOKED_AT_AT_ONCE], pages, exempt)

    async def prepare(self, book: Book) -> None:
        """Build the index of a book and store it, before the first question."""
        await self._index(book)

    async def place_notes(self, notes: Sequence[Note], *, book: Book) -> list[NotePlace]:
        """Return for each note the first page, not before its own, whose text supports it, or why there is none."""
        check = await self._note_check(book)
        return await asyncio.to_thread(lambda: [check.place(note.text, note.page) for note in notes])

    async def notes_to_show(self, notes: Sequence[Note], *, book: Book, position: Position) -> list[Note]:
        """Return the notes whose own pages support them and that reveal no unread text. Many are checked in a thread.

        Raises:
            BookError: the position is outside the book.
        """
        last_page = readable(book, position).last_page
        check = await self._note_check(book)

        def shown() -> list[Note]:
            return [note for note in notes if check.may_be_shown(note, last_page=last_page)]

        return shown() if len(notes) <= _NOTES_AT_ONCE else await asyncio.to_thread(shown)

    async def _note_check(self, book: Book) -> NoteCheck:
        return NoteCheck(
            index=await self._index(book),
            exempt=Exempt.of(book.title, book.author, None),
            fitted=fitted_score(),
        )

    async def _judge(self, book: Book, position: Position) -> Judge:
        last_page = readable(book, position).last_page
        return Judge(
            index=await self._index(book),
            last_page=last_page,
            fitted=fitted_score(),
            strict=self._strict,
            notes=await self._notes_on(book) if book.notes_id else None,
        )

    async def _index(self, book: Book) -> BookIndex:
        """Return the index of a book's text, shared by all clubs that read it."""
        return await self._held.get(
            book.content_hash, f"{book.first_story_page} {book.last_story_page}", lambda: self._build(book)
        )

    async def _notes_on(self, book: Book) -> StemIndex | None:
        return await self._held_notes.get(book.book_id, book.notes_id, lambda: self._build_notes(book))

    async def _build_notes(self, book: Book) -> StemIndex | None:
        if self._notes is None:
            return None
        kept = await asyncio.to_thread(self._kept.notes, book)
        if kept is not None:
            return kept[0]
        index = await self._index(book)
        notes = await self._notes.notes(readable(book, book.pages))
        # Moved notes are left out: most of them were on the right page, so their new page is no evidence.
        stayed = [(note.page, note.text) for note in notes if not note.moved]
        return await asyncio.to_thread(self._kept.build_notes, book, stayed, index)

    async def _build(self, book: Book) -> BookIndex:
        kept = await asyncio.to_thread(self._kept.book, book)
        if kept is not None:
            return kept
        pages = await self._books.pages(readable(book, book.pages))
        return await asyncio.to_thread(self._kept.build_book, book, pages)
