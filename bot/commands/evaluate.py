"""`thusfar eval`: measure quality on labelled books in a temporary home."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json, say

if TYPE_CHECKING:
    from bot.evaluation.intervals import Estimate
    from bot.evaluation.retrieval import LabelledBook, RetrievalFigures, RetrievalReport, Score
    from bot.wiring import Application

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
_AT_EVERY_POSITION = ("hit@5", "mrr@10")
_POSITION_NAMES = {"page": "at its page", "end": "at the end"}


@app.callback()
def evaluate() -> None:
    """Measure quality on labelled books and threads."""


@app.command("retrieval")
def retrieval(
    files: Annotated[list[Path], typer.Argument(help="Folders of labelled books (in the format of fixtures/sample).")],
    as_json: JsonOption = False,
) -> None:
    """Measure how often search finds the page that answers, compared with SQLite's full-text search over whole pages.

    Each question is asked at its labelled page, 10, 30 and 60 pages later and at the end of the book (never beyond the
    last page). Differences are paired, with 95 % confidence intervals. A folder with notes.jsonl is measured with and
    without its reading notes. Your home is not touched.

    Example: thusfar eval retrieval fixtures/sample
    """
    import asyncio

    from bot.evaluation.retrieval import labelled_books, report

    books = labelled_books(files)
    embedding, measured = asyncio.run(_measure(books, talk=not as_json))
    names = [book.name for book in books]
    plain = [report(scores) for scores, _ in measured]
    noted = [None if scores is None else report(scores) for _, scores in measured]
    names.append("all")
    plain.append(report([one for scores, _ in measured for one in scores]))
    has_notes = any(noted)
    noted.append(
        report([one for scores, with_notes in measured for one in with_notes or scores]) if has_notes else None
    )
    reports = [*zip(names, plain, noted, strict=True)]
    if as_json:
        listed = [{"book": name, **_as_json(one, with_notes)} for name, one, with_notes in reports]
        overall = {key: value for key, value in listed.pop().items() if key != "book"}
        print_json({"embedding": embedding, "books": listed, "all": overall})
        return
    print(f"embedding: {embedding}")
    for name, one, with_notes in reports:
        _print(name, one, with_notes)


@app.command("guard")
def guard(
    files: Annotated[list[Path], typer.Argument(help="Folders of labelled books (in the format of fixtures/sample).")],
    as_json: JsonOption = False,
) -> None:
    """Measure what the spoiler guard catches before a page is read, and what it wrongly blocks afterwards.

    Every labelled statement is tested at pages before and after the one that reveals it. Your home is not touched.

    Example: thusfar eval guard fixtures/sample
    """
    from bot.commands.evaluate_guard import evaluate_guard

    evaluate_guard(files, as_json=as_json)


@app.command("listening")
def listening(
    files: Annotated[list[Path], typer.Argument(help="Labelled threads as JSON Lines, one thread per line.")],
    as_json: JsonOption = False,
) -> None:
    """Measure whether the bot answers when asked, and how often it interrupts, on labelled threads.

    Each member's line is judged with the lines before it: by the rules only, and with a simulated model that decides
    doubtful lines and errs in a tenth. Two simple rules are shown for comparison. No model is called.

    Example: thusfar eval listening threads.jsonl
    """
    from bot.commands.evaluate_listening import evaluate_listening

    evaluate_listening(files, as_json=as_json)


@app.command("understanding")
def understanding(
    files: Annotated[list[Path], typer.Argument(help="Labelled wordings, JSON Lines, one message a line.")],
    as_json: JsonOption = False,
) -> None:
    """Measure whether messages are understood: who they are for, what is wanted, what they name.

    Each line has text, where (mention, thread, dm), addressed (yes, no, maybe), intent, slots, in_scope, and the lines
    before it. No model is called.

    Example: thusfar eval understanding wordings.jsonl
    """
    from bot.commands.evaluate_understanding import evaluate_understanding

    evaluate_understanding(files, as_json=as_json)


async def _measure(
    books: "list[LabelledBook]", *, talk: bool
) -> "tuple[str, list[tuple[list[Score], list[Score] | None]]]":
    """Return the embedding's name, and each book's scores without and with notes."""
    import tempfile

    from bot.wiring import build

    with tempfile.TemporaryDirectory() as home:
        # Only the settings that affect search are used.
        elsewhere = {"thusfar_home": Path(home), "database_url": None}
        thusfar = build(prepared_settings().model_copy(update=elsewhere))
        try:
            scores = []
            for book in books:
                if talk:
                    say(f"{book.name}: {len(book.questions)} questions")
                scores.append(await _scores(thusfar, book))
            return embedding_name(thusfar), scores
        finally:
            await thusfar.close()


def embedding_name(thusfar: "Application") -> str:
    """Return the embedding's name for the report."""
    from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider

    models = ["WordLlama"] if thusfar.words is not None else []
    if thusfar.embeddings is not None and not isinstance(thusfar.embeddings, WordLlamaEmbeddingProvider):
        models.append(thusfar.embeddings.model_id)
    return ", ".join(models) or "none"


