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
    """Return the folders named, else the sample and whatever practice books lie beside the repository."""
    return [Path(name) for name in given] or [SAMPLE, *sorted(p for p in PRACTICE.glob("*") if p.is_dir())]


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
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
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
