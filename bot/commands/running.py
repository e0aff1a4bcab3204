"""Shared by commands: common options, running their work, printing results."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from core.domain.errors import BookError, BookErrorCode, LLMError, ThusfarError

if TYPE_CHECKING:
    from adapters.persistence.overview import Overview
    from bot.settings import Settings
    from bot.wiring import Application
    from core.ports.books import BookRepository

Result = TypeVar("Result")

BookOption = Annotated[str, typer.Option("--book", help="Id (b_...), title, or unique words of a title.")]
BookOrPathOption = Annotated[
    str,
    typer.Option("--book", help="Id (b_...), title, unique words of a title, or a file to import first."),
]
ScopeOption = Annotated[str, typer.Option("--for", help="The scope of the books, such as discord:123.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask to confirm.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON value on stdout.")]


SERVING_PATIENCE_S: Final = 120.0
"""How long a server waits at start for an unreachable database, which may be starting too."""


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
    """Run work that only reads books: it opens the database and builds or imports nothing else."""
    import asyncio

    from bot.home import opened_books

    with opened_books(prepared_settings()) as books:
        return asyncio.run(work(books))


def look_over(work: "Callable[[Overview], Awaitable[Result]]") -> Result:
    """Run an operator's work on the database only: nothing else is built or imported."""
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


@asynccontextmanager
async def temporary_home(**settings: object) -> "AsyncIterator[Application]":
    """Build the program in a home that is removed afterwards, with some other settings."""
    import tempfile

    from bot.wiring import build

    with tempfile.TemporaryDirectory() as home:
        elsewhere = {"thusfar_home": Path(home), "database_url": None, **settings}
        thusfar = build(prepared_settings().model_copy(update=elsewhere))
        try:
            yield thusfar
        finally:
            await thusfar.close()


def print_json(value: object) -> None:
    """Print one JSON value on its own line."""
    import json

    speaks_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not speaks_utf8), flush=True)


def confirm(question: str, *, yes: bool) -> None:
    """Ask for confirmation in a terminal and end the command at a no; not with --yes or in a pipe.

    Raises:
        Abort: no.
    """
    if not yes and sys.stdin.isatty():
        typer.confirm(question, abort=True, err=True)


def readable_text(argument: str) -> str:
    """Return an argument as text; invalid bytes become question marks."""
    from core.domain.clean_text import clean

    return clean(argument)


def sentence_of(error: LLMError | ThusfarError) -> str:
    """Return an error's text for the command line.

    It shows operators the cause of a model's failure, which contains no key.
    """
    match error:
        case LLMError():
            from core.domain.messages import describe

            return f"{describe(error)} ({error.code}: {error.cause})"
        case BookError(code=BookErrorCode.NOT_FOUND):
            return f"{error} `thusfar books list` shows all books."
        case _:
            return str(error)


def say(line: str) -> None:
    """Print a message on stderr that is not the command's output."""
    print(line, file=sys.stderr, flush=True)
