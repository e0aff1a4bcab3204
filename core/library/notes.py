"""Imports, exports, shows and removes a book's reading notes. `note_making` makes them.

Authors of notes are not trusted: the book's own text decides the page of a note (`Guard.place_notes`).
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from core.domain.book import Book, Page
from core.domain.errors import ThusfarError
from core.domain.note import Note, NotePlace, NotesSummary
from core.domain.passage import readable, whole_text
from core.language.anchors import AnchoredPages
from core.library.note_file import GivenNote, LeftOut, parsed, placed
from core.ports.books import BookTexts
from core.ports.guard import Guard
from core.ports.notes import NoteRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedNotes:
    """The result of an import: how many notes on how many pages, how many were moved, and the lines left out."""

    notes: int
    pages: int
    moved: int
    left_out: tuple[LeftOut, ...]


class Notes:
    """Imports, exports, shows and removes notes, for the command line and organisers."""

    def __init__(self, *, books: BookTexts, notes: NoteRepository, guard: Guard) -> None:
        self._books = books
        self._notes = notes
        self._guard = guard

    async def take(
        self, text: str, *, book: Book, written_by: str | None = None, written_at: datetime | None = None
    ) -> ImportedNotes:
        """Replace a book's notes by those of a file, in one transaction.

        Raises:
            ThusfarError: the file has no note of this book; nothing has changed.
        """
        given, left_out = await asyncio.to_thread(parsed, text)
        pages = await self._books.pages(whole_text(book))
        found = await asyncio.to_thread(lambda: [*placed(given, pages)])
        on_pages = [one for one in found if isinstance(one, GivenNote)]
        left_out += [one for one in found if isinstance(one, LeftOut)]
        author = partial(Note, written_by=written_by, written_at=written_at)
        unchecked = [author(page=one.page, text=one.text) for one in on_pages]
        places = await self._guard.place_notes(unchecked, book=book)
        left_out += [
            LeftOut(line=one.line, reason=place.reason)
            for one, place in zip(on_pages, places, strict=True)
            if place.page is None
        ]
        checked = put_in_place(unchecked, places)
        if not checked:
            why = f": line {left_out[0].line}: {left_out[0].reason}" if left_out else " in it"
            raise ThusfarError(f"There is no note of {book.title}{why}. Nothing has changed.")
        await self._notes.replace(book.book_id, checked)
        return ImportedNotes(
            notes=len(checked),
            pages=len({note.page for note in checked}),
            moved=sum(note.moved for note in checked),
            left_out=tuple(sorted(left_out, key=lambda one: one.line)),
        )

    async def lines(self, book: Book) -> list[str]:
        """Return a book's notes as lines of a file that another club can import.

        Each page has a few words as an anchor, to find it in another edition; the rest of the text is left out. A moved
        note has the page that it was written for, since each import places notes itself.

        Raises:
            ThusfarError: the book has no notes.
        """
        whole = whole_text(book)
        notes = [replace(note, page=note.moved_from or note.page) for note in await self._notes.notes(whole)]
        if not notes:
            raise ThusfarError(f"{book.title} has no notes.")
        anchors = await asyncio.to_thread(_anchors, await self._books.pages(whole), notes)
        return [_line(note, anchors.get(note.page)) for note in sorted(notes, key=lambda note: note.page)]

    async def on_page(self, book: Book, page: int) -> list[Note]:
        """Return the notes of one page. Raises BookError: the book has no such page."""
        return [note for note in await self._notes.notes(readable(book, page)) if note.page == page]

    async def summary(self, book_id: str) -> NotesSummary:
        """Return how many notes a book has."""
        return await self._notes.summary(book_id)

    async def remove(self, book: Book) -> int:
        """Delete a book's notes; return how many there were."""
        return await self._notes.remove(book.book_id)


def put_in_place(notes: Sequence[Note], places: Sequence[NotePlace]) -> list[Note]:
    """Return the notes on the pages that support them, without those that no page supports."""
    return [
        note if place.page == note.page else replace(note, page=place.page, moved_from=note.page)
        for note, place in zip(notes, places, strict=True)
        if place.page is not None
    ]


def _anchors(pages: Sequence[Page], notes: Sequence[Note]) -> dict[int, str | None]:
    anchored = AnchoredPages(pages)
    return {number: anchored.anchor_of(pages[number - 1]) for number in {note.page for note in notes}}


def _line(note: Note, anchor: str | None) -> str:
    fields: dict[str, object] = {"page": note.page, "note": note.text}
    return json.dumps(fields | ({"anchor": anchor} if anchor else {}), ensure_ascii=False)
