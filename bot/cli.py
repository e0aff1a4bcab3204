"""The command line. Each command is a file in bot.commands and imports heavy modules only when run."""

import io
import os
import sys
from collections.abc import Sequence
from copy import copy
from typing import Annotated

import typer

from bot.commands import (
    ask,
    backup,
    books,
    chat,
    clubs,
    db,
    doctor,
    embeddings,
    evaluate,
    guard,
    notes,
    prebuild,
    search,
    serve,
    setup,
    turns,
    web,
    work,
)
from bot.commands.running import sentence_of
from core.domain.errors import LLMError, ThusfarError

INTERRUPTED = 130
_STDIN, _STDOUT, _STDERR = range(3)

app = typer.Typer(
    help="Thusfar: a book-club companion that knows the book thus far, and no further.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)
app.command("chat")(chat.chat)
app.command("web")(web.web)
app.command("ask")(ask.ask)
app.command("search")(search.search)
app.command("guard")(guard.guard)
app.command("setup")(setup.setup)
app.command("serve")(serve.serve)
app.command("work")(work.work)
books.app.command("prebuild")(prebuild.prebuild)
app.add_typer(books.app, name="books", help="Import, list, show, remove and reindex books.")
app.add_typer(notes.app, name="notes", help="Reading notes: what happens on each page, in plain sentences.")
app.add_typer(db.app, name="db", help="Manage the database.")
app.add_typer(embeddings.app, name="embeddings", help="Download MiniLM, the model for sentence meaning.")
app.add_typer(evaluate.app, name="eval", help="Measure quality on labelled books.")
app.add_typer(turns.app, name="turns", help="Manage unfinished messages and commands.")
app.add_typer(clubs.app, name="clubs", help="Show the clubs.")
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("doctor")(doctor.doctor)


def _tell_version(wanted: bool) -> None:  # noqa: FBT001 (the form of a Typer callback)
    if wanted:
        from importlib.metadata import version

        print(f"thusfar {version('thusfar')}")
        raise typer.Exit


@app.callback()
def thusfar(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """Thusfar: a book-club companion that knows the book thus far, and no further."""


def main() -> None:
    """Run a command. An error is one line on stderr and exit 1 (2 for wrong usage), never a traceback."""
    _prepare_process()
    try:
        exit_code = _meant(sys.argv[1:2])(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(exit_code)
    except typer.TyperException as error:
        message = error.format_message()
        if message.startswith("Usage:"):
            print(message)
            sys.exit(error.exit_code)
        _fail(message, error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except (LLMError, ThusfarError) as error:
        _fail(sentence_of(error))
    except BrokenPipeError:
        # The reader of our output is gone, so nothing more can be printed, not even by the interpreter at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        import logging

        logging.getLogger(__name__).debug("A command failed.", exc_info=error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _fail(f"Unexpected error: {type(error).__name__}: {error} (THUSFAR_LOG_LEVEL=debug shows details).")


def _meant(words: Sequence[str]) -> typer.Typer:
    """Return the program with only the command to run, or with all commands to list them or report an error.

    Typer parses the options of every command before it runs one of them.
    """
    commands = [each for each in app.registered_commands if each.name in words]
    groups = [each for each in app.registered_groups if each.name in words]
    if not commands and not groups:
        return app
    meant = copy(app)
    meant.registered_commands, meant.registered_groups = commands, groups
    return meant


def _prepare_process() -> None:
    os.umask(0o077)  # other users of this machine must not read what clubs say
    # pydantic would search all installed packages for plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # noqa: TID251 (set, not read)
    _open_what_is_closed()
    _take_any_bytes()


def _open_what_is_closed() -> None:
    """Open the null device for a missing stdin, stdout or stderr.

    Python has None there, and the next opened file, the database, would get its file descriptor.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        pass
    os.close(number)
    sys.stdin = sys.stdin or open(_STDIN, encoding="utf-8")  # noqa: PTH123, SIM115 (a number, open to the end)
    sys.stdout = sys.stdout or open(_STDOUT, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(_STDERR, "w", encoding="utf-8")  # noqa: PTH123, SIM115


def _take_any_bytes() -> None:
    """Invalid text in input or output ends no command; half a character is printed as in JSON."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _fail(sentence: str, exit_code: int = 1) -> None:
    print(" ".join(sentence.split()), file=sys.stderr)
    sys.exit(exit_code)
