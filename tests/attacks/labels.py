"""The labelled books that are attacked: their leaks, their questions, and the texts that the attacks are made of."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.scenarios.outbound import names_in

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
PRACTICE = ROOT.parent / "shared" / "books"
_DATA = Path(__file__).parent / "data"
_PERCENTS = (5, 10, 25, 50, 75, 90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A statement of what only pages from `page` on tell; `evidence` is the sentence of that page that shows it."""

    leak_id: str
    text: str
    kind: str
    page: int
    evidence: str
    translation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answerable question with what an honest model would write; `prose` is None where nobody wrote any."""

    question: str
    at_page: int
    answer_pages: frozenset[int]
    evidence: str
    prose: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two questions of one make: the book answers one of them later, and the other never."""

    ahead: str
    never: str
    at_page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A book with its labels."""

    name: str
    file: Path
    title: str
    pages: tuple[str, ...]
    names: frozenset[str]
    leaks: tuple[Leak, ...]
    questions: tuple[Asked, ...]

    def positions(self, leak: Leak) -> list[int]:
        """Return where a leak is tried: at shares of the book, and at the pages before it becomes known."""
        shares = [len(self.pages) * percent // 100 for percent in _PERCENTS]
        return sorted({page for page in (*shares, leak.page - 3, leak.page - 1) if 0 < page < leak.page})


@cache
def labelled(folder: Path) -> Labelled:
    """Read a book's folder (the form of fixtures/sample)."""
    file = next(path for name in ("book.txt", "novel.txt") if (path := folder / name).is_file())
    text = file.read_text(encoding="utf-8")
    pages = tuple(text.split("\f"))
    translations = {line["id"]: line["text"] for line in _lines(_DATA / "translations.jsonl")}
    prose = {line["id"]: line["prose"] for line in _lines(_DATA / "prose.jsonl")}
    leaks = tuple(
        Leak(
            leak_id=line["id"],
            text=line["text"],
            kind=line["kind"],
            page=line["revealed_page"],
            evidence=_sentence_around(pages[line["revealed_page"] - 1], line["evidence"]),
            translation=translations.get(line["id"]),
        )
        for line in _lines(folder / "statements.jsonl")
        if line["kind"] != "safe"
    )
    questions = tuple(
        Asked(
            question=line["question"],
            at_page=line["at_page"],
            answer_pages=frozenset(line["answer_pages"]),
            evidence=_sentence_around(pages[line["answer_pages"][0] - 1], line["answer_evidence"][0]),
            prose=prose.get(line["id"]),
        )
        for line in _lines(folder / "questions.jsonl")
        if line["kind"] == "answerable"
    )
    return Labelled(
        name=folder.name,
        file=file,
        title=json.loads((folder / "meta.json").read_text(encoding="utf-8"))["title"],
        pages=pages,
        names=frozenset(names_in(text)),
        leaks=leaks,
        questions=questions,
    )


def folders() -> list[Path]:
    """The sample novel, and whatever practice books lie beside the repository."""
    return [SAMPLE, *sorted(path for path in PRACTICE.glob("*") if path.is_dir())]


@cache
def asks() -> dict[str, tuple[str, ...]]:
    """What attackers say, by class."""
    read = tomllib.loads((_DATA / "asks.toml").read_text(encoding="utf-8"))
    return {name: tuple(table["asks"]) for name, table in read.items()}


@cache
def pairs() -> tuple[Pair, ...]:
    """Questions on the sample novel: what lies ahead, and what is never said."""
    return tuple(Pair(**line) for line in _lines(_DATA / "never.jsonl"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _sentence_around(page: str, evidence: str) -> str:
    """Return the evidence with the rest of its sentence, on one line."""
    flat, wanted = " ".join(page.split()), " ".join(evidence.split())
    at = flat.index(wanted)
    begin = max(
        (flat.rfind(mark, 0, at) + len(mark) for mark in (". ", "! ", "? ", "” ") if mark in flat[:at]), default=0
    )
    ends = [end for mark in (". ", "! ", "? ", ".”") if (end := flat.find(mark, at + len(wanted) - 1)) >= 0]
    return flat[begin : min(ends, default=len(flat)) + 1].strip("“” ")
