"""Vectors of reading notes in files: one process makes them, others load them; one byte per number suffices."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.retrieval.note_vectors import NoteVectors
from core.domain.note import Note
from core.domain.passage import readable
from tests.adapters.retrieval.noted import NotedShelf
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.index_files import InMemoryIndexFiles

_NOTES = [
    Note(page=1, text="A passenger boat leaves."),
    Note(page=2, text="A keeper owns timepieces."),
    Note(page=2, text="The timepieces contradict."),
    Note(page=5, text="A burglar takes timepieces."),
]


class _Shelf(NotedShelf):
    """One book with notes; each index stands for another process."""

    def __init__(self, workers: ThreadPoolExecutor) -> None:
        super().__init__()
        self.workers = workers
        self.files = InMemoryIndexFiles()

    def index(self, embeddings: HashEmbeddingProvider) -> NoteVectors:
        return NoteVectors(
            books=self.books, notes=self.notes, embeddings=embeddings, files=self.files, workers=self.workers
        )

    async def found(self, index: NoteVectors, question: str) -> list[int]:
        vector = (await HashEmbeddingProvider().embed([question]))[0]
        near = await index.search(readable(await self.book(), 6), vector, limit=9)
        return [number for number, cosine in near if cosine > 0]


@pytest.fixture
async def shelf() -> AsyncIterator[_Shelf]:
    with ThreadPoolExecutor(max_workers=1) as workers:
        made = _Shelf(workers)
        await made.add(_NOTES)
        yield made


async def test_vectors_made_by_one_process_are_loaded_by_another(shelf: _Shelf) -> None:
    other = HashEmbeddingProvider()
    before = shelf.index(other)
    assert await shelf.found(before, "burglar") == []
    await shelf.index(HashEmbeddingProvider()).complete(await shelf.book())
    await before.complete(await shelf.book())
    assert await shelf.found(before, "burglar") == [3]
    assert await shelf.found(shelf.index(other), "burglar") == [3]
    assert other.batches == []


async def test_a_byte_a_number_keeps_likeness_within_two_thousandths(shelf: _Shelf) -> None:
    embeddings = HashEmbeddingProvider()
    index = shelf.index(embeddings)
    await index.complete(await shelf.book())
    vector = (await embeddings.embed(["A keeper contradicts a passenger."]))[0]
    exact = (await embeddings.embed([note.text for note in _NOTES])) @ vector
    near = dict(await index.search(readable(await shelf.book(), 6), vector, limit=9))
    assert [near[number] for number in range(4)] == pytest.approx(exact.tolist(), abs=0.002)
