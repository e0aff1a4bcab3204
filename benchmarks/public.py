"""Thusfar without a model on public sets, beside SQLite's full-text search on the same pages and questions.

    python -m benchmarks.public [--fairytaleqa FOLDER] [--litbank FOLDER] [--show N]

Fetch the sets yourself: FairytaleQA (github.com/uci-soe/FairytaleQAData, Apache-2.0; the folder of a split, with
`*-story.csv` and `*-questions.csv`) and LitBank (github.com/dbamman/litbank, CC BY 4.0; the folder `original`).

FairytaleQA: each section is a page, and each question is asked at the end of its story. Printed is how often a section
that answers is found first, and among five; and of the questions whose first
annotator found the answer in the story's words ("explicit"), how often every content word of one labelled answer is in
the text shown. The peer shows its three best pages, each clipped to 64 words around the question's words (FTS5's
`snippet`).

LitBank has no questions. Ten of its novels are read: a sentence is drawn from a page, and four of its content words
are asked, at that page and at the end of the novel. Printed is how often the page is found, how often the whole
sentence is shown, and any line quoted that is not on read pages.

`--show` prints questions with what both show.
"""

import argparse
import asyncio
import csv
import random
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from adapters.retrieval.fts5_yardstick import Fts5Yardstick
from benchmarks.labelled import folded, throwaway_house
from bot.evaluation.intervals import share, shown
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.domain.book import Book
from core.domain.passage import readable
from core.language.sentences import sentences
from core.language.words import content_stems, content_words

