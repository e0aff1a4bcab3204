"""Makes databases with the tables that an earlier version made, from the dumps beside the tests of old homes."""

from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import Connection

_DUMPS = Path(__file__).parent / "adapters" / "persistence"


def make_tables(connection: Connection, dump: str, *, revision: str) -> None:
    """Make the tables of a dump in an empty database, which is then at a revision."""
    statements = (_DUMPS / f"{dump}.{connection.dialect.name}.sql").read_text(encoding="utf-8")
    for statement in statements.strip().removesuffix(";").split(";"):
        connection.exec_driver_sql(statement)
    set_revision(connection, revision)


def set_revision(connection: Connection, revision: str) -> None:
    """Say in the database which schema it has, as Alembic does."""
    connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL)")
    connection.exec_driver_sql("DELETE FROM alembic_version")
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})
    connection.commit()
