"""`thusfar backup` and `thusfar restore`: the database as one file, made while it is being served, and put back."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json

FileArgument = Annotated[Path, typer.Argument(help="The backup's file.", show_default=False)]


def backup(file: FileArgument, as_json: JsonOption = False) -> None:
    """Copy the database as it is at this moment into a file; the bot may go on serving meanwhile.

    Chroma's folder is not in it: it is made anew from the database.

    Example: thusfar backup /srv/backups/thusfar-monday.db
    """
    import asyncio

    from bot.home import open_database
    from core.domain.errors import ThusfarError

    database = open_database(prepared_settings())
    try:
        if not file.parent.is_dir():
            raise ThusfarError(f"There is no folder {file.parent}.")
        asyncio.run(database.back_up(file))
    finally:
        database.close()
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        print(f"{file}: {size / 1_000_000:.1f} MB")


def restore(file: FileArgument, as_json: JsonOption = False) -> None:
    """Put a backup in the place of the database. What was there is kept beside it, as thusfar.db.before.

    The bot must not be serving from this home.

    Example: thusfar restore /srv/backups/thusfar-monday.db
    """
    from filelock import FileLock, Timeout

    from adapters.persistence.restoring import restore as put_back
    from bot.platforms import DISCORD, SLACK
    from core.domain.errors import ThusfarError

    settings = prepared_settings()
    home = settings.thusfar_home.resolve()
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        for name in (DISCORD, SLACK):
            try:
                held.enter_context(FileLock(home / f"serve.{name}.lock", blocking=False))
            except Timeout:
                raise ThusfarError(f"A process serves {name.capitalize()} from this home: end it first.") from None
        before = put_back(settings.database, file)
    if as_json:
        print_json({"restored": str(file), "before": None if before is None else str(before)})
        return
    print(f"Restored from {file}." + (f" What was there is in {before}." if before is not None else ""))
