"""`thusfar eval retrieval`: measure how often search finds the page that answers, in a temporary home."""

import asyncio
from pathlib import Path

from adapters.readers.choose import reader_for
from adapters.readers.note_files import read_note_file
from adapters.retrieval.fts5_yardstick import Fts5Yardstick
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider
from bot.commands.running import print_json, say, temporary_home
from bot.evaluation.intervals import numbers, shown
from bot.evaluation.retrieval import (
    DEPTH,
    LabelledBook,
    RetrievalFigures,
    RetrievalReport,
    Score,
    labelled_books,
    pages_of,
    report,
    score,
)
from bot.wiring import Application

_AT_EVERY_POSITION = ("hit@5", "mrr@10")
_POSITION_NAMES = {"page": "at its page", "end": "at the end"}


def evaluate_retrieval(files: list[Path], *, as_json: bool) -> None:
    """Ask every question at every position, and print the figures. Raises BookError: a folder is no labelled book."""
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


async def _measure(
    books: list[LabelledBook], *, talk: bool
) -> tuple[str, list[tuple[list[Score], list[Score] | None]]]:
    """Return the embedding's name, and each book's scores without and with notes."""
    async with temporary_home() as thusfar:
        scores = []
        for book in books:
            if talk:
                say(f"{book.name}: {len(book.questions)} questions")
            scores.append(await _scores(thusfar, book))
        return embedding_name(thusfar), scores


def embedding_name(thusfar: Application) -> str:
    """Return the embedding's name for the report."""
    models = ["WordLlama"] if thusfar.words is not None else []
    if thusfar.embeddings is not None and not isinstance(thusfar.embeddings, WordLlamaEmbeddingProvider):
        models.append(thusfar.embeddings.model_id)
    return ", ".join(models) or "none"


async def _scores(thusfar: Application, book: LabelledBook) -> tuple[list[Score], list[Score] | None]:
    """Return a book's scores without notes, and with notes if it has any."""
    imported = (await thusfar.library.add(book.text, scope="eval", title=book.name)).book
    await thusfar.noted().notes.remove(imported)
    yardstick = Fts5Yardstick(reader_for(book.text).read(book.text).pages)

    async def ours(text: str, page: int) -> list[tuple[int, int]]:
        return pages_of(await thusfar.search.execute(imported.book_id, text, position=page, top_k=DEPTH))

    async def theirs(text: str, page: int) -> list[tuple[int, int]]:
        return [(number, number) for number in yardstick.search(text, last_page=page, limit=DEPTH)]

    try:
        plain = await score(book.questions, pages=imported.pages, ours=ours, yardstick=theirs)
        if book.notes is None:
            return plain, None
        await thusfar.noted().notes.take(read_note_file(book.notes), book=imported)
        await thusfar.library.complete_notes(imported.book_id)
        return plain, await score(book.questions, pages=imported.pages, ours=ours, yardstick=theirs)
    finally:
        yardstick.close()


def _as_json(one: RetrievalReport, noted: "RetrievalReport | None" = None) -> dict[str, object]:
    """Return the means over the five positions, then the figures at each; also with notes, if there are any."""
    at = {position: _sides(figures) for position, figures in one.at.items()}
    told: dict[str, object] = {"questions": one.questions, **_sides(one.mean), "positions": at}
    return told | ({} if noted is None else {"with_notes": _as_json(noted)})


def _sides(figures: RetrievalFigures) -> dict[str, object]:
    return {
        "thusfar": {name: numbers(figure) for name, figure in figures.ours.items()},
        "yardstick": {name: numbers(figure) for name, figure in figures.yardstick.items()},
        "difference": {name: numbers(figure) for name, figure in figures.difference.items()},
    }


def _print(name: str, one: RetrievalReport, noted: RetrievalReport | None) -> None:
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


def _print_line(label: str, figures: RetrievalFigures, noted: RetrievalFigures | None, figure: str) -> None:
    """Print a line; the difference to full-text search uses notes, if there are any."""
    with_notes = "" if noted is None else f"{shown(noted.ours[figure]):>22}"
    sides = f"{shown(figures.ours[figure]):>22}{with_notes}{shown(figures.yardstick[figure]):>22}"
    print(f"  {label:20}{sides}{shown((noted or figures).difference[figure], sign='+'):>24}")
