"""What falls due: one row a timer, claimed by the process that works it off."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "timer",
        sa.Column("timer_id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("reading_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("too_late_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("timer_id"),
        sa.UniqueConstraint("club_id", "kind", "name"),
    )
    op.create_index("ix_timer_reading_id", "timer", ["reading_id"])
    op.create_index("ix_timer_state_not_before", "timer", ["state", "not_before"])
