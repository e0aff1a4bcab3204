"""What takes long to make and is the same every time is made once a run: an empty database, the word vectors."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache, partial, wraps
from pathlib import Path

import pytest
from filelock import FileLock
from pydantic.fields import FieldInfo
from pydantic_settings import EnvSettingsSource
from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlmodel import create_engine

import bot.home
import bot.providers
from adapters.persistence import database
from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from adapters.retrieval import wordllama_vectors


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the newest schema, to be copied."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    empty = Database(f"sqlite:///{path}")
    upgrade(empty.engine)
    empty.close()
    return path


@pytest.fixture(scope="session", autouse=True)
def made_once(empty_database: Path) -> Iterator[None]:
    """Houses wired in this process begin with a copy of the empty database, and share what is the same in each of them.

    That is word vectors, compiled SQL, the price table, and what pydantic finds out about each field of the settings.
    """
    compiled: dict[object, object] = {}

    def copied_or_upgraded(engine: Engine, *, lock_path: Path | None = None) -> bool:
        path = Path(engine.url.database or "")
        with FileLock(lock_path) if lock_path else nullcontext():
            is_new = path.parent.is_dir() and not path.exists()
            if is_new:
                shutil.copy(empty_database, path)
        return is_new or upgrade(engine, lock_path=lock_path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.home, "upgrade", copied_or_upgraded)
        # To SQLAlchemy every engine speaks a dialect of its own, for which it compiles each statement anew.
        patch.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)))
        patch.setattr(database, "create_engine", partial(create_engine, execution_options={"compiled_cache": compiled}))
        for load in ("_load_tokenizer", "_load_table"):
            patch.setattr(wordllama_vectors, load, cache(getattr(wordllama_vectors, load)))
        for find in ("field_is_complex", "_field_is_complex", "_extract_field_info"):
            patch.setattr(EnvSettingsSource, find, _once_a_field(getattr(EnvSettingsSource, find)))
        yield


def _once_a_field(find: Callable[..., object]) -> Callable[..., object]:
    """Find something out about a field of the settings once; fields live as long as their class."""
    found: dict[int, tuple[FieldInfo, object]] = {}

    @wraps(find)
    def once(source: EnvSettingsSource, field: FieldInfo, *further: object) -> object:
        if id(field) not in found:
            found[id(field)] = (field, find(source, field, *further))
        return found[id(field)][1]

    return once
