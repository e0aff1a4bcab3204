"""The home and its database, created, upgraded and opened before wiring; and the sample novel."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.damage import refuse_damaged
from adapters.persistence.database import Database, sqlite_file
from adapters.persistence.migrate import refuse_newer, upgrade
from adapters.persistence.notes import SqlNoteRepository
from bot.providers import embedding_model_id
from bot.settings import Settings
from core.domain.errors import StorageError
from core.ports.books import BookRepository
from core.ports.notes import NoteRepository

UPGRADE_LOCK: Final = "upgrade.lock"
"""A lock for upgrade, backup and restore, so that only one runs at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleBook:
    """The novel that comes with the program: its file and the values of its meta.json."""

    path: Path
    title: str
    author: str
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The books of a home, and their notes."""

    books: BookRepository
    notes: NoteRepository


def sample_book(folder: Path) -> SampleBook:
    """Read the sample's meta.json."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return SampleBook(
        path=folder / "novel.txt", title=meta["title"], author=meta["author"], content_hash=meta["content_hash"]
    )


def open_database(settings: Settings, *, patience: float = 0.0) -> Database:
    """Open the database; SQLite is created and upgraded automatically, others only by `thusfar db upgrade`.

    An unreachable one is waited for; `patience` is in seconds.

    Raises:
        StorageError: the home or the database cannot be used, or is from a newer Thusfar.
    """
    home = settings.thusfar_home.resolve()
    _make_home(home)
    refuse_damaged_files(settings)
    database = Database(settings.database)
    try:
        if database.engine.dialect.name == "sqlite":
            upgrade(database.engine, lock_path=home / UPGRADE_LOCK)
        else:
            refuse_newer(database.engine, patience=patience)
    except StorageError:
        database.close()
        raise
    return database


def refuse_damaged_files(settings: Settings, *, thoroughly: bool = False) -> None:
    """Check SQLite's files before opening them. Raises StorageError if they are damaged."""
    path = sqlite_file(settings.database)
    if path is not None:
        lock_path = settings.thusfar_home.resolve() / UPGRADE_LOCK
        refuse_damaged(path, lock_path=lock_path, thoroughly=thoroughly)


@contextmanager
def opened_books(settings: Settings) -> Iterator[BookRepository]:
    """Open the database for work that only reads books; nothing else is wired, which would take longer.

    Raises:
        StorageError: the home or the database cannot be used.
    """
    with opened_shelf(settings) as shelf:
        yield shelf.books


@contextmanager
def opened_shelf(settings: Settings) -> Iterator[Shelf]:
    """Open the database for work that reads books and notes. Raises StorageError as `opened_books`."""
    database = open_database(settings)
    try:
        yield Shelf(
            books=SqlBookRepository(database, embedding_model_id=embedding_model_id(settings)),
            notes=SqlNoteRepository(database),
        )
    finally:
        database.close()


def _make_home(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {home} cannot be used ({error.strerror}). Set another one with THUSFAR_HOME."
        ) from error