async def _scores(thusfar: "Application", book: "LabelledBook") -> "tuple[list[Score], list[Score] | None]":
    """Return a book's scores without notes, and with notes if it has any."""
    from adapters.readers.choose import reader_for
    from adapters.retrieval.fts5_yardstick import Fts5Yardstick
    from bot.evaluation.retrieval import DEPTH, pages_of, score

    imported = (await thusfar.library.add(book.text, scope="eval", title=book.name)).book
    await thusfar.notes.remove(imported)
    yardstick = Fts5Yardstick(reader_for(book.text).read(book.text).pages)

    async def ours(text: str, page: int) -> list[tuple[int, int]]:
        return pages_of(await thusfar.search.execute(imported.book_id, text, position=page, top_k=DEPTH))

    async def theirs(text: str, page: int) -> list[tuple[int, int]]:
        return [(number, number) for number in yardstick.search(text, last_page=page, limit=DEPTH)]

    try:
        plain = await score(book.questions, pages=imported.pages, ours=ours, yardstick=theirs)
        if book.notes is None:
            return plain, None
        await thusfar.notes.take(_text_of(book.notes), book=imported)
        await thusfar.library.complete_notes(imported.book_id)
        return plain, await score(book.questions, pages=imported.pages, ours=ours, yardstick=theirs)
    finally:
        yardstick.close()


def _text_of(notes: Path) -> str:
    from adapters.readers.note_files import read_note_file

    return read_note_file(notes)


def _as_json(one: "RetrievalReport", noted: "RetrievalReport | None" = None) -> dict[str, object]:
    """Return the means over the five positions, then the figures at each; also with notes, if there are any."""
    at = {position: _sides(figures) for position, figures in one.at.items()}
    told: dict[str, object] = {"questions": one.questions, **_sides(one.mean), "positions": at}
    return told | ({} if noted is None else {"with_notes": _as_json(noted)})


def _sides(figures: "RetrievalFigures") -> dict[str, object]:
    return {
        "thusfar": {name: _numbers(figure) for name, figure in figures.ours.items()},
        "yardstick": {name: _numbers(figure) for name, figure in figures.yardstick.items()},
        "difference": {name: _numbers(figure) for name, figure in figures.difference.items()},
    }


def _numbers(figure: "Estimate") -> dict[str, float]:
    return {"value": round(figure.value, 4), "low": round(figure.low, 4), "high": round(figure.high, 4)}


def _print(name: str, one: "RetrievalReport", noted: "RetrievalReport | None") -> None:
    """Print hit@5 and MRR@10 at every position with their means; only means for the other figures."""
    print(f"{name}: {one.questions} questions")
    columns = "" if noted is None else f"{'with notes':>22}"
    print(f"  {'':20}{'Thusfar':>22}{columns}{'full-text search':>22}{'difference':>24}")
    for figure in one.mean.ours:
        if figure in _AT_EVERY_POSITION:
            for position, figures in one.at.items():
                label = f"{figure} {_POSITION_NAMES.get(position, position)}"
                _print_line(label, figures, None if noted is None else noted.at[position], figure)
        _print_line(f"{figure} mean", one.mean, None if noted is None else noted.mean, figure)
    print()


def _print_line(label: str, figures: "RetrievalFigures", noted: "RetrievalFigures | None", figure: str) -> None:
    """Print a line; the difference to full-text search uses notes, if there are any."""
    with_notes = "" if noted is None else f"{_shown(noted.ours[figure]):>22}"
    sides = f"{_shown(figures.ours[figure]):>22}{with_notes}{_shown(figures.yardstick[figure]):>22}"
    print(f"  {label:20}{sides}{_shown((noted or figures).difference[figure], sign='+'):>24}")


def _shown(figure: "Estimate", *, sign: str = "") -> str:
    return f"{figure.value:{sign}.2f} [{figure.low:{sign}.2f}, {figure.high:{sign}.2f}]"
