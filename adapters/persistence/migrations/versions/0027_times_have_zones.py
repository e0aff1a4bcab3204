"""When a server was left is a moment like every other, with its zone: PostgreSQL tells the two apart."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0025"


def upgrade() -> None:
    """Apply: by the zone of the session, as it was when the moments were stored."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text("ALTER TABLE IF EXISTS left_server ALTER COLUMN left_at TYPE TIMESTAMP WITH TIME ZONE"))
