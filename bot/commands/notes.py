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
    """Reading notes: what each page of a book tells, in plain sentences."""


@app.command()
def make(
    book: BookArgument,
    yes: YesOption = False,
    most_tokens: Annotated[
        int | None, typer.Option(min=1, help="What all of them may take, tokens in and out; else THUSFAR_NOTES_TOKENS.")
    ] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Have the model that is set up write a book's notes, after saying what they take. A pipe is not asked.

    What is made is kept as it goes: the same command goes on after a stop. They are used once all pages have theirs.

    Example: thusfar notes make moonstone
    """

    async def work(thusfar: "Application") -> "tuple[Book, MadeNotes]":
        from bot.commands.importing import progress_bar, take_in_notes_with_progress
        from core.club.books.note_commands import what_it_takes

        maker, found = thusfar.note_maker, await thusfar.library.find(scope=scope, name=book)
        if maker is None:
            raise ThusfarError("No model is set up to write notes; a key or OPENAI_BASE_URL in .env does that.")
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
        say(f"{left}, and the budget is used up; --most-tokens gives more, and goes on.")


@app.command("import")
def import_(
    book: BookArgument,
    file: Annotated[Path, typer.Argument(help="JSON Lines of page, note and, for another edition, anchor.")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Give a book the notes of a file in place of those it has. What fits no page is left out and told.

    A note that tells of later pages, as far as the book's text can say, goes to the page that tells it, or stays out.

    Example: thusfar notes import moonstone moonstone-notes.jsonl
    """

    async def work(thusfar: "Application") -> "tuple[Book, ImportedNotes]":
        from adapters.readers.note_files import read_note_file
        from bot.commands.importing import take_in_notes_with_progress

        found = await thusfar.library.find(scope=scope, name=book)
        imported = await thusfar.notes.take(read_note_file(file), book=found)
        await take_in_notes_with_progress(thusfar, found)
        return found, imported

    found, imported = run(work)
    if as_json:
        left_out = [{"line": one.line, "reason": one.reason} for one in imported.left_out]
        print_json({"book_id": found.book_id, "notes": imported.notes, "pages": imported.pages, "left_out": left_out})
        return
    moved = f"; {imported.moved} of them tell of later pages and were moved there" if imported.moved else ""
    print(f"{found.title}: {counted(imported.notes, 'note')} on {_of_pages(imported.pages, found)}{moved}.")
    for one in imported.left_out[:_TOLD_AT_MOST]:
        say(f"left out, line {one.line}: {one.reason}")
    if len(imported.left_out) > _TOLD_AT_MOST:
        say(f"and {len(imported.left_out) - _TOLD_AT_MOST} more; --json lists them all.")


@app.command()
def export(book: BookArgument, scope: ScopeOption = LOCAL_SCOPE) -> None:
    """Print a book's notes as JSON Lines, for another club.

    The book's text does not go along, but for a few words a page by which it is found in another edition.

    Example: thusfar notes export moonstone > moonstone-notes.jsonl
    """

    async def work(thusfar: "Application") -> list[str]:
        return await thusfar.notes.lines(await thusfar.library.find(scope=scope, name=book))

    for line in run(work):
        print(line)


@app.command()
def show(
    book: BookArgument,
    page: Annotated[int, typer.Option(min=1, help="The page whose notes are shown.")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Show what the notes say of a page.

    Example: thusfar notes show moonstone --page 12
    """

    async def work(thusfar: "Application") -> "list[Note]":
        return await thusfar.notes.on_page(await thusfar.library.find(scope=scope, name=book), page)

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
    """Remove a book's notes, those that are being made too. A pipe is not asked, as with --yes.

    Example: thusfar notes remove moonstone --yes
    """

    async def work(thusfar: "Application") -> "tuple[Book, int]":
        found = await thusfar.library.find(scope=scope, name=book)
        confirm(f"Remove all notes of {found.title}?", yes=yes)
        return found, await thusfar.notes.remove(found)

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
