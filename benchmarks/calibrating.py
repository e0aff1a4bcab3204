"""How fast `/calibrate` finds a phrase with typos in a book of 600 pages, against its limit of 300 ms.

CPU time, since machines are busy. Beside it, in the same run: rapidfuzz's own search for the best place of a phrase in
the text as it is, which finds one place only and forgives neither case nor line breaks.
Run: python -m benchmarks.calibrating
"""

import asyncio
import random
import string
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from rapidfuzz import fuzz

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from core.club.editions.calibration import Calibration
from core.domain.book import BookText, Page, PageSource

_PAGES = 600
_WORDS_A_PAGE = 300
_PHRASES = 40
_PHRASE_WORDS = 12
_LIMIT_MS = 300


def _novel(chance: random.Random) -> BookText:
    """A text whose words are as often as those of a novel; it has no sense."""
    vocabulary = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 11))) for _ in range(12_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    pages: list[Page] = []
    offset = 0
    for number in range(1, _PAGES + 1):
        text = " ".join(chance.choices(vocabulary, weights, k=_WORDS_A_PAGE))
        pages.append(Page(number=number, text=text, start_offset=offset))
        offset += len(text) + 1
    return BookText(title="Made up", author=None, pages=tuple(pages), chapters=(), page_source=PageSource.FORM_FEEDS)


def _typed(words: list[str], chance: random.Random) -> str:
    letters = list(" ".join(words))
    for _ in range(3):
        letters[chance.randrange(len(letters))] = chance.choice(string.ascii_lowercase)
    return "".join(letters)


async def _measure(folder: Path) -> None:
    chance = random.Random(7)
    text = _novel(chance)
    database = Database(f"sqlite:///{folder / 'thusfar.db'}")
    upgrade(database.engine)
    books = SqlBookRepository(database, embedding_model_id=None)
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=[])
    whole = "\f".join(page.text for page in text.pages)
    first: list[float] = []
    again: list[float] = []
    peer: list[float] = []
    right = 0
    for _ in range(_PHRASES):
        page = chance.choice(text.pages)
        words = page.text.split()
        begin = chance.randrange(len(words) - _PHRASE_WORDS)
        phrase = _typed(words[begin : begin + _PHRASE_WORDS], chance)
        calibration = Calibration(books=books)
        for times in (first, again):
            began = time.process_time()
            found = await calibration.find(book.book_id, phrase, position=None)
            times.append((time.process_time() - began) * 1000)
            right += [one.page for one in found] == [page.number]
        began = time.process_time()
        fuzz.partial_ratio_alignment(phrase, whole)
        peer.append((time.process_time() - began) * 1000)
    database.close()
    print(f"{_PAGES} pages, {len(whole)} characters, {_PHRASES} phrases of {_PHRASE_WORDS} words with 3 typos each")
    print(f"the one right place: {right} of {2 * _PHRASES}")
    for what, times in (("a book's first phrase", first), ("later phrases", again), ("rapidfuzz alone", peer)):
        print(f"{what}: median {median(times):.0f} ms, 95 % within {quantiles(times, n=20)[-1]:.0f} ms")
    print(f"limit {_LIMIT_MS} ms: {'kept' if quantiles(first, n=20)[-1] < _LIMIT_MS else 'MISSED'}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_measure(Path(home)))
