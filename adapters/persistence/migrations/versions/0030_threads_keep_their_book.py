"""A thread keeps its book for good: where that was removed, its title stays."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "gone_thread",
        sa.Column("session_of", sa.String(), primary_key=True),
        sa.Column("club_id", sa.String(), sa.ForeignKey("club.club_id", ondelete="CASCADE"), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
    )
    op.create_index("ix_gone_thread_club_id", "gone_thread", ["club_id"])
