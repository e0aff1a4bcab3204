"""`thusfar eval`: measure quality on labelled books and threads."""

from pathlib import Path
from typing import Annotated

import typer

from bot.commands.running import JsonOption

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


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
    from bot.commands.evaluate_retrieval import evaluate_retrieval

    evaluate_retrieval(files, as_json=as_json)


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

    Each member's line is judged with the lines before it, by the rules alone. No model is called.

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
