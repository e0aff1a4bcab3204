"""`thusfar books`: import, list, show, remove, reindex."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.options import JsonOption, ScopeOption
from bot.commands.running import print_json, run, say
from core.domain.scope import LOCAL_SCOPE

if TYPE_CHECKING:
    from bot.wiring import Application
    from core.domain.book import Book, Chapter

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
BookArgument = Annotated[str, typer.Argument(help="Id (b_...), title, or a unique beginning of a title.")]


@app.command()
def add(
    path: Annotated[Path, typer.Argument(help="A .txt or .md file.", show_default=False)],
    title: Annotated[str | None, typer.Option(help="The title, where the file does not say it right.")] = None,
    author: Annotated[str | None, typer.Option(help="The author, likewise.")] = None,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Import a book. The same text twice is one book.

    Example: thusfar books add moonstone.txt --title "The Moonstone"
    """
    from bot.commands.importing import import_with_progress

    imported = run(lambda thusfar: import_with_progress(thusfar, path, scope=scope, title=title, author=author))
    book = imported.book
    if as_json:
        print_json({**_summary(book), "seconds": imported.seconds})
        return
    if not imported.is_new:
        say("This text was here already.")
    print(f"{_line(book)}  ({imported.seconds:.1f} s)")


@app.command("list")
def list_(scope: ScopeOption = LOCAL_SCOPE, as_json: JsonOption = False) -> None:
    """List the books of a scope.

    Example: thusfar books list --json
    """
    found = run(lambda thusfar: thusfar.library.in_scope(scope=scope))
    if as_json:
        print_json([{**_summary(book), "status": book.status} for book in found])
        return
    for book in found:
        print(f"{_line(book)}, {book.status}")
    if not found:
        say("There are no books yet; `thusfar books add PATH` imports one.")


@app.command()
def show(
    book: BookArgument,
    titles: Annotated[bool, typer.Option("--titles", help="Show chapter titles too. They may tell the story.")] = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Show a book and its chapters.

    Example: thusfar books show moonstone
    """

    async def work(thusfar: "Application") -> "tuple[Book, tuple[Chapter, ...]]":
        found = await thusfar.library.find(scope=scope, name=book)
        return found, (await thusfar.library.outline(found.book_id)).chapters

    found, chapters = run(work)
    if as_json:
        listed = [
            {"number": c.number, "first_page": c.first_page, "last_page": c.last_page}
            | ({"title": c.title} if titles else {})
            for c in chapters
        ]
        print_json(
            {**_summary(found), "status": found.status, "page_source": found.page_source, "chapter_list": listed}
        )
        return
    print(f"{_line(found)}, {found.status}")
    print("pages: " + ("form feeds in the file" if found.page_source == "form_feeds" else "estimated, about 300 words"))
    for chapter in chapters:
        name = f"  {chapter.title}" if titles else ""
        print(f"  chapter {chapter.number}: p. {chapter.first_page}-{chapter.last_page}{name}")


@app.command()
def remove(
    book: BookArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Remove a book with its positions and conversations. A pipe is not asked, as with --yes.

    Example: thusfar books remove moonstone --yes
    """

    async def work(thusfar: "Application") -> "Book":
        found = await thusfar.library.find(scope=scope, name=book)
        if not yes and sys.stdin.isatty():
            typer.confirm(f"Remove {found.title} with all its conversations?", abort=True, err=True)
        await thusfar.library.remove(found.book_id)
        return found

    found = run(work)
    if as_json:
        print_json({"book_id": found.book_id, "title": found.title, "removed": True})
    else:
        print(f"{found.title} is gone.")


@app.command()
def reindex(
    book: Annotated[str | None, typer.Argument(help="One book; all of the scope without it.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Finish missing vectors too before ending.")] = False,
    scope: ScopeOption = LOCAL_SCOPE,
    as_json: JsonOption = False,
) -> None:
    """Build the indexes anew from the database, with the vectors that are there; --wait makes the missing ones too.

    Example: thusfar books reindex --wait
    """
    from bot.commands.importing import complete_with_progress

    async def work(thusfar: "Application") -> "list[Book]":
        library = thusfar.library
        chosen = [await library.find(scope=scope, name=book)] if book else await library.in_scope(scope=scope)
        if thusfar.chroma is not None and not await thusfar.chroma.rebuild(book and chosen[0].book_id):
            say("Another process owns the Chroma index and keeps it; only the vectors are looked after here.")
        for each in chosen:
            await (complete_with_progress(thusfar, each) if wait else library.reindex(each.book_id))
        return [await library.get(each.book_id) for each in chosen]

    for each in (reindexed := run(work)):
        if not as_json:
            print(f"{_line(each)}, {each.status}")
    if as_json:
        print_json([{**_summary(each), "status": each.status} for each in reindexed])


def _summary(book: "Book") -> dict[str, object]:
    return {
        "book_id": book.book_id,
        "title": book.title,
        "author": book.author,
        "pages": book.pages,
        "chapters": book.chapters,
        "chunks": book.chunks,
    }


def _line(book: "Book") -> str:
    by = f" by {book.author}" if book.author else ""
    return f"{book.book_id}  {book.title}{by}: {book.pages} pages, {book.chapters} chapters, {book.chunks} chunks"
