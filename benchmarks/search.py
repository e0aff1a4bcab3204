"""Page-filtered search beside langchain-chroma's usual layout (one collection, `where`), on 100 books in one run.

    pip install -e . --group bench
    python -m benchmarks.search [BOOKS]

CPU of this process a query, medians over the same questions at the same positions. The peer does page-filtered dense
search over chunks; beside it stand our page-filtered dense search, over windows of 30 words, and our whole search
(words, likeness and meaning ranked, the text read again through the gate). The embedding is MiniLM where its model is
at hand, else a stand-in of the same form, whose own time is next to nothing. Goals: dense beside dense at most a fifth
of the peer's CPU, recall@5 at least 0.995 against exact search, no growth from 1 to 100 books.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from adapters.retrieval.minilm_embedding import minilm_is_in
from benchmarks.labelled import SAMPLE, throwaway_house
from benchmarks.peer import chroma_of, embedded_as_ours
from bot.providers import minilm_folder
from bot.settings import Embeddings, Settings
from bot.wiring import Application
from core.domain.book import Book
from core.domain.passage import readable
from tests.tiny_minilm import make_tiny_minilm

_BOOKS = 100
_PAGES = 150
_QUERIES = 60
_K = 5
_NEAREST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked of which book at which page."""

    book: Book
    text: str
    page: int


def _made_up_book(number: int) -> str:
    """Pages of the sample with a fifth of their words exchanged, so that no two books are alike."""
    chance = random.Random(number)
    pages = (SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")
    words = [word for page in pages for word in page.split()]
    made = []
    for _ in range(_PAGES):
        page = chance.choice(pages).split()
        made.append(" ".join(chance.choice(words) if chance.random() < 0.2 else word for word in page))
    return "\f".join(made)


async def _import(house: Application, numbers: range) -> list[Book]:
    books = []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            path = Path(folder) / f"book{number}.txt"
            path.write_text(_made_up_book(number), encoding="utf-8")
            books.append((await house.library.add(path, scope="local", title=f"Book {number}")).book)
    return books


def _queries(books: Sequence[Book]) -> list[Query]:
    chance, books_chance = random.Random(7), random.Random(11)
    texts = [line.split('"question": "')[1].split('"')[0] for line in _questions()]
    return [
        Query(book=books_chance.choice(books), text=chance.choice(texts), page=chance.choice([2, 15, 75, 150]))
        for _ in range(_QUERIES)
    ]


def _questions() -> list[str]:
    return (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()


async def _cpu_a_query(queries: Sequence[Query], ask: Callable[[Query], Awaitable[object]]) -> float:
    """Return the median CPU of this process a query in milliseconds, every query asked once before."""
    for query in queries:
        await ask(query)
    spent = []
    for query in queries:
        began = time.process_time()
        await ask(query)
        spent.append((time.process_time() - began) * 1000)
    return statistics.median(spent)


async def _recall(house: Application, queries: Sequence[Query]) -> float:
    """Return recall@5 of Chroma against exact search over the same vectors."""
    if house.embeddings is None or house.chroma is None:
        raise RuntimeError("this benchmark needs embeddings")
    shares = []
    for query in queries:
        vector = (await house.embeddings.embed([query.text]))[0]
        span = readable(query.book, query.page)
        found, exact = [
            Counter(chunk_id for chunk_id, _ in (await index.search(span, vector, limit=_NEAREST))[:_K])
            for index in (house.chroma, house.chroma._exact)  # noqa: SLF001 (the yardstick)
        ]
        shares.append((found & exact).total() / max(exact.total(), 1))
    return statistics.mean(shares)


async def _measure(count: int, minilm: Path) -> None:
    async with throwaway_house(THUSFAR_EMBEDDINGS=Embeddings.MINILM, THUSFAR_MINILM_FOLDER=minilm) as house:

        async def ours(query: Query) -> object:
            return await house.search.execute(query.book.book_id, query.text, position=query.page, top_k=_K)

        async def ours_dense(query: Query) -> object:
            if house.embeddings is None or house.chroma is None:
                raise RuntimeError("this benchmark needs embeddings")
            vector = (await house.embeddings.embed([query.text]))[0]
            return await house.chroma.search(readable(query.book, query.page), vector, limit=_NEAREST)

        books = await _import(house, range(1))
        about_one = _queries(books)
        alone = await _cpu_a_query(about_one, ours)
        books += await _import(house, range(1, count))
        about_all = _queries(books)
        among, many = await _cpu_a_query(about_one, ours), await _cpu_a_query(about_all, ours)
        print(f"ours, one book of {books[0].chunks} chunks in the house: {alone:.2f} ms CPU a query")
        print(f"ours, {count} books in the house: {among:.2f} ms about that one, {many:.2f} ms about all in turn")
        print(f"growth from 1 to {count} books: {among / alone:.2f} times (goal: none)")
        print(f"recall@{_K} of the dense part: {await _recall(house, about_all):.4f} (goal: at least 0.995)")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            peer = await chroma_of(house, books, folder, embedded_as_ours(house))

            async def theirs(query: Query) -> object:
                bound = {"$and": [{"book_id": query.book.book_id}, {"end_page": {"$lte": query.page}}]}
                return await asyncio.to_thread(peer.similarity_search, query.text, _K, bound)

            cost = await _cpu_a_query(about_all, theirs)
            print(f"langchain-chroma, one collection, `where`: {cost:.2f} ms CPU a query")
            dense = await _cpu_a_query(about_all, ours_dense)
            print(f"our dense search, the page bound in the query: {dense:.2f} ms CPU a query")
            print(f"dense / dense: {dense / cost:.3f} (goal: at most 0.2)")
            print(f"our whole search / their dense search: {many / cost:.3f}")


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else _BOOKS
    with tempfile.TemporaryDirectory() as folder:
        minilm = minilm_folder(Settings())
        if not minilm_is_in(minilm):
            print("MiniLM is not on this machine: a stand-in of as many numbers, which knows words alone, embeds.")
            minilm = make_tiny_minilm(Path(folder), [(SAMPLE / "novel.txt").read_text(encoding="utf-8")])
        asyncio.run(_measure(count, minilm))


if __name__ == "__main__":
    main()
