"""A series of three labelled books: is anything of later pages told, and is the first found as well as alone?

    python -m benchmarks.series [FOLDER FOLDER FOLDER]

The books are joined in the order of their folders; without any, the practice books beside the repository. A thousand
questions, all labelled ones of all three in turn, are asked at pages drawn from the first two books, without a model:
each line that an answer quotes must stand on a page that is read, by the books' own files. Then the answerable
questions of the first book are searched at the end of that book alone, and in the series from within the second.
"""

import asyncio
import random
import sys
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from benchmarks.labelled import Question, folded, folders, import_labelled, throwaway_house
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.domain.book import Book

_QUESTIONS = 1_000
_TOP = 5
_SHORTEST = 20
"""Characters; a quoted line below that may stand anywhere."""


def _quoted(answer: str) -> list[str]:
    """Return the lines that an answer quotes, without the page behind them."""
    lines = [line.removeprefix(">").strip() for line in answer.splitlines() if line.startswith(">")]
    return [folded(line.rpartition(" (p. ")[0] or line).strip("… ") for line in lines]


def _pages_of(folder: Path) -> list[str]:
    text = next(path for name in ("book.txt", "novel.txt") if (path := folder / name).is_file())
    return [folded(page) for page in text.read_text(encoding="utf-8").split("\f")]


async def _told_ahead(house: Application, series: Book, chosen: Sequence[Path], asked: Sequence[Question]) -> None:
    pages, chance = [page for folder in chosen for page in _pages_of(folder)], random.Random(5)
    within_two = sum(len(_pages_of(folder)) for folder in chosen[:2])
    answers = quotations = found = ahead = 0
    for question in islice(cycle(asked), _QUESTIONS):
        page = chance.randint(1, within_two)
        request = AskRequest(question=question.text, book_id=series.book_id, page=page)
        response = await house.ask.execute(request)
        read, unread = " ".join(pages[:page]), " ".join(pages[page:])
        lines = [line for line in _quoted(response.text) if len(line) >= _SHORTEST]
        answers += 1
        quotations += len(lines)
        found += sum(line in read for line in lines)
        told = [line for line in lines if line not in read and line in unread]
        ahead += bool(told or any(source.end_page > page for source in response.outcome.sources))
    print(f"{answers} questions: {quotations} lines quoted, {found} of them found whole on read pages; ahead: {ahead}")


async def _found(house: Application, book_id: str, asked: Sequence[Question], position: int) -> tuple[float, float]:
    """Return how often the labelled page is found first, and among the first five."""
    ranks = []
    for question in asked:
        hits = await house.search.execute(book_id, question.text, position=position, top_k=_TOP)
        ranks.append([hit.start_page in question.answer_pages for hit in hits])
    return sum(rank[:1] == [True] for rank in ranks) / len(ranks), sum(map(any, ranks)) / len(ranks)


async def _measure(chosen: Sequence[Path]) -> None:
    async with throwaway_house() as house:
        asked = await import_labelled(house, chosen)
        books = [await house.library.find(scope="local", name=folder.name) for folder in chosen]
        series = await house.library.join(await house.library.join(books[0], books[1]), books[2])
        await _told_ahead(house, series, chosen, asked)
        of_first = [each for each in asked if each.folder == chosen[0].name and each.kind == "answerable"]
        first, second = books[0].pages, books[1].pages
        for name, book_id, position in (
            ("alone, at its end", books[0].book_id, first),
            ("in the series, at its end", series.book_id, first),
            ("in the series, halfway through the second", series.book_id, first + second // 2),
            ("in the series, at the end of the second", series.book_id, first + second),
        ):
            top, five = await _found(house, book_id, of_first, position)
            print(f"{chosen[0].name}, {len(of_first)} questions, {name}: first {top:.2f}, among {_TOP} {five:.2f}")


def main() -> None:
    chosen = folders(sys.argv[1:])
    if len(chosen) < 3:
        sys.exit("Give the folders of three labelled books; fixtures/sample/README.md describes them.")
    asyncio.run(_measure(chosen[-3:]))


if __name__ == "__main__":
    main()
