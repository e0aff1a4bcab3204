"""`thusfar chat`: talk with a book in the terminal."""

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import run, say
from core.domain.scopes import LOCAL_SCOPE

if TYPE_CHECKING:
    from bot.wiring import Application
    from core.domain.book import Book


def chat(
    book: Annotated[
        str | None,
        typer.Option("--book", help="Id, title, words of a title, or a file to import; without it, the last book."),
    ] = None,
    page: Annotated[int | None, typer.Option("--page", help="The last page that you have read.")] = None,
) -> None:
    """Talk with a book. Without --book, it opens the last one, or the sample novel that comes with Thusfar.

    Example: thusfar chat --book moonstone.txt --page 40
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # show each line at once, in a pipe too
    run(lambda thusfar: _chat(thusfar, book, page), stays=True)


async def _chat(thusfar: "Application", book: str | None, page: int | None) -> None:
    from adapters.terminal.lines import lines_for
    from adapters.terminal.repl import TerminalChat
    from bot.platforms import platform_services

    if thusfar.model is not None:
        model = thusfar.model
        print(f"Answers are written by {model.model} ({model.name}): your questions and read passages go there.")
    home = thusfar.settings.thusfar_home.resolve()
    lines = lines_for(sys.stdin, sys.stdout, history_file=home / "history")
    terminal = TerminalChat(
        services=platform_services(thusfar),
        positions=thusfar.clubs().positions,
        threads=thusfar.threads,
        library=thusfar.library,
        lines=lines,
        say=say,
        folder=home / "exports",
    )
    await terminal.run(await _chosen(thusfar, book), page=page)


async def _chosen(thusfar: "Application", name: str | None) -> "Book":
    from adapters.terminal.surface import THREAD
    from bot.commands.importing import SAMPLE, find_or_import

    if name is not None:
        return await find_or_import(thusfar, name, scope=LOCAL_SCOPE)
    reading = await thusfar.threads.reading(THREAD)
    if reading is not None:
        return await thusfar.library.get(reading.book_id)
    latest = await thusfar.library.latest(scope=LOCAL_SCOPE)
    return latest or await find_or_import(thusfar, SAMPLE, scope=LOCAL_SCOPE)
