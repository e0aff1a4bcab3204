"""A model reads the whole pages of the best hits, and nothing beyond the gate."""

import pytest

from core.domain.passage import SearchResult, readable
from tests.builders import a_book_text
from tests.unit.world import World

_LONG = " ".join(f"Sentence {number} tells of the lamp and the quay and of nothing else." for number in range(40))


async def _around(world: World, hits: list[tuple[int, float]], *, position: int = 4) -> list[SearchResult]:
    book = await world.add_book(a_book_text([_LONG, "Two.", "Three.", _LONG, "Five.", "Six."]))
    chunks = {chunk.start_page: chunk for chunk in reversed(await world.books.chunks(book.book_id))}
    ranked = [(chunks[page].chunk_id, score) for page, score in hits]
    return await world.search.whole_pages(readable(book, position), ranked)


async def test_the_pieces_of_a_page_come_in_their_order(world: World) -> None:
    shown = await _around(world, [(4, 0.9)])
    assert len(shown) > 1
    assert " ".join(piece.text for piece in shown) == _LONG
    assert {piece.score for piece in shown} == {0.9}


@pytest.mark.parametrize(
    ("hits", "pages"),
    [
        ([], []),
        ([(3, 0.9)], [3]),
        ([(3, 0.9), (2, 0.8)], [3, 2]),
        ([(2, 0.9), (2, 0.8), (1, 0.7)], [2]),
        ([(4, 0.9), (2, 0.8), (3, 0.7)], [4]),
        ([(5, 0.9), (2, 0.8), (3, 0.7)], [2, 3]),
    ],
)
async def test_best_pages_come_first(world: World, hits: list[tuple[int, float]], pages: list[int]) -> None:
    shown = await _around(world, hits)
    assert list(dict.fromkeys(piece.start_page for piece in shown)) == pages
