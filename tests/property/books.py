"""Made-up books with blank pages, chapters and odd characters, and the store they are put in."""

import itertools
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.database import Database
from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from core.answering.dense import DenseSearch
from core.answering.search import SearchBooksUseCase
from core.domain.book import Book, BookText, Chapter, Page, PageSource
from core.language.chunking import chunk_pages

WORDS = ("river", "Holmes", "holmes's", "the", "walked", "lock", "夜", "Ελένη", "café", "cafe\u0301", "ﬁre", "42", "🎉")
_ODD = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\f\x00"), min_size=1, max_size=40)
_SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(lambda words: " ".join(words) + ". ")
_PAGE = st.one_of(
    st.sampled_from(["", " ", "\n\n", "\u2028\u00a0"]),
    st.lists(st.one_of(_SENTENCE, _SENTENCE, _ODD, st.just("\n\n")), min_size=1, max_size=6).map("".join),
    st.integers(min_value=200, max_value=700).map(lambda count: "The sea lay flat and grey. " * (count // 6)),
)
QUERIES = st.one_of(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), _ODD)


@st.composite
def books(draw: st.DrawFn) -> BookText:
    """Draw a book of one to seven pages, with chapters that may share a page; its story begins on any of them."""
    texts = draw(st.lists(_PAGE, min_size=1, max_size=7))
    starts = draw(st.lists(st.integers(1, len(texts)), max_size=3, unique=True).map(sorted))
    chapters = tuple(
        Chapter(number=number, title=f"Chapter {number}", first_page=first, last_page=last)
        for number, (first, last) in enumerate(itertools.pairwise([*starts, len(texts)]), 1)
    )
    pages = tuple(Page(number=number, text=text) for number, text in enumerate(texts, 1))
    return BookText(
        title="Made up",
        author=None,
        pages=pages,
        chapters=chapters,
        page_source=PageSource.FORM_FEEDS,
        first_story_page=draw(st.integers(1, len(texts))),
    )


def with_front(text: BookText, told: str) -> BookText:
    """Return the book with other words on the pages before its story."""
    pages = (replace(page, text=told) if page.number < text.first_story_page else page for page in text.pages)
    return replace(text, pages=tuple(pages))


def cut_after(text: BookText, page: int) -> BookText:
    """Return the book as if it ended after a page."""
    chapters = tuple(
        replace(chapter, last_page=min(chapter.last_page, page))
        for chapter in text.chapters
        if chapter.first_page <= page
    )
    return replace(text, pages=text.pages[:page], chapters=chapters)


@dataclass(frozen=True)
class Shelf:
    """SQL and the lexical index over it; every book gets a scope of its own."""

    database: Database
    books: SqlBookRepository
    lexical: Bm25LexicalIndex
    search: SearchBooksUseCase
    numbers: "itertools.count[int]"

    async def add(self, text: BookText) -> Book:
        """Store a book with the chunks that an import gives it."""
        chunks = chunk_pages(text.pages, text.chapters)
        number = next(self.numbers)
        book, _ = await self.books.add(scope=f"test:{number}", content_hash=str(number), text=text, chunks=chunks)
        return book

    async def add_pages(self, texts: Sequence[str]) -> Book:
        """Store a book without chapters, of a page a text."""
        pages = tuple(Page(number=number, text=text) for number, text in enumerate(texts, 1))
        return await self.add(
            BookText(title="Made up", author=None, pages=pages, chapters=(), page_source=PageSource.FORM_FEEDS)
        )


@contextmanager
def shelf(empty_database: Path, folder: Path) -> Iterator[Shelf]:
    """Open an empty shelf in a folder."""
    with ThreadPoolExecutor(max_workers=1) as workers:
        database = Database(f"sqlite:///{shutil.copy(empty_database, folder / 'books.db')}")
        yield _shelf(database, workers)
        database.close()


def _shelf(database: Database, workers: ThreadPoolExecutor) -> Shelf:
    repository = SqlBookRepository(database, embedding_model_id=None)
    lexical = Bm25LexicalIndex(repository, workers=workers)
    words_alone = DenseSearch([], vectors=SqlVectorRepository(database))
    return Shelf(
        database=database,
        books=repository,
        lexical=lexical,
        search=SearchBooksUseCase(books=repository, lexical=lexical, dense=words_alone),
        numbers=itertools.count(),
    )
