"""Reading notes: what each page of a book tells, in plain sentences that are never taken for the book's own text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from core.domain.passage import SearchResult
from core.domain.tool_use import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One plain sentence of what one page tells: evidence, and a key to its page; never the book's text.

    `number` counts from 1 on its page and is given when the note is stored. `written_by` is the model that wrote it,
    None where nobody says; `written_at` is in UTC. `moved_from` is the page it was written for where it
    told more than that: it stands on the first page that tells it as far as words can say, and is never shown.
    """

    page: int
    text: str
    number: int = 0
    written_by: str | None = None
    written_at: datetime | None = None
    moved_from: int | None = None

    @property
    def moved(self) -> bool:
        """Whether it stands on another page than the one it was written for."""
        return self.moved_from is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePlace:
    """Where a note belongs by the book's text: the page on which it is first told, or None and why it has none."""

    page: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBatch:
    """What one call of a model made of some pages in a row: its notes, which may tell of later pages, and its cost."""

    first_page: int
    last_page: int
    notes: tuple[Note, ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMaking:
    """Notes that are being made: how many tokens they may take in all, what was done, and what that took.

    `done` are first and last pages of the batches that are kept, in the order of the book. `asked_in` is the place on a
    platform from which they were asked for; empty for the command line.
    """

    book_id: str
    most_tokens: int
    asked_in: str = ""
    done: tuple[tuple[int, int], ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self.usage.input_tokens + self.usage.output_tokens >= self.most_tokens

    def pages_left(self, pages: int) -> list[int]:
        """Return the pages of a book of so many pages that are still to be noted."""
        done = {page for first, last in self.done for page in range(first, last + 1)}
        return [page for page in range(1, pages + 1) if page not in done]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesSummary:
    """How many notes a book has, on how many pages, and who wrote them; what is being made counts too."""

    notes: int = 0
    pages: int = 0
    written_by: tuple[str, ...] = ()


class NotesForModel(Protocol):
    """Reading notes that go along with one question to a model, as text; each note is given once."""

    async def along_with(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes that go along with the question; `found` are the passages of the search for `query`."""

    async def beside(self, query: str, found: Sequence[SearchResult]) -> str:
        """Return the notes that fit a query and the passages that were found for it."""

    async def of_pages(self, first_page: int, last_page: int) -> str:
        """Return some notes of a stretch of pages."""


def moved_note(note: Note, moved: Callable[[int], int | None]) -> Note:
    """Return a note on the page where its own has come to stand in another import of its book."""
    came_from = None if note.moved_from is None else moved(note.moved_from) or note.moved_from
    return replace(note, page=moved(note.page) or note.page, moved_from=came_from)


def numbered(notes: Sequence[Note]) -> list[tuple[int, Note]]:
    """Return the notes with their numbers on their pages, in the order of the book."""
    counts: dict[int, int] = {}
    found = []
    for note in sorted(notes, key=lambda note: note.page):
        counts[note.page] = counts.get(note.page, 0) + 1
        found.append((counts[note.page], note))
    return found
