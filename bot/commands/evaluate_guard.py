"""`thusfar eval guard`: measure the guard on labelled statements, in a temporary home."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.commands.running import print_json, say, temporary_home
from bot.evaluation.guard import (
    GuardFigures,
    GuardReport,
    JudgedSentence,
    StatedBook,
    cases_of,
    guard_report,
    judge_cases,
    stated_books,
)
from bot.evaluation.intervals import Estimate, numbers, shown
from bot.settings import Embeddings
from bot.wiring import Application
from core.domain.book import Book

_COLUMN = 26


def evaluate_guard(files: list[Path], *, as_json: bool) -> None:
    """Judge every statement at every test page, and print the figures.

    If any of the books has reading notes (`notes.jsonl`), each figure is shown with and without them.
    """
    books = stated_books(files)
    without, by_notes = asyncio.run(_measure(books, talk=not as_json))
    report = guard_report(without)
    noted = guard_report(by_notes) if any(book.notes_file for book in books) else None
    if as_json:
        print_json(_as_json(report) | {"with_notes": None if noted is None else _as_json(noted)})
    else:
        _print(report, noted)


async def _measure(books: list[StatedBook], *, talk: bool) -> tuple[list[JudgedSentence], list[JudgedSentence]]:
    """Judge the statements of all books: by their text only, and with notes, if there are any."""
    without, by_notes = [], []
    async with temporary_home(embeddings=Embeddings.NONE) as thusfar:
        for book in books:
            if talk:
                say(f"{book.name}: {len(book.statements)} statements{', with notes' if book.notes_file else ''}")
            imported = (await thusfar.library.add(book.text, scope="eval", title=book.title, author=book.author)).book
            judged = await _judged(thusfar, book, imported)
            without += judged
            if book.notes_file is not None:
                await thusfar.noted().notes.take(book.notes_file.read_text(encoding="utf-8"), book=imported)
                judged = await _judged(thusfar, book, await thusfar.library.get(imported.book_id))
            by_notes += judged
    return without, by_notes


async def _judged(thusfar: Application, book: StatedBook, imported: Book) -> list[JudgedSentence]:
    async def verdict(text: str, page: int) -> tuple[bool, float]:
        judgement = await thusfar.guard.judge(text, book=imported, position=page)
        return judgement.leaks, judgement.score

    cases = [case for statement in book.statements for case in cases_of(statement, pages=imported.pages)]
    return await judge_cases(book.name, cases, verdict)


def _as_json(report: GuardReport) -> dict[str, object]:
    return {
        "away": _figures(report.away),
        "near": _figures(report.near),
        "kinds": _group(report.kinds),
        "bands": _group(report.bands),
        "books": _group(report.books),
        "auc": numbers(report.auc),
        "caught_at": {f"{share:.2f}": numbers(caught) for share, caught in report.curve.items()},
        "milliseconds": {name: round(value, 2) for name, value in report.milliseconds.items()},
    }


def _group(group: Mapping[str, GuardFigures]) -> dict[str, object]:
    return {name: _figures(figures) for name, figures in group.items()}


def _figures(figures: GuardFigures) -> dict[str, object]:
    return {
        "leaks": figures.leaks,
        "caught": numbers(figures.caught),
        "others": figures.others,
        "wrongly_blocked": numbers(figures.wrongly_blocked),
    }


def _print(report: GuardReport, noted: GuardReport | None) -> None:
    """Print a column without notes, and one with notes if there are any."""
    more = ("with notes",) if noted else ()
    _line("", "leaks", ["caught", *more], "others", ["wrongly blocked", *more])
    reports = [report, *([noted] if noted else [])]
    _row("more than 2 pages away", [one.away for one in reports])
    _row("within 2 pages", [one.near for one in reports])
    for title, groups in (
        ("by kind", [one.kinds for one in reports]),
        ("by share read", [one.bands for one in reports]),
        ("by book", [one.books for one in reports]),
    ):
        print(title)
        for name in groups[0]:
            _row(f"  {name}", [group[name] for group in groups])
    print(f"area under the curve: {_both([one.auc for one in reports])}")
    for share in report.curve:
        print(f"  caught at {share:.0%} wrong blocks: {_both([one.curve[share] for one in reports])}")
    for one, how in zip(reports, ("", ", with notes"), strict=False):
        times = one.milliseconds
        print(f"a statement{how}: {times['median']:.1f} ms, p95 {times['p95']:.1f} ms of CPU")


def _row(name: str, figures: Sequence[GuardFigures]) -> None:
    caught, wrong = [shown(one.caught) for one in figures], [shown(one.wrongly_blocked) for one in figures]
    _line(name, str(figures[0].leaks), caught, str(figures[0].others), wrong)


def _line(name: str, leaks: str, caught: Sequence[str], others: str, wrong: Sequence[str]) -> None:
    shown = "".join(f"{one:>20}" for one in caught), "".join(f"{one:>22}" for one in wrong)
    print(f"{name:{_COLUMN}}{leaks:>7}{shown[0]}{others:>9}{shown[1]}")


def _both(figures: Sequence[Estimate | None]) -> str:
    return "; with notes ".join(map(shown, figures))