_TOP = 5
_SNIPPETS = 3
_NOVELS = (36, 76, 95, 105, 174, 219, 271, 550, 730, 2641)
"""By their numbers at Project Gutenberg, with which LitBank's files begin."""
_SENTENCES = 25
_LEAST, _MOST = 10, 40
"""How many words a sentence has that is drawn from a novel."""
_WORDS_ASKED = 4
_ASKED = "Which passage has {}, {}, {} and {}?"
_SHORTEST = 20
"""Letters; a quoted line below that may occur anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question at a page, the pages that answer it, and the labelled answers (none where only the page counts)."""

    text: str
    page: int
    pages: frozenset[int]
    answers: Sequence[str] = ()
    sentence: str = ""

    def shows(self, texts: Sequence[str]) -> bool:
        """Whether some texts have the sentence, or every content word of one labelled answer."""
        text = "\n".join(texts).replace("**", "")
        if self.sentence:
            return self.sentence in folded(text)
        held = content_stems(text)
        return any(content_stems(answer) <= held for answer in self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one side found and showed for a question."""

    question: Question
    pages: Sequence[int]
    text: str

    def is_found(self, among: int) -> bool:
        return not self.question.pages.isdisjoint(self.pages[:among])


class Sides:
    """A book in Thusfar, and its pages in SQLite's full-text search."""

    def __init__(self, house: Application, book: Book, yardstick: Fts5Yardstick) -> None:
        self._house = house
        self._book = book
        self._yardstick = yardstick

    async def ours(self, question: Question) -> Result:
        found = await self._house.search.execute(self._book.book_id, question.text, position=question.page, top_k=_TOP)
        request = AskRequest(question=question.text, book_id=self._book.book_id, page=question.page)
        answer = await self._house.ask.execute(request)
        return Result(question=question, pages=[each.start_page for each in found], text=answer.text)

    async def theirs(self, question: Question) -> Result:
        pages = self._yardstick.search(question.text, last_page=question.page, limit=_TOP)
        snippets = self._yardstick.snippets(question.text, last_page=question.page, limit=_SNIPPETS)
        return Result(question=question, pages=pages, text="\n".join(snippets))


async def _opened(house: Application, book: Book) -> tuple[Sides, Sequence[str]]:
    """Return both sides of a book, and the texts of its pages."""
    pages = await house.quoting.read_book(book, book.pages).books.pages(readable(book, book.pages))
    return Sides(house, book, Fts5Yardstick(pages)), [page.text for page in pages]


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def _asked(row: dict[str, str], pages: int) -> Question:
    is_explicit = row["ex-or-im1"] == "explicit"
    answers = [row[f"answer{number}"] for number in range(1, 7)] if is_explicit else []
    return Question(
        text=row["question"],
        page=pages,
        pages=frozenset(int(section) for section in row["cor_section"].split(",")),
        answers=[answer for answer in answers if content_stems(answer)],
    )


def _stories(folder: Path, made: Path) -> Iterator[tuple[Path, list[dict[str, str]]]]:
    """Write each story as a text with a section a page; yield the file and the rows of its questions."""
    for story in sorted(folder.glob("*-story.csv")):
        name = story.name.removesuffix("-story.csv")
        file = made / f"{name}.txt"
        file.write_text("\f".join(row["text"] for row in _rows(story)), encoding="utf-8")
        yield file, _rows(folder / f"{name}-questions.csv")


async def fairytale_questions(house: Application, folder: Path) -> AsyncIterator[tuple[Book, Question]]:
    """Import the stories of a split, a section a page, and yield each question with its story."""
    with tempfile.TemporaryDirectory() as made:
        for file, rows in _stories(folder, Path(made)):
            book = (await house.library.add(file, scope="local", title=file.stem)).book
            for row in rows:
                yield book, _asked(row, book.pages)


async def _fairytales(house: Application, folder: Path) -> tuple[list[Result], list[Result]]:
    ours, theirs, sides = [], [], dict[str, Sides]()
    async for book, question in fairytale_questions(house, folder):
        if book.book_id not in sides:
            sides[book.book_id], _ = await _opened(house, book)
        ours.append(await sides[book.book_id].ours(question))
        theirs.append(await sides[book.book_id].theirs(question))
    return ours, theirs


def _drawn(book: Book, pages: Sequence[str]) -> Iterator[Question]:
    """Yield questions of four words from sentences of a novel, each at its page and at the end."""
    chance = random.Random(book.title)
    first, drawn = book.first_story_page, 0
    while drawn < _SENTENCES:
        number = chance.randrange(len(pages))
        sentence = chance.choice(sentences(pages[number]) or [""])
        words = list(dict.fromkeys(content_words(sentence)))
        if len(words) < _WORDS_ASKED or not _LEAST <= len(sentence.split()) <= _MOST:
            continue
        drawn += 1
        asked = _ASKED.format(*chance.sample(words, _WORDS_ASKED))
        for page in (first + number, first + len(pages) - 1):
            yield Question(text=asked, page=page, pages=frozenset({first + number}), sentence=folded(sentence))


def _files(folder: Path) -> list[Path]:
    return [next(folder.glob(f"{number}_*.txt")) for number in _NOVELS]


async def _novels(house: Application, folder: Path) -> tuple[list[Result], list[Result]]:
    ours, theirs, elsewhere, lines = [], [], list[str](), 0
    for file in _files(folder):
        book = (await house.library.add(file, scope="local", title=file.stem)).book
        sides, pages = await _opened(house, book)
        print(f"{file.stem}: {len(pages)} pages of story", flush=True)
        for question in _drawn(book, pages):
            ours.append(await sides.ours(question))
            theirs.append(await sides.theirs(question))
            read = _letters(" ".join(pages[: question.page - book.first_story_page + 1]))
            quoted = list(_quoted(ours[-1].text))
            lines += len(quoted)
            elsewhere += [line for line in quoted if _letters(line) not in read]
    print(f"{lines} lines quoted; not whole on read pages: {elsewhere or 'none'}")
    return ours, theirs


def _quoted(answer: str) -> Iterator[str]:
    """Yield the lines that an answer quotes, without bold type and the page behind them."""
    for line in answer.splitlines():
        text = folded(line.removeprefix(">").replace("**", "").rpartition(" (p. ")[0] or line.replace("**", ""))
        if line.startswith(">") and len(text) >= _SHORTEST:
            yield text.removeprefix("> ").strip("… ")


def _letters(text: str) -> str:
    """Return a text without white space, which quotations fold."""
    return "".join(folded(text).split())


def _report(name: str, ours: Sequence[Result], theirs: Sequence[Result]) -> None:
    print(f"\n{name}: {len(ours)} questions{'':14}Thusfar                 full-text search")
    for label, among in (("page found first", 1), (f"among {_TOP}", _TOP)):
        _line(label, [each.is_found(among) for each in ours], [each.is_found(among) for each in theirs])
    told = [[each for each in side if each.question.answers or each.question.sentence] for side in (ours, theirs)]
    _line(f"shown, of {len(told[0])}", *([each.question.shows([each.text]) for each in side] for side in told))
    words = [round(fmean(len(each.text.split()) for each in side)) for side in told]
    print(f"  words shown, mean        {words[0]:4} {words[1]:18}")


def _line(label: str, *sides: Sequence[bool]) -> None:
    print(f"  {label:24} {'  '.join(shown(share(side)) for side in sides)}")


def _print_some(ours: Iterable[Result], theirs: Iterable[Result], most: int) -> None:
    for mine, other in list(zip(ours, theirs, strict=True))[:most]:
        asked = mine.question
        print(f"\n### {asked.text} (p. {asked.page}; answered on {sorted(asked.pages)}: {list(asked.answers)})")
        print(f"{mine.text}\n--- full-text search:\n{other.text}")


async def _measure(fairytaleqa: Path | None, litbank: Path | None, show: int) -> None:
    for folder, name, measure in ((fairytaleqa, "FairytaleQA", _fairytales), (litbank, "LitBank", _novels)):
        if folder is not None:
            async with throwaway_house() as house:
                ours, theirs = await measure(house, folder)
            _print_some(ours, theirs, show)
            _report(name, ours, theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fairytaleqa", type=Path)
    parser.add_argument("--litbank", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    if given.fairytaleqa is given.litbank is None:
        parser.error("give the folder of at least one set")
    asyncio.run(_measure(given.fairytaleqa, given.litbank, given.show))


if __name__ == "__main__":
    main()
