"""A club's schedule, and the sections of its book with their days."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "schedule",
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("weeks", sa.Integer(), nullable=False),
        sa.Column("reminds", sa.Boolean(), nullable=False),
        sa.Column("reminds_in", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("wanted_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reading_id"),
    )
    op.create_table(
        "section",
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first_page", sa.Integer(), nullable=False),
        sa.Column("last_page", sa.Integer(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["reading_id"], ["schedule.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reading_id", "number"),
    )
