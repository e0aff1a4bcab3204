"""Import, embed, list, remove: one book a scope and content, searchable at once, complete when embedded."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.persistence.tables import ChunkVectorRow
from core.answering.dense import DenseSearch, Rung
from core.domain.book import Book, BookEdit, BookStatus, Chapter
from core.domain.errors import BookError, LLMError, LLMErrorCode
from core.library.library import Derived, Library, content_hash
from core.ports.vectors import Vectors
from tests.builders import STORY, a_book_text
from tests.fakes.book_reader import InMemoryBookReader
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.index_files import InMemoryIndexFiles
from tests.unit.world import World

_LONG = a_book_text([f"Page {number} tells of compass {number}." for number in range(1, 131)], title="Long")
_MARROW, _LONG_PATH = Path("marrow.txt"), Path("long.txt")


class _FailingEmbeddingProvider(HashEmbeddingProvider):
    """Breaks down after so many batches."""

    def __init__(self, *, batches: int, error: Exception | None = None) -> None:
        super().__init__()
        self._left = batches
        self._error = error or LLMError(LLMErrorCode.UNAVAILABLE, "nobody answers")

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self._left -= 1
        if self._left < 0:
            raise self._error
        return await super().embed(texts)


def _library(
    world: World,
    *,
    embeddings: HashEmbeddingProvider | None = None,
    dense: bool = True,
    derived: Derived | None = None,
    reader: InMemoryBookReader | None = None,
) -> Library:
    reader = reader or InMemoryBookReader(marrow=a_book_text(), long=_LONG)
    rung = Rung(embeddings=embeddings or world.embeddings, passages=world.passages)
    return Library(
        books=world.books,
        lexical=world.lexical,
        dense=DenseSearch([rung] if dense else [], vectors=world.vectors),
        reader_for=lambda _path: reader,
        derived=derived,
    )


async def test_a_book_without_spaces_is_refused_and_leaves_nothing(world: World) -> None:
    reader = InMemoryBookReader(marrow=a_book_text(["吾輩は猫である。名前はまだ無い。"] * 3))
    with pytest.raises(BookError, match="read Japanese well enough yet"):
        await _library(world, reader=reader).add(_MARROW, scope="local")
    assert await world.books.in_scope(scope="local") == []


async def test_a_removed_book_is_gone_from_store_and_indexes(world: World) -> None:
    library = _library(world)
    book_id = (await library.add(_MARROW, scope="local")).book.book_id
    world.passages.refreshed.clear()
    await library.remove(book_id)
    with pytest.raises(BookError):
        await library.get(book_id)
    assert await library.latest(scope="local") is None
    assert (world.lexical.refreshed, world.passages.refreshed) == ([book_id], [book_id])
    assert await world.rows(ChunkVectorRow) == []


async def test_what_embedding_left_undone_is_searchable_and_completed_later(world: World) -> None:
    await _library(world, embeddings=_FailingEmbeddingProvider(batches=1)).add(_LONG_PATH, scope="local")
    [book] = await world.books.in_scope(scope="local")
    assert (book.status, book.chunks) == (BookStatus.SEARCHABLE, 130)
    assert await world.vectors.count(book.book_id, world.embeddings.model_id) == 64
    told: list[tuple[str, int, int]] = []
    await _library(world).complete(book.book_id, on_progress=lambda *progress: told.append(progress))
    assert told == [("getting ready", 128, 130), ("getting ready", 130, 130)]
    assert world.embeddings.batches == [64, 2]
    assert (await world.books.get(book.book_id)).status is BookStatus.COMPLETE


class _FailingIndex:
    """Breaks down at the first books."""

    def __init__(self, *, times: int) -> None:
        self._left = times

    async def prepare(self, book: Book) -> None:
        self._left -= 1
        if self._left >= 0:
            raise KeyError(book.title)


@pytest.mark.parametrize("embeddings", [None, _FailingEmbeddingProvider(batches=1, error=OSError("no more memory"))])
async def test_an_import_whose_index_fails_half_way_leaves_nothing(
    world: World, embeddings: _FailingEmbeddingProvider | None
) -> None:
    files = InMemoryIndexFiles()
    derived = Derived(books=world.books, files=files, indexes=[_FailingIndex(times=1)])
    with pytest.raises(BookError, match="couldn't index Long, so I haven't kept it"):
        await _library(world, embeddings=embeddings, derived=derived).add(_LONG_PATH, scope="local")
    assert await world.books.in_scope(scope="local") == []
    assert await world.rows(ChunkVectorRow) == []
    again = await _library(world, derived=Derived(books=world.books, files=files, indexes=[])).add(
        _LONG_PATH, scope="local"
    )
    assert (again.is_new, again.book.status) == (True, BookStatus.COMPLETE)


_PAGES = st.lists(st.text(alphabet="ab \n", max_size=6), min_size=1, max_size=4)


@given(_PAGES, _PAGES)
def test_the_hash_tells_pages_and_their_breaks_apart_and_nothing_else(one: list[str], other: list[str]) -> None:
    same = content_hash(a_book_text(one)) == content_hash(a_book_text(other, title="Other", author=None))
    assert same is (one == other)


@pytest.mark.parametrize(
    ("pages", "author"),
    [(["Quite another story, told by somebody else altogether."], "E. Hale"), ([*STORY, "More."], "A. Nother")],
)
async def test_another_book_of_the_same_title_stands_beside_it(world: World, pages: list[str], author: str) -> None:
    reader = InMemoryBookReader(marrow=a_book_text(), other=a_book_text(pages, author=author))
    library = Library(books=world.books, lexical=world.lexical, dense=world.dense, reader_for=lambda _path: reader)
    await library.add(_MARROW, scope="local")
    assert not (await library.add(Path("other.txt"), scope="local")).replaces
    assert len(await library.in_scope(scope="local")) == 2


async def test_where_a_club_reads_both_imports_both_stay(world: World) -> None:
    reader = InMemoryBookReader(marrow=a_book_text(), new=a_book_text([*STORY, "More."], title="New"))
    library = Library(books=world.books, lexical=world.lexical, dense=world.dense, reader_for=lambda _path: reader)
    for name in ("marrow.txt", "new.txt"):
        await world.reading(position=3, book=(await library.add(Path(name), scope="discord:1")).book)
    assert not (await library.add(Path("new.txt"), scope="discord:1", title="The Marrow Light")).replaces
    assert len(await library.in_scope(scope="discord:1")) == 2


async def test_a_book_is_mended(world: World) -> None:
    chapters = (Chapter(number=1, title="The Clam", first_page=1, last_page=6),)
    book = await world.add_book(a_book_text(chapters=chapters))
    library = _library(world)
    mended = await library.edit(
        book.book_id, BookEdit(title="Marrow", first_story_page=2, chapter_titles={1: "The Calm"})
    )
    assert (mended.title, mended.author) == ("Marrow", "E. Hale")
    outline = await library.outline(book.book_id)
    assert (outline.first_story_page, outline.chapters[0].title) == (2, "The Calm")


@pytest.mark.parametrize(
    "edit",
    [
        BookEdit(title="  "),
        BookEdit(title="Mine", first_story_page=7),
        BookEdit(title="Mine", first_story_page=4, last_story_page=3),
        BookEdit(title="Mine", last_story_page=7),
        BookEdit(title="Mine", chapter_titles={1: "None such"}),
    ],
)
async def test_what_cannot_be_mended_so_stays_as_it_is(world: World, edit: BookEdit) -> None:
    book = await world.add_book()
    with pytest.raises(BookError):
        await _library(world).edit(book.book_id, edit)
    assert await world.books.get(book.book_id) == book


async def test_a_book_that_is_shared_is_complete_there_without_new_vectors(world: World) -> None:
    library = _library(world)
    book = (await library.add(_MARROW, scope="local")).book
    shared = await library.share(book.book_id, scope="discord:9")
    assert (shared.is_new, shared.book.scope, shared.book.status) == (True, "discord:9", BookStatus.COMPLETE)
    assert world.embeddings.batches == [6]
    assert shared.book.book_id in world.passages.refreshed
    assert not (await library.share(book.book_id, scope="discord:9")).is_new
    await library.remove(book.book_id)
    assert await library.in_scope(scope="discord:9") == [shared.book]
