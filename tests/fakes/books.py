"""Books, in memory. What hangs on a book goes with it, as foreign keys see to in SQL."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.domain.book import Book, BookEdit, BookOutline, BookStatus, BookText, Chunk, Page, page_ends
from core.domain.book_names import named
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.note import Note, moved_note, numbered
from core.domain.passage import ReadableSpan
from core.ports.books import BookRepository, ChunkMark, StoredChunk
from core.ports.vectors import Vectors

if TYPE_CHECKING:
    from tests.fakes.club_links import InMemoryClubLinks
    from tests.fakes.readings import InMemoryReadingRepository


class InMemoryBookRepository(BookRepository):
    """Books in the order of their import; `vectors`, `notes` and `notes_ids` are the tables that others keep."""

    def __init__(self, *, embedding_model_id: str | None = None) -> None:
        self.removed: dict[str, str] = {}
        self.readings: InMemoryReadingRepository | None = None
        self.links: InMemoryClubLinks | None = None
        self._model_id = embedding_model_id
        self._books: dict[str, Book] = {}
        self._texts: dict[str, BookText] = {}
        self._chunks: dict[str, list[StoredChunk]] = {}
        self._chunk_ids = 0
        self.vectors: dict[tuple[str, int], Vectors] = {}
        self.notes: dict[str, list[Note]] = {}
        self.notes_ids: dict[str, str] = {}

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        book_id = f"b_{hashlib.sha256(f'{scope} {content_hash}'.encode()).hexdigest()[:12]}"
        if book_id in self._books:
            return await self.get(book_id), False
        self._texts[book_id] = text
        self._chunks[book_id] = [self._stored(chunk) for chunk in chunks]
        self._books[book_id] = Book(
            book_id=book_id,
            scope=scope,
            title=text.title,
            author=text.author,
            content_hash=content_hash,
            pages=len(text.pages),
            chapters=len(text.chapters),
            chunks=len(chunks),
            page_source=text.page_source,
            status=BookStatus.SEARCHABLE,
        )
        return await self.get(book_id), True

    async def get(self, book_id: str) -> Book:
        if book_id not in self._books:
            raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
        held = all((self._model_id, chunk.chunk_id) in self.vectors for chunk in self._chunks[book_id])
        complete = self._model_id is None or held
        return replace(
            self._books[book_id],
            status=BookStatus.COMPLETE if complete else BookStatus.SEARCHABLE,
            notes_id=self.notes_ids.get(book_id, ""),
            first_story_page=self._texts[book_id].first_story_page,
        )

    async def find(self, *, scope: str, name: str) -> Book:
        return named(await self.in_scope(scope=scope), name)

    async def latest(self, *, scope: str) -> Book | None:
        ids = [book.book_id for book in self._books.values() if book.scope == scope]
        return await self.get(ids[-1]) if ids else None

    async def in_scope(self, *, scope: str) -> list[Book]:
        books = [await self.get(book.book_id) for book in self._books.values() if book.scope == scope]
        return sorted(books, key=lambda book: (book.title, book.book_id))

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        book, text = await self.get(book_id), self._texts[book_id]
        author = book.author if edit.author is None else edit.author or None
        self._books[book_id] = replace(book, title=edit.title or book.title, author=author)
        self._texts[book_id] = replace(
            text,
            first_story_page=edit.first_story_page or text.first_story_page,
            last_story_page=edit.last_story_page or text.last_story_page,
            chapters=tuple(replace(c, title=edit.chapter_titles.get(c.number, c.title)) for c in text.chapters),
        )

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        book, text = await self.get(book_id), self._texts[book_id]
        originals = self._chunks[book_id]
        text = replace(text, title=book.title, author=book.author)
        chunks = [
            Chunk(number=number, start_page=chunk.start_page, end_page=chunk.end_page, text=chunk.text)
            for number, chunk in enumerate(originals, start=1)
        ]
        copied, is_new = await self.add(scope=scope, content_hash=book.content_hash, text=text, chunks=chunks)
        if is_new:
            pairs = zip(originals, self._chunks[copied.book_id], strict=True)
            for model_id, old_id, new_id in [
                (model_id, old.chunk_id, new.chunk_id)
                for old, new in pairs
                for model_id, chunk_id in self.vectors
                if chunk_id == old.chunk_id
            ]:
                self.vectors[model_id, new_id] = self.vectors[model_id, old_id]
            self._take_notes(book_id, copied.book_id, lambda page: page)
        return await self.get(copied.book_id), is_new

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        await self.get(old_book_id)
        await self.get(new_book_id)
        if self.readings is not None and not self.readings.carry_over(old_book_id, new_book_id, places):
            return False
        if not self.notes.get(new_book_id):
            self._take_notes(old_book_id, new_book_id, places.reveals)
        await self.remove(old_book_id)
        return True

    async def remove(self, book_id: str) -> None:
        self.removed[book_id] = (await self.get(book_id)).title
        if self.links is not None:
            await self.links.removing(book_id)
        gone = {chunk.chunk_id for chunk in self._chunks.pop(book_id)}
        self.vectors = {key: vector for key, vector in self.vectors.items() if key[1] not in gone}
        self.notes.pop(book_id, None)
        self.notes_ids.pop(book_id, None)
        del self._books[book_id], self._texts[book_id]

    async def outline(self, book_id: str) -> BookOutline:
        await self.get(book_id)
        text = self._texts[book_id]
        labels = {page.label: page.number for page in reversed(text.pages) if page.label}
        return BookOutline(
            pages=len(text.pages),
            labels=labels,
            chapters=text.chapters,
            ends=page_ends([page.start_offset for page in text.pages], _length(text)),
            first_story_page=text.first_story_page,
            last_story_page=text.last_story_page,
        )

    async def pages(self, span: ReadableSpan) -> list[Page]:
        text = self._texts.get(span.book_id)
        return [page for page in text.pages if span.first_page <= page.number <= span.last_page] if text else []

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        return self._story(book_id)

    async def chunk_marks(self, book_id: str) -> list[ChunkMark]:
        held = self._story(book_id)
        return [ChunkMark(chunk_id=each.chunk_id, end_page=each.end_page, length=len(each.text)) for each in held]

    async def content_hashes(self) -> set[str]:
        return {book.content_hash for book in self._books.values()}

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        wanted = set(chunk_ids)
        held = self._chunks.get(span.book_id, [])
        return [
            chunk
            for chunk in held
            if chunk.chunk_id in wanted and span.first_page <= chunk.start_page and chunk.end_page <= span.last_page
        ]

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        held = self._chunks.get(span.book_id, [])
        return [
            chunk
            for chunk in held
            if chunk.start_page in pages and span.first_page <= chunk.start_page and chunk.end_page <= span.last_page
        ]

    async def chunks_beside(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        held = self._chunks.get(span.book_id, [])
        return await self.chunks_of_pages(span, [chunk.start_page for chunk in held if chunk.chunk_id in chunk_ids])

    def all(self) -> list[Book]:
        return list(self._books.values())

    def holds(self, book_id: str) -> bool:
        return book_id in self._books

    def holds_chunk(self, chunk_id: int) -> bool:
        return any(chunk.chunk_id == chunk_id for chunks in self._chunks.values() for chunk in chunks)

    def _take_notes(self, old_book_id: str, new_book_id: str, moved: Callable[[int], int | None]) -> None:
        """Give a book the notes of another that may be used, each on the page where its own has come to stand."""
        if old_book_id not in self.notes_ids:
            return
        taken = [moved_note(note, moved) for note in self.notes[old_book_id]]
        self.notes[new_book_id] = [replace(note, number=number) for number, note in numbered(taken)]
        self.notes_ids[new_book_id] = self.notes_ids[old_book_id]

    def _story(self, book_id: str) -> list[StoredChunk]:
        held = self._chunks.get(book_id, [])
        return [each for each in held if each.start_page >= self._texts[book_id].first_story_page]

    def _stored(self, chunk: Chunk) -> StoredChunk:
        self._chunk_ids += 1
        return StoredChunk(
            chunk_id=self._chunk_ids, start_page=chunk.start_page, end_page=chunk.end_page, text=chunk.text
        )


def _length(text: BookText) -> int:
    return text.pages[-1].start_offset + len(text.pages[-1].text)
