"""The exact index over SQL, Chroma in a folder, and a Chroma server, beside each other on the same books in one run.

    python -m benchmarks.vectors [BOOKS] [--pages N]

The books are made as in `many_books`, cut into windows of 30 words as MiniLM gets them, and embedded by a stand-in of
as many numbers. With 1, 10 and all books taken in, every question goes to the three in turn, about one of the books at
a page of its beginning, middle or end, for as many vectors as in production. Told are medians: by the clock, of this
process's CPU and (the mean: the system counts hundredths of a second) of the server's; what it takes to take in a book
whose vectors are in SQL; and how many of the exact search's first five are found. Then, in new processes of each kind:
opening the index, the first question, and what memory all books in use add. Returns 1 where a hit is missing.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar

from adapters.persistence.database import Database
from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.chroma_address import ChromaAddress
from adapters.retrieval.chroma_folder import ChromaFolder
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.chroma_server import ChromaServer
from adapters.retrieval.exact_index import ExactPassageIndex
from adapters.retrieval.minilm_embedding import MiniLmEmbeddingProvider
from benchmarks.labelled import SAMPLE
from benchmarks.many_books import made_up_book
from bot.settings import Embeddings, Settings
from bot.wiring import build
from core.domain.book import Book
from core.domain.passage import readable
from core.language.chunking import windows
from core.ports.passage_index import PassageIndex
from core.ports.vectors import Vectors
from tests.chroma_server import ChromaProgram, chroma_program
from tests.tiny_minilm import make_tiny_minilm

Result = TypeVar("Result")
_KINDS: Final = ("exact", "folder", "server")
_BOOKS, _PAGES, _FEW = 50, 150, (1, 10)
_QUERIES: Final = 60
_NEAREST: Final = 200
_RECALL_AT: Final = 5
_STARTS: Final = 3
_MODEL: Final = "stand-in"
_DIMENSIONS: Final = 384
_EMBED_BATCH: Final = 64
_STARTING: Final = "--starting"
_QUESTIONS: Final = "questions.npy"


def main() -> int:
    """Print the figures; return 1 where a hit is missing."""
    if sys.argv[1:2] == [_STARTING]:
        asyncio.run(_start(sys.argv[2], Path(sys.argv[3]), sys.argv[4]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="?", type=int, default=_BOOKS)
    parser.add_argument("--pages", type=int, default=_PAGES)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        (home / "server").mkdir()
        asyncio.run(_make(home, given.books, given.pages))
        with chroma_program(home / "server") as program:
            recall = asyncio.run(_beside_each_other(home, program))
            for kind in _KINDS:
                _told_of_starts(kind, home, program)
    return int(recall < 1)


async def _make(home: Path, count: int, pages: int) -> None:
    """Put the books and their vectors into SQL, and those of the questions beside it."""
    import numpy as np

    texts = ["\f".join(made_up_book(number, pages)) for number in range(count)]
    model = make_tiny_minilm(home / "model", [*texts, (SAMPLE / "novel.txt").read_text("utf-8")])
    house = build(_settings(home))
    vectors = SqlVectorRepository(house.database)
    with ThreadPoolExecutor(max_workers=2) as workers:
        embeddings = MiniLmEmbeddingProvider(model, workers=workers)
        for number, text in enumerate(texts):
            path = home / "book.txt"
            path.write_text(text, encoding="utf-8")
            book = (await house.library.add(path, scope="local", title=f"Book {number}")).book
            while batch := await vectors.missing(book.book_id, _MODEL, limit=_EMBED_BATCH):
                pieces = [(chunk_id, piece) for chunk_id, chunk in batch for piece in windows(chunk)]
                made = await embeddings.embed([piece for _, piece in pieces])
                await vectors.save(_MODEL, [chunk_id for chunk_id, _ in pieces], made)
            if number == 0:
                rows = len((await vectors.load(book.book_id, _MODEL, dimensions=_DIMENSIONS)).chunk_ids)
                print(f"{count} books of {pages} pages, {rows} vectors of {_DIMENSIONS} numbers in the first")
        lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        np.save(home / _QUESTIONS, await embeddings.embed([json.loads(line)["question"] for line in lines]))
        await embeddings.close()
    await house.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """What is asked of which book at which page."""

    book: Book
    page: int
    vector: Vectors


def _queries(home: Path, books: Sequence[Book]) -> list[_Query]:
    import numpy as np

    chance, vectors = random.Random(7), np.load(home / _QUESTIONS)
    drawn = [(chance.choice(books), chance.choice([1, 4, 8]), chance.choice(vectors)) for _ in range(_QUERIES)]
    return [_Query(book=book, page=max(book.pages * part // 8, 1), vector=vector) for book, part, vector in drawn]


async def _beside_each_other(home: Path, program: ChromaProgram) -> float:
    """Take in more and more books and ask about them; return the share of the exact hits that the others found."""
    books, spent, recall, taken = await _books(home), _Spent(program), 1.0, 0
    async with (
        _index("exact", home, "") as exact,
        _index("folder", home, "") as folder,
        _index("server", home, program.url()) as server,
    ):
        indexes = dict(zip(_KINDS, (exact, folder, server), strict=True))
        for index in indexes.values():
            await index.refresh(books[0].book_id)  # Chroma's own import is the start's, told below
        for some in sorted({*(few for few in _FEW if few < len(books)), len(books)}):
            for book in books[max(taken, 1) : some]:
                for kind, index in indexes.items():
                    await spent.on(kind, index.refresh(book.book_id))
            spent.tell(f"taking in one of {some - taken} books")
            recall, taken = min(recall, await _ask(indexes, _queries(home, books[:some]), spent)), some
            spent.tell(f"a query, {some} books taken in")
    print(f"recall@{_RECALL_AT} of folder and server against the exact index: {recall:.4f}", flush=True)
    return recall


async def _ask(indexes: Mapping[str, PassageIndex], queries: Sequence[_Query], spent: "_Spent") -> float:
    """Ask the three in turn, once unmeasured; return how many of the exact hits the others found, the lesser share."""
    shares: dict[str, list[float]] = {kind: [] for kind in indexes}
    for measured in (False, True):
        for query in queries:
            span, hits = readable(query.book, query.page), {}
            for kind, index in indexes.items():
                search = index.search(span, query.vector, limit=_NEAREST)
                found = await spent.on(kind, search) if measured else await search
                hits[kind] = Counter(chunk_id for chunk_id, _ in found[:_RECALL_AT])
                shares[kind].append((hits[kind] & hits["exact"]).total() / max(hits["exact"].total(), 1))
    return min(statistics.mean(each) for each in shares.values())


class _Spent:
    """What calls take, in milliseconds: by the clock, of this process's CPU, of the server's."""

    def __init__(self, program: ChromaProgram) -> None:
        self._program = program
        self._calls: dict[str, list[tuple[float, float, float]]] = {}

    async def on(self, kind: str, call: Awaitable[Result]) -> Result:
        """Do it, and count it for this kind of index."""
        server, own, wall = _cpu_s(self._program.pid), time.process_time(), time.perf_counter()
        result = await call
        ended = time.perf_counter(), time.process_time(), _cpu_s(self._program.pid)
        took = ended[0] - wall, ended[1] - own, ended[2] - server
        self._calls.setdefault(kind, []).append((took[0] * 1e3, took[1] * 1e3, took[2] * 1e3))
        return result

    def tell(self, what: str) -> None:
        """Print what was counted, and begin anew."""
        for kind, calls in self._calls.items():
            walls, owns, servers = zip(*calls, strict=True)
            wall, own, server = statistics.median(walls), statistics.median(owns), statistics.mean(servers)
            print(f"{what}: {kind}: {wall:.2f} ms by the clock, CPU {own:.2f} ms, the server's {server:.2f} ms")
        sys.stdout.flush()
        self._calls.clear()


def _told_of_starts(kind: str, home: Path, program: ChromaProgram) -> None:
    program.kill()  # what it holds of the books is measured anew, and no start finds it warm
    program.start()
    before, told = _resident_mb(program.pid), []
    for _ in range(_STARTS):
        words = [sys.executable, "-m", "benchmarks.vectors", _STARTING, kind, str(home), program.url()]
        run = subprocess.run(words, capture_output=True, check=True, text=True)
        told.append([float(each) for each in run.stdout.split()])
    opening, first, other, held = (statistics.median(each) for each in zip(*told, strict=True))
    print(
        f"a new process: {kind}: opened in {opening:.0f} ms, its first question {first:.0f} ms, the first about "
        f"another book {other:.1f} ms; with all books in use {held:.0f} MB more, the server "
        f"{_resident_mb(program.pid) - before:.0f} MB more",
        flush=True,
    )


async def _start(kind: str, home: Path, url: str) -> None:
    """Print what opening takes, the first question, the first about another book (ms), and what memory all add (MB)."""
    books = await _books(home)
    queries, before, began = _queries(home, books), _resident_mb(os.getpid()), time.perf_counter()
    async with _index(kind, home, url) as index:
        if isinstance(index, ChromaPassageIndex):
            await index.usable()
        times = [began, time.perf_counter()]
        for book in books:
            await index.search(readable(book, book.pages), queries[0].vector, limit=_NEAREST)
            times.append(time.perf_counter())
        took = [(later - earlier) * 1e3 for earlier, later in pairwise(times)]
        print(took[0], took[1], statistics.median(took[2:] or took[1:]), _resident_mb(os.getpid()) - before)


async def _books(home: Path) -> list[Book]:
    house = build(_settings(home))
    books = await house.library.in_scope(scope="local")
    await house.close()
    return sorted(books, key=lambda book: int(book.title.split()[1]))


@asynccontextmanager
async def _index(kind: str, home: Path, url: str) -> AsyncIterator[PassageIndex]:
    database = Database(_settings(home).database)
    exact = ExactPassageIndex(SqlVectorRepository(database), model_id=_MODEL, dimensions=_DIMENSIONS)
    index: PassageIndex = exact
    if kind == "folder":
        index = ChromaPassageIndex(ChromaFolder(home / "chroma", print), exact=exact, model_id=_MODEL)
    if kind == "server":
        server = ChromaServer(ChromaAddress.of(url), print, timeout_s=60)
        index = ChromaPassageIndex(server, exact=exact, model_id=_MODEL)
    yield index
    await index.close()
    database.close()


def _settings(home: Path) -> Settings:
    return Settings(_env_file=None, thusfar_home=home, THUSFAR_EMBEDDINGS=Embeddings.NONE)


def _cpu_s(process: int) -> float:
    """Return the CPU time of another process in seconds (`/proc/PID/stat`, proc(5): utime and stime)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_000_000


if __name__ == "__main__":
    sys.exit(main())
