"""Clubs that read as one with another, and the codes by which that is agreed."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0027"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "club_link",
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("after_change", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club_id"),
    )
    op.create_index("ix_club_link_other_id", "club_link", ["other_id"], unique=True)
    op.create_table(
        "club_offer",
        sa.Column("offer_id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.String(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taker_id", sa.String(), nullable=True),
        sa.Column("agreed_to", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["taker_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("offer_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_club_offer_club_id", "club_offer", ["club_id"], unique=True)
    op.create_index("ix_club_offer_taker_id", "club_offer", ["taker_id"])
