"""What commands share: the options that read the same everywhere, how their work is run, how it is printed."""

import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from core.domain.errors import BookError, BookErrorCode, LLMError, ThusfarError

if TYPE_CHECKING:
    from adapters.persistence.overview import Overview
    from bot.settings import Settings
    from bot.wiring import Application
    from core.ports.books import BookRepository

Result = TypeVar("Result")

BookOption = Annotated[str, typer.Option("--book", help="Id (b_...), title, or words of a title that no other has.")]
BookOrPathOption = Annotated[
    str,
    typer.Option("--book", help="Id (b_...), title, words of a title that no other has, or a file to import first."),
]
ScopeOption = Annotated[str, typer.Option("--for", help="The scope whose books are meant, such as discord:123.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON value, and nothing else, on stdout.")]


SERVING_PATIENCE_S: Final = 120.0
"""So long who serves waits for a database that is out of reach at the start: it may be starting, too."""


def run(work: "Callable[[Application], Awaitable[Result]]", *, stays: bool = False, patience: float = 0.0) -> Result:
    """Build the application, do the work, close the application; `stays` and `patience` as the wiring takes them."""
    import asyncio

    from bot.wiring import build

    settings = prepared_settings()

    async def inside() -> Result:
        application = build(settings, stays=stays, patience=patience)
        try:
            return await work(application)
        finally:
            await application.close()

    return asyncio.run(inside())


def look_up(work: "Callable[[BookRepository], Coroutine[object, object, Result]]") -> Result:
    """Do what only looks at the books: the database is opened, nothing else is built or imported."""
    import asyncio

    from bot.home import opened_books

    with opened_books(prepared_settings()) as books:
        return asyncio.run(work(books))


def look_over(work: "Callable[[Overview], Awaitable[Result]]") -> Result:
    """Do what an operator asks of the store alone: the database is opened, nothing else is built or imported."""
    import asyncio

    from adapters.persistence.overview import Overview
    from bot.home import open_database

    database = open_database(prepared_settings())

    async def inside() -> Result:
        return await work(Overview(database))

    try:
        return asyncio.run(inside())
    finally:
        database.close()


def prepared_settings() -> "Settings":
    """Read the settings and set up the log."""
    from bot.logs import set_up_log
    from bot.settings import load_settings

    settings = load_settings()
    set_up_log(settings.log_level, settings.log_format)
    return settings


def print_json(value: object) -> None:
    """Print one JSON value on a line of its own."""
    import json

    speaks_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not speaks_utf8), flush=True)


def confirm(question: str, *, yes: bool) -> None:
    """Ask at a terminal, and end the command at a no; who has said yes beforehand is not asked, nor is a pipe.

    Raises:
        Abort: no.
    """
    if not yes and sys.stdin.isatty():
        typer.confirm(question, abort=True, err=True)


def readable_text(argument: str) -> str:
    """Return an argument as text: bytes of it that are none become question marks."""
    from core.domain.clean_text import clean

    return clean(argument)


def sentence_of(error: LLMError | ThusfarError) -> str:
    """Return what whoever works at a command line reads of an error.

    They run it too: the cause of a model's failure, which holds no key, is theirs to know.
    """
    match error:
        case LLMError():
            from core.domain.messages import describe

            return f"{describe(error)} ({error.code}: {error.cause})"
        case BookError(code=BookErrorCode.NOT_FOUND):
            return f"{error} `thusfar books list` shows what there is."
        case _:
            return str(error)


def say(line: str) -> None:
    """Tell the person at the terminal something that is not the command's output."""
    print(line, file=sys.stderr, flush=True)
