"""When a server was left is a moment like every other, with its zone: PostgreSQL tells the two apart."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0025"


def upgrade() -> None:
    """Apply."""
    _change("TIMESTAMP WITH TIME ZONE")


def _change(kind: str) -> None:
    """PostgreSQL turns one into the other by the zone of the session, as it did when the moments were stored."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(f"ALTER TABLE left_server ALTER COLUMN left_at TYPE {kind}"))
