"""`thusfar backup` and `thusfar restore`: save the database to one file while the bot runs, and restore it."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json

FileArgument = Annotated[Path, typer.Argument(help="The backup's file.", show_default=False)]


def backup(file: FileArgument, as_json: JsonOption = False) -> None:
    """Copy the database into a file. This works while the bot runs.

    An existing file is replaced once the new copy is complete. Indexes aren't included: they are rebuilt from it.

    Example: thusfar backup /srv/backups/thusfar-monday.db
    """
    from filelock import FileLock

    from adapters.persistence.backups import back_up
    from bot.home import UPGRADE_LOCK, open_database
    from core.domain.errors import ThusfarError

    settings = prepared_settings()
    if not file.parent.is_dir():
        raise ThusfarError(f"The folder {file.parent} does not exist.")
    open_database(settings).close()
    with FileLock(settings.thusfar_home.resolve() / UPGRADE_LOCK):
        back_up(settings.database, file)
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        print(f"{file}: {size / 1_000_000:.1f} MB")


def restore(file: FileArgument, as_json: JsonOption = False) -> None:
    """Check a backup and replace the database with it. A dated copy of the old database is kept beside it.

    Stop the bot first. The newest three copies (thusfar.db.before-DATE) are kept and can be restored the same way.

    Example: thusfar restore /srv/backups/thusfar-monday.db
    """
    from filelock import FileLock, Timeout

    from adapters.persistence.backups import restore as put_back
    from bot.home import UPGRADE_LOCK
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
                raise ThusfarError(f"A process is serving {name.capitalize()} from this home. Stop it first.") from None
        held.enter_context(FileLock(home / UPGRADE_LOCK))
        before = put_back(settings.database, file)
    if as_json:
        print_json({"restored": str(file), "before": None if before is None else str(before)})
        return
    print(f"Restored from {file}." + (f" The previous database is in {before}." if before is not None else ""))
