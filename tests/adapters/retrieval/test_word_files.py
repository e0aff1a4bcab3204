"""A book's words loaded from a file: rankings are identical to the built ones, and clubs share them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.persistence.books import SqlBookRepository
from adapters.readers.choose import reader_for
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed
from core.domain.book import Book, BookText
from core.domain.passage import readable
from core.language.book_memory import BookMemory
from core.language.chunking import chunk_pages
from core.ports.books import StoredChunk
from core.ports.passage_index import Near
from core.ports.word_vectors import WordVectors
from tests.fakes.index_files import InMemoryIndexFiles
from tests.memory import memory_database

_SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample" / "novel.txt"
_QUESTIONS = ("Who is Prewett?", "where was the weighbridge", "What did Hallam tell the clerk?", "Halam", "the sea")


class _CountingBooks(SqlBookRepository):
    def __init__(self) -> None:
        super().__init__(memory_database(), embedding_model_id=None)
        self.taken_apart: list[str] = []

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        self.taken_apart.append(book_id)
        return await super().chunks(book_id)


@dataclass(kw_only=True)
class _House:
    workers: ThreadPoolExecutor
    vectors: WordVectors | None
    books: _CountingBooks = field(default_factory=_CountingBooks)
    files: InMemoryIndexFiles = field(default_factory=InMemoryIndexFiles)

    def index(self, memory: BookMemory | None = None) -> Bm25LexicalIndex:
        """Return the index of a process that has just been started."""
        return Bm25LexicalIndex(
            self.books, workers=self.workers, word_vectors=self.vectors, files=self.files, memory=memory
        )

    async def add(self, text: BookText, *, scope: str = "local") -> Book:
        chunks = chunk_pages(text.pages, text.chapters)
        return (await self.books.add(scope=scope, content_hash="0" * 64, text=text, chunks=chunks))[0]


@pytest.fixture(scope="module")
def sample() -> BookText:
    return reader_for(_SAMPLE).read(_SAMPLE, title="Short Weight", author=None)


@pytest.fixture(params=["words alone", "word vectors"])
def house(request: pytest.FixtureRequest) -> Iterator[_House]:
    if request.param == "word vectors" and not wordllama_is_installed():
        pytest.skip("wordllama has no wheels for this Python")
    vectors = WordLlamaVectors() if request.param == "word vectors" else None
    with ThreadPoolExecutor(max_workers=1) as workers:
        yield _House(workers=workers, vectors=vectors)


async def _rankings(index: Bm25LexicalIndex, book: Book) -> list[list[tuple[int, float]]]:
    return [
        await index.rank(readable(book, page), question, nearest=Near(), limit=50)
        for page in (3, book.pages // 2, book.pages)
        for question in _QUESTIONS
    ]


async def test_rankings_are_the_same_built_and_loaded(house: _House, sample: BookText) -> None:
    book = await house.add(sample)
    built = await _rankings(house.index(), book)
    assert house.files.found == []
    loaded = await _rankings(house.index(), book)
    assert len(house.files.found) == 1
    assert loaded == built
    assert any(built)
    assert house.books.taken_apart == [book.book_id]


async def test_clubs_with_the_same_text_share_its_words_and_get_their_own_passages(
    house: _House, sample: BookText
) -> None:
    ours, theirs = await house.add(sample), await house.add(sample, scope="discord:2")
    index = house.index()
    first = {book.book_id: (await _rankings(index, book))[-1] for book in (ours, theirs)}
    assert house.books.taken_apart == [ours.book_id]
    assert [score for _, score in first[ours.book_id]] == [score for _, score in first[theirs.book_id]]
    for book in (ours, theirs):
        held = {chunk.chunk_id for chunk in await SqlBookRepository.chunks(house.books, book.book_id)}
        assert {chunk_id for chunk_id, _ in first[book.book_id]} <= held
