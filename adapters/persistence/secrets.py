"""The installation's secrets, in SQL: created at first use, and shared by all its processes."""

from secrets import token_bytes
from typing import Final

from sqlmodel import Session

from adapters.persistence.database import Database
from adapters.persistence.tables import SecretRow

_BYTES: Final = 32


async def secret_of(database: Database, name: str) -> bytes:
    """Return the secret with this name."""

    def work(session: Session) -> bytes:
        row = session.get(SecretRow, name)
        if row is None:
            row = SecretRow(name=name, secret=token_bytes(_BYTES))
            session.add(row)
        return row.secret

    return await database.write(work)
