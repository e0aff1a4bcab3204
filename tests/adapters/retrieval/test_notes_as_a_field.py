"""Reading notes are a second field of their page: they find it, and notes of unread pages count for nothing."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapters.retrieval.lexical_index import Bm25LexicalIndex
from core.domain.note import Note
from core.domain.passage import readable
from core.ports.passage_index import Near
from tests.adapters.retrieval.noted import NotedShelf

_NOTES = [
    Note(page=2, text="The man at the beacon owns timepieces that contradict one another."),
    Note(page=4, text="A burglar takes the instrument."),
    Note(page=6, text="The judge admits to the murder."),
]


class _Shelf(NotedShelf):
    """One book with an index that knows its notes."""

    def __init__(self, workers: ThreadPoolExecutor) -> None:
        super().__init__()
        self.index = Bm25LexicalIndex(self.books, workers=workers, notes=self.notes)

    async def pages(self, question: str, *, last_page: int = 6) -> list[int]:
        return [page for page, _ in await self.scores(question, last_page=last_page)]

    async def scores(self, question: str, *, last_page: int = 6) -> list[tuple[int, float]]:
        page_of = {chunk.chunk_id: chunk.start_page for chunk in await self.books.chunks(self.book_id)}
        span = readable(await self.book(), last_page)
        found = await self.index.rank(span, question, nearest=Near(), limit=9)
        return [(page_of[chunk_id], score) for chunk_id, score in found]


@pytest.fixture
async def shelf() -> AsyncIterator[_Shelf]:
    with ThreadPoolExecutor(max_workers=1) as workers:
        made = _Shelf(workers)
        await made.add(_NOTES)
        yield made


@pytest.mark.parametrize(
    ("question", "page"),
    [("Who owns timepieces?", 2), ("What did the burglar take?", 4), ("Who admits to a murder?", 6)],
)
async def test_a_note_finds_its_page_where_the_text_has_none_of_the_words(
    shelf: _Shelf, question: str, page: int
) -> None:
    assert await shelf.pages(question) == [page]


async def test_text_and_notes_both_count(shelf: _Shelf) -> None:
    assert (await shelf.pages("Which burglar stole the compass?"))[0] == 4
    assert (await shelf.pages("Who kept seven clocks?"))[0] == 2


@pytest.mark.parametrize("last_page", range(1, 7))
async def test_notes_of_unread_pages_weigh_nothing(shelf: _Shelf, last_page: int) -> None:
    questions = ["Who admits to the murder?", "Who has the compass?", "timepieces that contradict, and the burglar"]
    known = [await shelf.scores(question, last_page=last_page) for question in questions]
    assert all(page <= last_page for found in known for page, _ in found)
    await shelf.notes.replace(shelf.book_id, [note for note in _NOTES if note.page <= last_page])
    assert [await shelf.scores(question, last_page=last_page) for question in questions] == known


async def test_incomplete_and_removed_notes_are_ignored(shelf: _Shelf) -> None:
    await shelf.notes.remove(shelf.book_id)
    assert await shelf.pages("Who owns timepieces?") == []
    assert (await shelf.pages("Who kept seven clocks?")) == [2]
