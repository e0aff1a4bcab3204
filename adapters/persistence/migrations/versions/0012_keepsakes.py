"""What members leave for a page: quotes, predictions and the votes on these."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0009"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "keepsake",
        sa.Column("keepsake_id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("member_name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("made_at", sa.Integer(), nullable=False),
        sa.Column("opens_at", sa.Integer(), nullable=False),
        sa.Column("had_read_further", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("keepsake_id"),
    )
    op.create_index("ix_keepsake_reading_id_opens_at", "keepsake", ["reading_id", "opens_at"])
    op.create_table(
        "keepsake_vote",
        sa.Column("keepsake_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("vote", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["keepsake_id"], ["keepsake.keepsake_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("keepsake_id", "member_id"),
    )
