"""The home and the database in it: opened, made and upgraded before anything is wired."""

from pathlib import Path

from adapters.persistence.database import Database
from adapters.persistence.migrate import refuse_newer, upgrade
from bot.settings import Settings
from core.domain.errors import StorageError


def open_database(settings: Settings) -> Database:
    """Open the database; SQLite is made and upgraded by itself, another one only by `thusfar db upgrade`.

    Raises:
        StorageError: the home or the database cannot be used, or a newer Thusfar has made it.
    """
    home = settings.thusfar_home.resolve()
    _make_home(home)
    database = Database(settings.database)
    try:
        if database.engine.dialect.name == "sqlite":
            upgrade(database.engine, lock_path=home / "upgrade.lock")
        else:
            refuse_newer(database.engine)
    except StorageError:
        database.close()
        raise
    return database


def _make_home(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {home} cannot be used ({error.strerror}); THUSFAR_HOME names another one."
        ) from error
