"""The reading notes that go along with one question to a model: material for its draft, each given once (ADR 25)."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.extracts.note_material import as_material, stretches
from core.answering.extracts.read_text import ReadText
from core.answering.read_book import ReadNotes
from core.domain.book import Chapter
from core.domain.note import Note
from core.domain.passage import SearchFn, SearchResult, page_shares
from core.understanding.kinds import asked


class TurnNotes:
    """Notes of read pages as text for a model, empty where there are none; those given before are left out.

    What goes along with the question goes along with a new draft's prompt too, letter for letter.
    """

    def __init__(self, *, notes: ReadNotes, chapters: Sequence[Chapter] = ()) -> None:
        self._notes = notes
        self._chapters = chapters
        self._given: set[tuple[int, int]] = set()
        self._along: str | None = None

    async def along_with(self, question: str, query: str, found: Sequence[SearchResult]) -> str:
        """Return those that go along with the question: of the pages it wants told, else those that fit it."""
        if self._along is None:
            self._along = await self._first(question, query, found)
        return self._along

    async def beside(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return those that fit a query, given with what a search found for it."""
        return self._told(await self._notes.material(query, page_shares(found)))

    async def of_pages(self, first_page: int, last_page: int) -> str:
        """Return some of a stretch of pages."""
        return self._told(await self._notes.of_pages(first_page, last_page))

    async def _first(self, question: str, query: str, found: Sequence[SearchResult]) -> str:
        last_page = self._notes.position or 0
        wanted = stretches(asked(question), ReadText(pages=(), chapters=self._chapters), last_page=last_page)
        if not wanted:
            return await self.beside(query, found)
        return self._told([note for stretch in wanted for note in await self._notes.of_pages(*stretch)])

    def _told(self, notes: Sequence[Note]) -> str:
        new = {(note.page, note.number): note for note in notes if (note.page, note.number) not in self._given}
        self._given.update(new)
        return as_material(list(new.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedSearch:
    """A `SearchFn` of a book that has notes: whoever gives a model what it finds gives those along."""

    search: SearchFn
    notes: TurnNotes

    async def __call__(self, query: str, top_k: int) -> list[SearchResult]:
        """Return what the search finds."""
        return await self.search(query, top_k)


def notes_of(search_fn: SearchFn) -> TurnNotes | None:
    """Return the notes that go along with what a search finds, if any do."""
    return search_fn.notes if isinstance(search_fn, NotedSearch) else None
