"""`thusfar notes`: a book's reading notes, page by page: make, import, export, show, remove."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.books import BookArgument
from bot.commands.running import JsonOption, ScopeOption, YesOption, confirm, print_json, run, say
from core.domain.errors import ThusfarError
from core.domain.messages import counted
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from bot.wiring import Application
    from core.domain.book import Book
    from core.domain.note import Note
    from core.library.note_making import MadeNotes
    from core.library.notes import ImportedNotes

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
_TOLD_AT_MOST = 20


@app.callback()
def notes() -> None:
    """Reading notes: what happens on each page of a book, in plain sentences."""


@app.command()
def make(
    book: BookArgument,
    yes: YesOption = False,
    most_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="The limit for all notes, tokens in and out; default THUSFAR_NOTES_TOKENS."),
    ] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Let the configured model write a book's notes, after showing the cost. A pipe is not asked to confirm.

    Notes are stored as they are made, so the same command continues after a stop. They are used once all pages have
    notes.

    Example: thusfar notes make moonstone
    """

    async def work(thusfar: "Application") -> "tuple[Book, MadeNotes]":
        from bot.commands.importing import progress_bar, take_in_notes_with_progress
        from core.club.books.note_commands import what_it_takes

        maker, found = thusfar.noted().maker, await thusfar.library.find(scope=scope, name=book)
        if maker is None:
            raise ThusfarError("No model is configured to write notes. Set a key or OPENAI_BASE_URL in .env.")
        say(f"{found.title}: {what_it_takes(await maker.estimate(found))}")
        confirm("Make them?", yes=yes)
        with progress_bar(found.title) as on_progress:
            made = await maker.make(found, most_tokens=most_tokens, on_progress=on_progress)
        await take_in_notes_with_progress(thusfar, found)
        return found, made

    found, made = run(work)
    summary, usage = made.summary, made.usage
    if as_json:
        spent = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
        counts = {"notes": summary.notes, "pages": summary.pages, "pages_left": made.pages_left}
        print_json({"book_id": found.book_id, **counts, "usage": spent})
        return
    tokens = f"{usage.input_tokens + usage.output_tokens:,} tokens"
    print(f"{found.title}: {counted(summary.notes, 'note')} on {_of_pages(summary.pages, found)}, {tokens}.")
    if made.pages_left:
        left = f"{counted(made.pages_left, 'page')} {'is' if made.pages_left == 1 else 'are'} left"
        say(f"{left}, and the budget is used up. Run it again with a higher --most-tokens.")


@app.command("import")
def import_(
    book: BookArgument,
    file: Annotated[Path, typer.Argument(help="JSON Lines with page, note and, for another edition, anchor.")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Replace a book's notes with those of a file. Notes that fit no page are left out and reported.

    A note that reveals later pages, according to the book's text, moves to the page it belongs to, or is left out.

    Example: thusfar notes import moonstone moonstone-notes.jsonl
    """

    async def work(thusfar: "Application") -> "tuple[Book, ImportedNotes]":
        from adapters.readers.note_files import read_note_file
        from bot.commands.importing import take_in_notes_with_progress

        found = await thusfar.library.find(scope=scope, name=book)
        imported = await thusfar.noted().notes.take(read_note_file(file), book=found)
        await take_in_notes_with_progress(thusfar, found)
        return found, imported

    found, imported = run(work)
    if as_json:
        left_out = [{"line": one.line, "reason": one.reason} for one in imported.left_out]
        print_json({"book_id": found.book_id, "notes": imported.notes, "pages": imported.pages, "left_out": left_out})
        return
    moved = f"; {imported.moved} of them were about later pages and moved there" if imported.moved else ""
    print(f"{found.title}: {counted(imported.notes, 'note')} on {_of_pages(imported.pages, found)}{moved}.")
    for one in imported.left_out[:_TOLD_AT_MOST]:
        say(f"left out, line {one.line}: {one.reason}")
    if len(imported.left_out) > _TOLD_AT_MOST:
        say(f"and {len(imported.left_out) - _TOLD_AT_MOST} more; --json lists all of them.")


@app.command()
def export(book: BookArgument, scope: ScopeOption = LOCAL_SCOPE) -> None:
    """Print a book's notes as JSON Lines, for another club.

    The book's text is not included, except a few words per page that locate it in another edition.

    Example: thusfar notes export moonstone > moonstone-notes.jsonl
    """

    async def work(thusfar: "Application") -> list[str]:
        return await thusfar.noted().notes.lines(await thusfar.library.find(scope=scope, name=book))

    for line in run(work):
        print(line)


@app.command()
def show(
    book: BookArgument,
    page: Annotated[int, typer.Option(min=1, help="The page.")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Show the notes of a page.

    Example: thusfar notes show moonstone --page 12
    """

    async def work(thusfar: "Application") -> "list[Note]":
        return await thusfar.noted().notes.on_page(await thusfar.library.find(scope=scope, name=book), page)

    found = run(work)
    if as_json:
        print_json([_as_json(note) for note in found])
        return
    for note in found:
        moved = f"  (written for p. {note.moved_from})" if note.moved else ""
        print(f"{note.number}. {note.text}{moved}")
    if not found:
        say("This page has no notes.")


@app.command()
def remove(
    book: BookArgument,
    yes: YesOption = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Remove a book's notes, unfinished ones too. A pipe is not asked to confirm, as with --yes.

    Example: thusfar notes remove moonstone --yes
    """

    async def work(thusfar: "Application") -> "tuple[Book, int]":
        found = await thusfar.library.find(scope=scope, name=book)
        confirm(f"Remove all notes of {found.title}?", yes=yes)
        return found, await thusfar.noted().notes.remove(found)

    found, count = run(work)
    if as_json:
        print_json({"book_id": found.book_id, "removed": count})
    else:
        print(f"{found.title}: {counted(count, 'note')} removed.")


def _of_pages(written: int, book: "Book") -> str:
    return f"{written} of {counted(book.pages, 'page')}"


def _as_json(note: "Note") -> dict[str, object]:
    return {
        "page": note.page,
        "number": note.number,
        "note": note.text,
        "written_by": note.written_by,
        "written_at": note.written_at.isoformat() if note.written_at else None,
        "moved_from": note.moved_from,
    }
