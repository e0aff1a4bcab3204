"""The books that turns are measured on: the sample novel, and one of 600 pages made of real novels, with questions."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.labelled import PRACTICE, SAMPLE

LONG_PAGES = 600
_RUN = 8
_NOVELS = ("frankenstein", "treasure-island", "study-in-scarlet")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBook:
    """A book's pages, how far the club is, and questions that the pages up to there answer."""

    name: str
    pages: Sequence[str]
    position: int
    questions: Sequence[str]

    def write(self, folder: Path) -> Path:
        """Write the book as a file that can be imported."""
        path = folder / f"{self.name}.txt"
        path.write_text("\f".join(self.pages), encoding="utf-8")
        return path

    def runs(self) -> frozenset[str]:
        """Return every run of eight words that stands on the pages read, by which a quotation is known."""
        return frozenset(run for page in self.pages[: self.position] for run in runs_of(page))


def sample() -> TurnBook:
    """Return the sample novel, about half read."""
    pages = _pages(SAMPLE / "novel.txt")
    return TurnBook(name="sample", pages=pages, position=40, questions=[*_questions(SAMPLE, offset=0, position=40)])


def long_book(practice: Path = PRACTICE) -> TurnBook | None:
    """Return novels one behind the other, cut at 600 pages, 500 of them read; None where the practice books are not.

    Repeating the sample instead would be another book: a word of it would stand on seven times as many pages.
    """
    folders = [practice / name for name in _NOVELS]
    if not all(folder.is_dir() for folder in folders):
        return None
    pages: list[str] = []
    questions: list[str] = []
    position = LONG_PAGES - 100
    for folder in folders:
        questions += _questions(folder, offset=len(pages), position=position)
        pages += _pages(folder / "book.txt")
    return TurnBook(name=f"{LONG_PAGES} pages", pages=pages[:LONG_PAGES], position=position, questions=questions)


def runs_of(text: str) -> Iterator[str]:
    """Yield every eight words of a text that follow each other, without case, marks and mark-up."""
    words = plain_words(text)
    return (" ".join(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1))


def plain_words(text: str) -> list[str]:
    """Return the words of a text, however a platform marks it up."""
    return _WORD.findall(text.lower().replace("_", " "))


def _pages(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\f")


def _questions(folder: Path, *, offset: int, position: int) -> Iterator[str]:
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        labels = json.loads(line)
        if labels["kind"] == "answerable" and offset + max(labels["answer_pages"]) <= position:
            yield labels["question"]
