"""`thusfar books`: import, list, show, edit, share, remove, reindex."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.book_facts import chapter_spans, details, line, series, summary, told
from bot.commands.running import (
    JsonOption,
    ScopeOption,
    YesOption,
    confirm,
    look_up,
    prepared_settings,
    print_json,
    run,
    say,
)
from core.domain.scopes import LOCAL_SCOPE, is_scope

if TYPE_CHECKING:
    from bot.home import Shelf
    from bot.wiring import Application
    from core.domain.book import Book, BookOutline
    from core.domain.note import NotesSummary
    from core.library.library import ImportedBook

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
BookArgument = Annotated[str, typer.Argument(help="Id (b_...), title, or unique words of a title.")]


@app.command()
def add(
    path: Annotated[Path, typer.Argument(help="An .epub, .pdf, .txt or .md file.", show_default=False)],
    title: Annotated[str | None, typer.Option(help="The title, if the file's own is wrong.")] = None,
    author: Annotated[str | None, typer.Option(help="The author, if the file's own is wrong.")] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Import a book. The same text is imported only once.

    Example: thusfar books add moonstone.txt --title "The Moonstone"
    """
    from bot.commands.importing import import_with_progress
    from core.club.books.story_span import story_line

    async def work(thusfar: "Application") -> "tuple[ImportedBook, BookOutline]":
        imported = await import_with_progress(thusfar, path, scope=scope, title=title, author=author)
        return imported, await thusfar.library.outline(imported.book.book_id)

    imported, outline = run(work)
    book = imported.book
    if as_json:
        print_json({**summary(book), **series(outline), "seconds": imported.seconds})
        return
    if not imported.is_new:
        say("This text was already imported.")
    if imported.replaces:
        say("It replaces the earlier import of this title. Everyone keeps their page.")
    print(f"{line(book)}  ({imported.seconds:.1f} s)")
    if chapters := chapter_spans(outline):
        print(f"chapters: {chapters}")
    print(story_line(outline))


@app.command("list")
def list_(scope: ScopeOption = LOCAL_SCOPE, as_json: JsonOption = False) -> None:
    """List the books of a scope.

    Example: thusfar books list --json
    """
    found = look_up(lambda books: books.in_scope(scope=scope))
    if as_json:
        print_json([{**summary(book), "status": book.status} for book in found])
        return
    for book in found:
        print(f"{line(book)}, {book.status}")
    if not found:
        say("There are no books yet; `thusfar books add PATH` imports one.")


