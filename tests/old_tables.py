"""Makes databases with the tables that an earlier version made, from the dumps beside the tests of old homes."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection

import adapters.persistence.migrate

_DUMPS = Path(__file__).parent / "adapters" / "persistence"
_SCRIPTS = Path(adapters.persistence.migrate.__file__).parent / "migrations"


def make_tables(connection: Connection, dump: str, *, revision: str) -> None:
    """Make the tables of a dump in an empty database, which is then at a revision."""
    statements = (_DUMPS / f"{dump}.{connection.dialect.name}.sql").read_text(encoding="utf-8")
    for statement in statements.strip().removesuffix(";").split(";"):
        connection.exec_driver_sql(statement)
    command.stamp(alembic_for(connection), revision)


def migrate_to(connection: Connection, revision: str) -> None:
    """Run the migrations up to a revision."""
    command.upgrade(alembic_for(connection), revision)


def alembic_for(connection: Connection) -> Config:
    """Return Alembic's configuration for a connection."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes["connection"] = connection
    return config
