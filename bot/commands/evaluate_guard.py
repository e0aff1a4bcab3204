"""`thusfar eval guard`: measures the guard on labelled statements, in a home that is thrown away afterwards."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.running import prepared_settings, print_json, say

if TYPE_CHECKING:
    from bot.evaluation.guard import Figures, GuardReport, Judged
    from bot.evaluation.guard_labels import StatedBook
    from bot.evaluation.intervals import Estimate
    from bot.wiring import Application

_COLUMN = 26


def evaluate_guard(files: list[Path], *, as_json: bool) -> None:
    """Judge every statement at every page of the protocol, and print the figures."""
    import asyncio

    from bot.evaluation.guard import guard_report
    from bot.evaluation.guard_labels import stated_books

    books = stated_books(files)
    report = guard_report(asyncio.run(_measure(books, talk=not as_json)))
    if as_json:
        print_json(_as_json(report))
    else:
        _print(report)


async def _measure(books: "list[StatedBook]", *, talk: bool) -> "list[Judged]":
    import tempfile

    from bot.settings import Embeddings
    from bot.wiring import build

    with tempfile.TemporaryDirectory() as home:
        elsewhere = {"thusfar_home": Path(home), "database_url": None, "embeddings": Embeddings.NONE}
        thusfar = build(prepared_settings().model_copy(update=elsewhere))
        try:
            judged = []
            for book in books:
                if talk:
                    say(f"{book.name}: {len(book.statements)} statements")
                judged += await _judged(thusfar, book)
            return judged
        finally:
            await thusfar.close()


async def _judged(thusfar: "Application", book: "StatedBook") -> "list[Judged]":
    from bot.evaluation.guard import judge_cases
    from bot.evaluation.guard_labels import cases_of

    imported = (await thusfar.library.add(book.text, scope="eval", title=book.title, author=book.author)).book

    async def verdict(text: str, page: int) -> tuple[bool, float]:
        judgement = await thusfar.guard.judge(text, book=imported, position=page)
        return judgement.leaks, judgement.score

    cases = [case for statement in book.statements for case in cases_of(statement, pages=imported.pages)]
    return await judge_cases(book.name, cases, verdict)


def _as_json(report: "GuardReport") -> dict[str, object]:
    return {
        "away": _figures(report.away),
        "near": _figures(report.near),
        "kinds": _group(report.kinds),
        "bands": _group(report.bands),
        "books": _group(report.books),
        "auc": _numbers(report.auc),
        "caught_at": {f"{share:.2f}": _numbers(caught) for share, caught in report.curve.items()},
        "milliseconds": {name: round(value, 2) for name, value in report.milliseconds.items()},
    }


def _group(group: "Mapping[str, Figures]") -> dict[str, object]:
    return {name: _figures(figures) for name, figures in group.items()}


def _figures(figures: "Figures") -> dict[str, object]:
    return {
        "leaks": figures.leaks,
        "caught": _numbers(figures.caught),
        "others": figures.others,
        "wrongly_blocked": _numbers(figures.wrongly_blocked),
    }


def _numbers(figure: "Estimate | None") -> dict[str, float] | None:
    if figure is None:
        return None
    return {"value": round(figure.value, 4), "low": round(figure.low, 4), "high": round(figure.high, 4)}


def _print(report: "GuardReport") -> None:
    print(f"{'':{_COLUMN}}{'leaks':>7}{'caught':>20}{'others':>9}{'wrongly blocked':>22}")
    _row("more than 2 pages away", report.away)
    _row("within 2 pages", report.near)
    for title, group in (("by kind", report.kinds), ("by share read", report.bands), ("by book", report.books)):
        print(title)
        for name, figures in group.items():
            _row(f"  {name}", figures)
    print(f"area under the curve: {_shown(report.auc)}")
    for share, caught in report.curve.items():
        print(f"  caught at {share:.0%} wrong blocks: {_shown(caught)}")
    print(f"a statement: {report.milliseconds['median']:.1f} ms, p95 {report.milliseconds['p95']:.1f} ms of CPU")


def _row(name: str, figures: "Figures") -> None:
    caught, wrong = _shown(figures.caught), _shown(figures.wrongly_blocked)
    print(f"{name:{_COLUMN}}{figures.leaks:>7}{caught:>20}{figures.others:>9}{wrong:>22}")


def _shown(figure: "Estimate | None") -> str:
    return "-" if figure is None else f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