@app.command()
def show(
    book: BookArgument,
    titles: Annotated[
        bool, typer.Option("--titles", help="Show chapter titles too. They may reveal the story.")
    ] = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Show a book: pages and labels, start and end of the story, notes, chapters.

    Example: thusfar books show moonstone
    """
    import asyncio

    from bot.home import opened_shelf

    async def work(shelf: "Shelf") -> "tuple[Book, BookOutline, NotesSummary]":
        found = await shelf.books.find(scope=scope, name=book)
        return found, await shelf.books.outline(found.book_id), await shelf.notes.summary(found.book_id)

    with opened_shelf(prepared_settings()) as shelf:
        _show(*asyncio.run(work(shelf)), titles=titles, as_json=as_json)


@app.command()
def edit(  # noqa: PLR0913, PLR0917 (a command's options)
    book: BookArgument,
    title: Annotated[str | None, typer.Option(help="A new title.")] = None,
    author: Annotated[str | None, typer.Option(help="A new author; empty for none.")] = None,
    first_page: Annotated[int | None, typer.Option(min=1, help="The story's first page, as a page number.")] = None,
    last_page: Annotated[int | None, typer.Option(min=1, help="The story's last page, as a page number.")] = None,
    chapter: Annotated[list[str] | None, typer.Option(help="A chapter's title, as NUMBER=TITLE; repeatable.")] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Correct an import: title, author, start and end of the story, chapter titles.

    Example: thusfar books edit moonstone --first-page 9 --chapter "3=The Diamond"
    """
    from core.domain.book import BookEdit

    edited = BookEdit(
        title=title,
        author=author,
        first_story_page=first_page,
        last_story_page=last_page,
        chapter_titles=dict(_chapter_title(one) for one in chapter or ()),
    )

    async def work(thusfar: "Application") -> "tuple[Book, BookOutline, NotesSummary]":
        found = await thusfar.library.find(scope=scope, name=book)
        mended = await thusfar.library.edit(found.book_id, edited)
        notes = await thusfar.noted().notes.summary(found.book_id)
        return mended, await thusfar.library.outline(found.book_id), notes

    _show(*run(work), titles=bool(chapter), as_json=as_json)


@app.command()
def share(
    book: BookArgument,
    to: Annotated[str, typer.Option("--to", help="The scope that gets the book, such as discord:123 or slack:T1.")],
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Copy a book to another scope. The two copies are independent.

    Example: thusfar books share moonstone --to discord:123
    """
    if not is_scope(to):
        raise typer.BadParameter(
            "a scope must be local, discord:ID, slack:ID, discord:dm:ID or slack:dm:ID:ID", param_hint="--to"
        )

    async def work(thusfar: "Application") -> "ImportedBook":
        found = await thusfar.library.find(scope=scope, name=book)
        return await thusfar.library.share(found.book_id, scope=to)

    shared = run(work)
    if as_json:
        print_json({**summary(shared.book), "status": shared.book.status, "scope": to})
        return
    if not shared.is_new:
        say("It was already there.")
    print(f"{line(shared.book)}, {shared.book.status}, in {to}")


@app.command()
def remove(
    book: BookArgument,
    yes: YesOption = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Remove a book with its positions and conversations. A pipe is not asked to confirm, as with --yes.

    Example: thusfar books remove moonstone --yes
    """

    async def work(thusfar: "Application") -> "Book":
        found = await thusfar.library.find(scope=scope, name=book)
        confirm(f"Remove {found.title} with all its conversations?", yes=yes)
        await thusfar.library.remove(found.book_id)
        return found

    found = run(work)
    if as_json:
        print_json({"book_id": found.book_id, "title": found.title, "removed": True})
    else:
        print(f"{found.title} was removed.")


@app.command()
def reindex(
    book: Annotated[str | None, typer.Argument(help="One book; without it, all books of the scope.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Also make missing vectors before exiting.")] = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Rebuild the indexes from the database with the existing vectors; --wait also makes missing ones.

    Example: thusfar books reindex --wait
    """
    reindexed = run(lambda thusfar: _reindexed(thusfar, book, scope=scope, wait=wait), stays=True)
    if as_json:
        print_json([{**summary(each), "status": each.status} for each in reindexed])
        return
    for each in reindexed:
        print(f"{line(each)}, {each.status}")


async def _reindexed(thusfar: "Application", name: str | None, *, scope: str, wait: bool) -> "list[Book]":
    from bot.commands.importing import complete_with_progress

    library = thusfar.library
    books = await library.in_scope(scope=scope) if name is None else [await library.find(scope=scope, name=name)]
    only = None if name is None else books[0].book_id
    if thusfar.chroma is not None and not await thusfar.chroma.rebuild(only):
        say(f"{thusfar.chroma.store.not_now}; only vectors are made here.")
    for book in books:
        if wait:
            await complete_with_progress(thusfar, book)
        else:
            await library.reindex(book.book_id)
    return [await library.get(book.book_id) for book in books]


def _show(book: "Book", outline: "BookOutline", notes: "NotesSummary", *, titles: bool, as_json: bool) -> None:
    if as_json:
        print_json(details(book, outline, notes, titles=titles))
        return
    for each in told(book, outline, notes, titles=titles):
        print(each)


def _chapter_title(option: str) -> tuple[int, str]:
    number, equals, title = option.partition("=")
    if not equals or not number.strip().isdecimal() or not title.strip():
        raise typer.BadParameter("give a chapter's title as NUMBER=TITLE", param_hint="--chapter")
    return int(number), title.strip()
