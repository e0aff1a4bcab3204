"""`thusfar eval`: how good it is, measured on labelled books in a home that is thrown away afterwards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json, say

if TYPE_CHECKING:
    from bot.evaluation.intervals import Estimate
    from bot.evaluation.labels import LabelledBook
    from bot.evaluation.retrieval import Report, Score
    from bot.wiring import Application

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def evaluate() -> None:
    """Measure how good it is, on labelled books."""


@app.command("retrieval")
def retrieval(
    files: Annotated[list[Path], typer.Argument(help="Folders of labelled books (the form of fixtures/sample).")],
    as_json: JsonOption = False,
) -> None:
    """Measure how often search finds the page that answers, beside SQLite's full-text search over whole pages.

    Both are asked the same questions at the same positions. Your home is not touched.

    Example: thusfar eval retrieval fixtures/sample
    """
    import asyncio

    from bot.evaluation.labels import labelled_books
    from bot.evaluation.retrieval import report

    books = labelled_books(files)
    scores = asyncio.run(_measure(books, talk=not as_json))
    reports = [(book.name, report(of_book)) for book, of_book in zip(books, scores, strict=True)]
    overall = report([one for of_book in scores for one in of_book])
    if as_json:
        print_json(
            {"books": [{"book": name, **_as_json(one)} for name, one in reports], "all": _as_json(overall)},
        )
        return
    for name, one in [*reports, ("all", overall)]:
        _print(name, one)


@app.command("guard")
def guard(
    files: Annotated[list[Path], typer.Argument(help="Folders of labelled books (the form of fixtures/sample).")],
    as_json: JsonOption = False,
) -> None:
    """Measure what the spoiler guard catches before a page is read, and what it wrongly blocks after.

    Every labelled statement is tried at pages before and after the one that reveals it. Your home is not touched.

    Example: thusfar eval guard fixtures/sample
    """
    from bot.commands.evaluate_guard import evaluate_guard

    evaluate_guard(files, as_json=as_json)


async def _measure(books: "list[LabelledBook]", *, talk: bool) -> "list[list[Score]]":
    import tempfile

    from bot.wiring import build

    with tempfile.TemporaryDirectory() as home:
        # Only what decides how books are searched is taken over.
        elsewhere = {"thusfar_home": Path(home), "database_url": None}
        thusfar = build(prepared_settings().model_copy(update=elsewhere))
        try:
            scores = []
            for book in books:
                if talk:
                    say(f"{book.name}: {len(book.questions)} questions")
                scores.append(await _scores(thusfar, book))
            return scores
        finally:
            await thusfar.close()


async def _scores(thusfar: "Application", book: "LabelledBook") -> "list[Score]":
    from adapters.readers.choose import reader_for
    from adapters.retrieval.fts5_yardstick import Fts5Yardstick
    from bot.evaluation.retrieval import DEPTH, pages_of, score

    imported = (await thusfar.library.add(book.text, scope="eval", title=book.name)).book
    yardstick = Fts5Yardstick(reader_for(book.text).read(book.text).pages)

    async def ours(text: str, page: int) -> list[tuple[int, int]]:
        return pages_of(await thusfar.search.execute(imported.book_id, text, position=page, top_k=DEPTH))

    async def theirs(text: str, page: int) -> list[tuple[int, int]]:
        return [(number, number) for number in yardstick.search(text, last_page=page, limit=DEPTH)]

    try:
        return await score(
            book.questions,
            ours=lambda question: ours(question.text, question.at_page),
            yardstick=lambda question: theirs(question.text, question.at_page),
        )
    finally:
        yardstick.close()


def _as_json(one: "Report") -> dict[str, object]:
    return {
        "questions": one.questions,
        "thusfar": {name: _numbers(figure) for name, figure in one.ours.items()},
        "yardstick": {name: _numbers(figure) for name, figure in one.yardstick.items()},
        "difference": {name: _numbers(figure) for name, figure in one.difference.items()},
    }


def _numbers(figure: "Estimate") -> dict[str, float]:
    return {"value": round(figure.value, 4), "low": round(figure.low, 4), "high": round(figure.high, 4)}


def _print(name: str, one: "Report") -> None:
    print(f"{name}: {one.questions} questions")
    print(f"  {'':8}{'Thusfar':>22}{'full-text search':>22}{'difference':>24}")
    for figure, ours in one.ours.items():
        sides = f"{_shown(ours):>22}{_shown(one.yardstick[figure]):>22}"
        print(f"  {figure:8}{sides}{_shown(one.difference[figure], sign='+'):>24}")
    print()


def _shown(figure: "Estimate", *, sign: str = "") -> str:
    return f"{figure.value:{sign}.2f} [{figure.low:{sign}.2f}, {figure.high:{sign}.2f}]"
