"""PostgreSQL for the tests that can use it: the server that THUSFAR_TEST_POSTGRES names, a database for each test."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from sqlalchemy import create_engine, make_url, text

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade

SERVER: Final = os.environ.get("THUSFAR_TEST_POSTGRES")
"""The address of a server, `postgresql://user:password@host/postgres`, whose user may make databases; or None."""

needs_postgres: Final = pytest.mark.skipif(SERVER is None, reason="THUSFAR_TEST_POSTGRES names no PostgreSQL server")


@pytest.fixture(scope="session")
def postgres_template() -> Iterator[str]:
    """A database with the newest schema; making one takes a while, copying it does not."""
    with fresh_database() as url:
        database = Database(url)
        upgrade(database.engine)
        database.close()
        yield str(make_url(url).database)


@pytest.fixture
def postgres_url(postgres_template: str) -> Iterator[str]:
    """The address of an empty database with the newest schema."""
    with fresh_database(postgres_template) as url:
        yield url


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    """That database, opened."""
    database = Database(postgres_url)
    yield database
    database.close()


@contextmanager
def fresh_database(template: str = "template1") -> Iterator[str]:
    """Make a database, give its address, and drop it with whatever still holds it."""
    name = f"thusfar_test_{uuid.uuid4().hex}"
    on_the_server(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield make_url(str(SERVER)).set(database=name).render_as_string(hide_password=False)
    finally:
        on_the_server(f'DROP DATABASE "{name}" WITH (FORCE)')


def on_the_server(statement: str) -> None:
    """Do what only stands outside every transaction."""
    engine = create_engine(str(SERVER), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()
