"""The guard's indexes in files: a book is indexed once, and then loaded in a few milliseconds."""

from collections.abc import Callable, Iterable
from typing import Final

from core.domain.book import Book, Page
from core.guard.book_index import BookIndex, StemIndex, index_book, index_notes
from core.language.kept_arrays import arrays_of, code_version, index_of
from core.ports.index_files import Arrays, IndexFiles, IndexName

_TOO_FEW: Final[Arrays] = {}
"""The stored value for notes that are too few for an index."""


class KeptIndexes:
    """Loads the guard's indexes, or builds and stores them. CPU and file work only.

    Without `files` nothing is stored.
    """

    def __init__(self, files: IndexFiles | None) -> None:
        self._files = files

    def book(self, book: Book) -> BookIndex | None:
        """Return the stored index of a book's text; None if there is none."""
        arrays = self._load(_of_text(book))
        return None if arrays is None else index_of(BookIndex, arrays)

    def build_book(self, book: Book, pages: Iterable[Page]) -> BookIndex:
        """Index a book's text and store the index."""
        index = index_book(pages)
        self._save(_of_text(book), lambda: arrays_of(index))
        return index

    def notes(self, book: Book) -> tuple[StemIndex | None] | None:
        """Return a tuple with the stored index of a book's notes (None for too few notes); None if none is stored."""
        arrays = self._load(_of_notes(book))
        if arrays is None:
            return None
        return (index_of(StemIndex, arrays) if arrays else None,)

    def build_notes(self, book: Book, notes: Iterable[tuple[int, str]], index: BookIndex) -> StemIndex | None:
        """Index a book's notes and store the index."""
        noted = index_notes(notes, index)
        self._save(_of_notes(book), lambda: arrays_of(noted) if noted is not None else _TOO_FEW)
        return noted

    def _load(self, name: IndexName) -> Arrays | None:
        return self._files.load(name) if self._files is not None else None

    def _save(self, name: IndexName, arrays: Callable[[], Arrays]) -> None:
        if self._files is not None:
            self._files.save(name, arrays())


def _of_text(book: Book) -> IndexName:
    return IndexName(
        content_hash=book.content_hash,
        kind="guard",
        version=f"{_code()} {book.first_story_page} {book.last_story_page}",
    )


def _of_notes(book: Book) -> IndexName:
    kind = f"guard-notes-{book.book_id}"
    return IndexName(content_hash=book.content_hash, kind=kind, version=f"{_code()} {book.notes_id}")


def _code() -> str:
    return code_version("core.language", "core.guard")
