"""Which servers have removed the bot, and when: what they left behind is erased after a while."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "left_server",
        sa.Column("scope", sa.String(), primary_key=True),
        sa.Column("left_at", sa.DateTime(), nullable=False),
    )
