"""What every NoteIndex does: it finds notes of read pages alone, once they are embedded."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.notes import SqlNoteRepository
from adapters.retrieval.note_vectors import NoteVectors
from core.domain.note import Note
from core.domain.passage import readable
from core.ports.note_index import NoteIndex
from tests.builders import a_book_text, chunks_of
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.index_files import InMemoryIndexFiles
from tests.fakes.note_index import InMemoryNoteIndex
from tests.memory import memory_database

_NOTES = [
    Note(page=1, text="A passenger boat leaves."),
    Note(page=2, text="A keeper owns timepieces."),
    Note(page=2, text="The timepieces contradict."),
    Note(page=5, text="A burglar takes timepieces."),
]


class _House:
    """One noted book and an index over its notes; `embeddings` tells what was embedded."""

    def __init__(self, make: Callable[["_House"], NoteIndex]) -> None:
        database = memory_database()
        self.books = SqlBookRepository(database, embedding_model_id=None)
        self.notes = SqlNoteRepository(database)
        self.embeddings = HashEmbeddingProvider()
        self.index = make(self)
        self.book_id = ""

    async def add_book(self) -> None:
        text = a_book_text()
        book, _ = await self.books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
        self.book_id = book.book_id
        await self.notes.replace(book.book_id, _NOTES)

    async def complete(self, *, told: list[tuple[int, int]] | None = None) -> None:
        found = [] if told is None else told
        await self.index.complete(await self.books.get(self.book_id), on_done=lambda done, of: found.append((done, of)))

    async def found(self, question: str, *, last_page: int = 6, limit: int = 9) -> list[int]:
        vector = (await HashEmbeddingProvider().embed([question]))[0]
        span = readable(await self.books.get(self.book_id), last_page)
        near = await self.index.search(span, vector, limit=limit)
        assert [cosine for _, cosine in near] == sorted((cosine for _, cosine in near), reverse=True)
        return [number for number, cosine in near if cosine > 0]


@pytest.fixture(params=["memory", "files"])
async def house(request: pytest.FixtureRequest, workers: ThreadPoolExecutor) -> _House:
    def make(house: _House) -> NoteIndex:
        if request.param == "memory":
            return InMemoryNoteIndex(house.notes, house.embeddings)
        return NoteVectors(
            books=house.books,
            notes=house.notes,
            embeddings=house.embeddings,
            files=InMemoryIndexFiles(),
            workers=workers,
        )

    made = _House(make)
    await made.add_book()
    return made


async def test_until_they_are_embedded_nothing_is_near_and_no_question_waits(house: _House) -> None:
    assert await house.found("timepieces") == []
    assert house.embeddings.batches == []
    await house.complete()
    assert sorted(await house.found("timepieces")) == [1, 2, 3]


@pytest.mark.parametrize(("last_page", "numbers"), [(0, []), (1, []), (2, [1, 2]), (4, [1, 2]), (5, [1, 2, 3])])
async def test_notes_of_unread_pages_are_never_found(house: _House, last_page: int, numbers: list[int]) -> None:
    await house.complete()
    assert sorted(await house.found("timepieces", last_page=last_page)) == numbers


async def test_a_book_is_embedded_once_and_anew_when_its_notes_change(house: _House) -> None:
    told: list[tuple[int, int]] = []
    for _ in range(2):
        await house.complete(told=told)
    assert (house.embeddings.batches, told) == ([4], [(4, 4)])
    await house.notes.replace(house.book_id, _NOTES[:2])
    assert await house.found("timepieces") == []
    await house.complete()
    assert await house.found("timepieces") == [1]
    assert house.embeddings.batches == [4, 2]
