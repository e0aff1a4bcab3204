"""Many novels in use at once: memory, an even price of a question, and the first question after a start.

    python -m benchmarks.many_books [BOOKS] [--pages N]

The novels are made of the practice books' pages, shuffled, every second name and fifth long word changed by novel; of
the sample's where the practice books are not. Nothing is embedded and no notes are made: words are looked at, ranked by
likeness, quoted, and held against the guard. Time is CPU time of this process but for the first question, which is by
the clock: in a process that has done what a start does, as a member waits for it. Returns 1 where a goal is missed.
"""

import argparse
import asyncio
import importlib
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from benchmarks.labelled import PRACTICE, SAMPLE
from bot.serving import warm_up
from bot.settings import Embeddings, Provider, Settings
from bot.wiring import Application, build
from core.answering.ask import AskRequest
from core.domain.book import Book

MEMORY_MB: Final = 400
EVEN: Final = 1.5
FIRST_MS: Final = 150
_BOOKS, _PAGES, _FEW = 50, 400, 8
_STARTS: Final = 3
_CHANGED: Final = re.compile(r"\b(?:[A-Z][a-z]{3,}|[a-z]{8,})\b")
_SYLLABLES: Final = ("ar", "bel", "con", "dor", "es", "fin", "gar", "hal", "is", "jo", "kel", "lom", "mar", "ney", "or")
_USING, _STARTING = "--using", "--starting"


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    if sys.argv[1:2] == [_USING]:
        return asyncio.run(_use(Path(sys.argv[2])))
    if sys.argv[1:2] == [_STARTING]:
        return asyncio.run(_first(Path(sys.argv[2])))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="?", type=int, default=_BOOKS)
    parser.add_argument("--pages", type=int, default=_PAGES)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_import(Path(home), given.books, given.pages))
        # In processes of their own, since an import leaves memory behind.
        missed = [_run(_USING, home), *(_run(_STARTING, home) for _ in range(_STARTS))]
    return int(any(missed))


def made_up_book(number: int, count: int) -> list[str]:
    """Return the pages of a novel: the same number always gives the same one."""
    chance = random.Random(number)
    pages = [page for folder in _folders() for page in _text(folder).split("\f")]
    changed: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        word = found[0]
        if word not in changed:
            share = 0.5 if word[0].isupper() else 0.2
            ending = "".join(chance.choice(_SYLLABLES) for _ in range(2))
            changed[word] = word[:3] + ending if chance.random() < share else word
        return changed[word]

    drawn = [page for _ in range(-(-count // len(pages))) for page in chance.sample(pages, len(pages))]
    return [_CHANGED.sub(other, page) for page in drawn[:count]]


def _folders() -> list[Path]:
    return sorted(path for path in PRACTICE.glob("*") if path.is_dir()) or [SAMPLE]


def _text(folder: Path) -> str:
    return next(path for name in ("book.txt", "novel.txt") if (path := folder / name).is_file()).read_text("utf-8")


def _questions() -> list[str]:
    return [*_read_questions()]


def _read_questions() -> Iterator[str]:
    for folder in _folders():
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            labels = json.loads(line)
            if labels["kind"] == "answerable":
                yield labels["question"]


async def _import(home: Path, books: int, pages: int) -> None:
    async with _house(home) as house:
        for number in range(books):
            path = home / "book.txt"
            path.write_text("\f".join(made_up_book(number, pages)), encoding="utf-8")
            await house.library.add(path, scope="local", title=f"Book {number}")
            path.unlink()
    print(f"{books} novels of {pages} pages", flush=True)


async def _use(home: Path) -> int:
    importlib.import_module("adapters.discord.bot")
    questions = _questions()
    async with _house(home) as house:
        await warm_up(house)
        books = await house.library.in_scope(scope="local")
        one, few = books[:1], books[:_FEW]
        for book in books:
            for question in questions[:2]:
                await house.search.execute(book.book_id, question, position=book.pages * 4 // 5)
        searched = _resident_mb()
        await _asked(house, one, questions[:3])
        spent: dict[str, float] = {}
        for name, some, rounds in (("one", one, 24), (f"{_FEW}", few, 6), (f"{len(books)}", books, 3)):
            await _asked(house, some, questions[:1])
            spent[name] = statistics.median(await _asked(house, some, questions[1 : 1 + rounds]))
        held = _resident_mb()
    told = ", ".join(f"{name}: {each:.1f} ms" for name, each in spent.items())
    ratio = spent[f"{len(books)}"] / spent["one"]
    print(f"CPU a question, median, books in use: {told}; {ratio:.2f} of one book (goal {EVEN:g})")
    print(f"memory of a process that serves Discord, {len(books)} novels searched: {searched:.0f} MB ", end="")
    print(f"(goal: under {MEMORY_MB}); asked about: {held:.0f} MB", flush=True)
    return int(searched >= MEMORY_MB or ratio > EVEN)


async def _first(home: Path) -> int:
    questions = _questions()
    async with _house(home) as house:
        await warm_up(house)
        books = await house.library.in_scope(scope="local")
        began, cpu = time.perf_counter(), time.process_time()
        await _ask(house, books[0], questions[0])
        took, cpu = (time.perf_counter() - began) * 1e3, (time.process_time() - cpu) * 1e3
        began = time.perf_counter()
        await _ask(house, books[1], questions[0])
        other = (time.perf_counter() - began) * 1e3
    print(f"first question after a start: {took:.0f} ms, {cpu:.0f} ms CPU (goal {FIRST_MS}); ", end="")
    print(f"the first of the next book: {other:.0f} ms", flush=True)
    return int(took > FIRST_MS)


async def _asked(house: Application, books: Sequence[Book], questions: Sequence[str]) -> list[float]:
    """Ask each question of each book, the books in turn; return CPU ms of each."""
    spent = []
    for question in questions:
        for book in books:
            began = time.process_time()
            await _ask(house, book, question)
            spent.append((time.process_time() - began) * 1e3)
    return spent


async def _ask(house: Application, book: Book, question: str) -> None:
    await house.ask.execute(AskRequest(question=question, book_id=book.book_id, page=book.pages * 4 // 5))


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_000_000


def _run(what: str, home: str) -> int:
    return subprocess.run([sys.executable, "-m", "benchmarks.many_books", what, home], check=False).returncode


@asynccontextmanager
async def _house(home: Path) -> AsyncIterator[Application]:
    settings = Settings(
        _env_file=None,
        thusfar_home=home,
        THUSFAR_PROVIDER=Provider.NONE,
        THUSFAR_EMBEDDINGS=Embeddings.WORDLLAMA,
        THUSFAR_QUESTIONS_A_MINUTE=1_000_000,  # a refusal costs next to nothing
    )
    application = build(settings)
    try:
        yield application
    finally:
        await application.close()


if __name__ == "__main__":
    sys.exit(main())
