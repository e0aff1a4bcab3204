"""What finding the right page costs: CPU a query on a 600-page book, and memory for fifty books in use.

    python -m benchmarks.retrieval_cost [BOOKS]

The books are made from the sample with a fifth of their words exchanged and a vocabulary that grows as a novel's does;
the first is measured again with reading notes, six a page of fifteen of its words.
Goals: at most 7 ms CPU a query in the median, 14 with MiniLM (the whole search, all threads of this process), under
400 MB for fifty books; of notes at most 5 MB, 8 with MiniLM.
"""

import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.persistence.notes import SqlNoteRepository
from benchmarks.labelled import SAMPLE
from bot.settings import Settings
from bot.wiring import Application, build
from core.domain.book import Book
from core.domain.note import Note
from core.domain.passage import readable

_PAGES = 600
_BOOKS = 50
_FRESH_WORDS_A_PAGE = 12
_LONG_QUESTION = 12
_SHORT_QUESTION = "the weighbridge"
_NOTES_A_PAGE = 6
_WORDS_A_NOTE = 15
_OF_NOTES = ("note_words", "note_vectors")
_IN_HOME = "--memory-in"


def _made_up_book(number: int) -> str:
    chance = random.Random(number)
    pages = (SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")
    words = [word for page in pages for word in page.split()]
    made = []
    for _ in range(_PAGES):
        page = [word if chance.random() > 0.2 else chance.choice(words) for word in chance.choice(pages).split()]
        for _ in range(_FRESH_WORDS_A_PAGE):
            page[chance.randrange(len(page))] = "".join(chance.choice("aeioubcdfglmnprst") for _ in range(7))
        made.append(" ".join(page))
    return "\f".join(made)


def _questions() -> list[str]:
    labels = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in labels]


async def _import(house: Application, number: int) -> Book:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.txt"
        path.write_text(_made_up_book(number), encoding="utf-8")
        return (await house.library.add(path, scope="local", title=f"Book {number}")).book


async def _spent(house: Application, book: Book, question: str) -> float:
    began = time.process_time()
    await house.search.execute(book.book_id, question, position=book.pages, top_k=5)
    return (time.process_time() - began) * 1000


async def _give_notes(house: Application, book: Book) -> Book:
    notes = SqlNoteRepository(house.database)
    chance = random.Random(0)
    made = []
    for page in await house.books.pages(readable(book, book.pages)):
        words = page.text.split()
        texts = [" ".join(chance.sample(words, min(_WORDS_A_NOTE, len(words)))) for _ in range(_NOTES_A_PAGE)]
        made += [Note(page=page.number, text=text) for text in texts]
    await notes.replace(book.book_id, made)
    await house.library.complete_notes(book.book_id)
    return await house.library.get(book.book_id)


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_000_000


async def _measure(home: Path, count: int) -> None:
    async with _house(home) as house:
        first = await _import(house, 0)
        began = time.perf_counter()
        await _spent(house, first, _SHORT_QUESTION)
        opened = time.perf_counter() - began
        costs = [await _spent(house, first, question) for question in _questions()]
        long_question = " ".join(_questions()[:_LONG_QUESTION])
        long_cost = statistics.median([await _spent(house, first, long_question) for _ in range(5)])
        print(f"{first.pages} pages, {first.chunks} chunks; first query, index built meanwhile: {opened:.2f} s")
        print(f"CPU a query: median {statistics.median(costs):.1f} ms, 95th percentile ", end="")
        print(f"{statistics.quantiles(costs, n=20)[-1]:.1f} ms (goal: a median of at most 7, with MiniLM 14)")
        print(f"CPU for {_LONG_QUESTION} questions in one query: {long_cost:.1f} ms", flush=True)
        noted = await _give_notes(house, first)
        await _spent(house, noted, _SHORT_QUESTION)
        costs = [await _spent(house, noted, question) for question in _questions()]
        held = sum(house.memory.by_kind().get(kind, 0) for kind in _OF_NOTES) / 1_000_000
        print(f"with notes: CPU a query: median {statistics.median(costs):.1f} ms; their indexes hold {held:.1f} MB")
        for number in range(1, count):
            await _import(house, number)


async def _memory(home: Path) -> None:
    async with _house(home) as house:
        one, *others = await house.library.in_scope(scope="local")
        await _spent(house, one, _SHORT_QUESTION)
        before = _resident_mb()
        for book in others:
            await _spent(house, book, _SHORT_QUESTION)
        books = len(others) + 1
        print(f"one book in use: {before:.0f} MB; {books} books: {_resident_mb():.0f} MB, ", end="")
        print(f"{_resident_mb() - before:.0f} MB for the books (goal: under 400)")


@asynccontextmanager
async def _house(home: Path) -> AsyncIterator[Application]:
    application = build(Settings(_env_file=None, thusfar_home=home))
    try:
        yield application
    finally:
        await application.close()


def main() -> None:
    if sys.argv[1:2] == [_IN_HOME]:
        asyncio.run(_memory(Path(sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_measure(Path(home), int(sys.argv[1]) if sys.argv[1:] else _BOOKS))
        # In a process of its own, since an import leaves memory behind.
        subprocess.run([sys.executable, "-m", "benchmarks.retrieval_cost", _IN_HOME, home], check=True)


if __name__ == "__main__":
    main()
