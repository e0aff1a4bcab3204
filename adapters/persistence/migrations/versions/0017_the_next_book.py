"""What a club made of a book that it has read, and what it reads next."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "proposal",
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club_id", "member_id"),
    )
    op.create_table(
        "poll",
        sa.Column("poll_id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("proposals", sa.JSON(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("poll_id"),
    )
    op.create_index("ix_poll_club_id", "poll", ["club_id"])
    op.create_table(
        "poll_vote",
        sa.Column("poll_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("option", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["poll_id"], ["poll.poll_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("poll_id", "member_id"),
    )
    op.create_table(
        "rating",
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("stars", sa.Integer(), nullable=True),
        sa.Column("how_far", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reading_id", "member_id"),
    )
