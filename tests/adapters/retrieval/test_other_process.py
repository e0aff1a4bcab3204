"""A process that has searched a book sees what another process does to it later."""

from pathlib import Path

from bot.wiring import Application
from tests.property.houses import wired
from tests.tiny_minilm import make_tiny_minilm

_PAGES = "The tide had gone out and the boats lay on the mud.\fAda found the ledger in the harbour office."


async def _pages_with(house: Application, book_id: str, words: str) -> list[int]:
    return [found.start_page for found in await house.search.execute(book_id, words, position=2, top_k=1)]


async def test_a_book_removed_and_imported_again_elsewhere_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(_PAGES, encoding="utf-8")
    async with wired(tmp_path / "shared") as here, wired(tmp_path / "shared") as elsewhere:
        book = (await here.library.add(path, scope="local")).book
        assert await _pages_with(here, book.book_id, "ledger") == [2]
        await elsewhere.library.remove(book.book_id)
        again = (await elsewhere.library.add(path, scope="local")).book
        assert again.book_id == book.book_id
        assert await _pages_with(here, book.book_id, "ledger") == [2]
        assert await _pages_with(here, book.book_id, "boats") == [1]


async def test_vectors_that_another_process_finished_are_used(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("\f".join(" ".join([page] * 7) for page in _PAGES.split("\f")), encoding="utf-8")
    minilm = make_tiny_minilm(
        tmp_path / "minilm",
        [_PAGES],
        alike={"zorple": "tide", "zip": "boats", "zap": "mud", "quixby": "harbour", "quip": "office"},
    )
    async with wired(tmp_path / "shared", minilm=minilm) as here:
        async with wired(tmp_path / "shared") as without:
            book = (await without.library.add(path, scope="local")).book
        by_words = [await _pages_with(here, book.book_id, word) for word in ("zorple zip zap", "quixby quip")]
        async with wired(tmp_path / "shared", minilm=minilm) as elsewhere:
            await elsewhere.library.complete(book.book_id)
        # Words that the book does not have: only the dense side can find their neighbours.
        assert [await _pages_with(here, book.book_id, word) for word in ("zorple zip zap", "quixby quip")] == [[1], [2]]
        assert by_words != [[1], [2]]
