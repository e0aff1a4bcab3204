"""Labelled books (the form of fixtures/sample) imported into a throw-away home, for the benchmarks."""

import json
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.settings import Settings
from bot.wiring import Application, build

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "fixtures" / "sample"
PRACTICE = ROOT.parent / "shared" / "books"
_QUESTIONS = "questions.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One labelled question."""

    book_id: str
    folder: str
    text: str
    at_page: int
    kind: str
    answer_pages: frozenset[int]


def folders(given: Iterable[str]) -> list[Path]:
    """Return the folders named, or those of labelled books in them; of none, the sample and the practice books."""
    named = [path for name in given for path in _books_in(Path(name))]
    return named or [SAMPLE, *_books_in(PRACTICE)]


def _books_in(folder: Path) -> list[Path]:
    if (folder / _QUESTIONS).is_file():
        return [folder]
    return sorted(each for each in folder.glob("*") if (each / _QUESTIONS).is_file())


def folded(text: str) -> str:
    """Return a text as labelled words are looked for in it: without marks of quotation and emphasis."""
    return " ".join(text.replace("\n>", " ").replace("> ", "").replace("_", "").split())


def evidence_of(chosen: Iterable[Path]) -> dict[tuple[str, str], list[str]]:
    """Return the labelled words that answer each question, by folder and question."""
    lines = [
        (folder.name, json.loads(line))
        for folder in chosen
        for line in (folder / _QUESTIONS).read_text(encoding="utf-8").splitlines()
    ]
    return {(name, labels["question"]): [folded(each) for each in labels["answer_evidence"]] for name, labels in lines}


@asynccontextmanager
async def throwaway_house(**settings: object) -> AsyncIterator[Application]:
    """A wired house in a temporary home."""
    with tempfile.TemporaryDirectory() as home:
        application = build(Settings(_env_file=None, thusfar_home=Path(home), **settings))  # type: ignore[arg-type]
        try:
            yield application
        finally:
            await application.close()


async def import_labelled(application: Application, chosen: Iterable[Path]) -> list[Question]:
    """Import the books and return all their questions."""
    questions = []
    for folder in chosen:
        text = next(path for name in ("book.txt", "novel.txt") if (path := folder / name).is_file())
        imported = await application.library.add(text, scope="local", title=folder.name)
        for line in (folder / _QUESTIONS).read_text(encoding="utf-8").splitlines():
            labels = json.loads(line)
            questions.append(
                Question(
                    book_id=imported.book.book_id,
                    folder=folder.name,
                    text=labels["question"],
                    at_page=labels["at_page"],
                    kind=labels["kind"],
                    answer_pages=frozenset(labels["answer_pages"]),
                )
            )
    return questions
