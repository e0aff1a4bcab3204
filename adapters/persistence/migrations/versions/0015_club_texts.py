"""What was written for a club about pages of its book, and what members keep to ask later."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "club_text",
        sa.Column("club_text_id", sa.Integer(), primary_key=True),
        sa.Column("reading_id", sa.String(), sa.ForeignKey("reading.reading_id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("first_page", sa.Integer(), nullable=False),
        sa.Column("last_page", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_club_text_reading_id_kind", "club_text", ["reading_id", "kind"])
    op.create_table(
        "later_question",
        sa.Column("later_id", sa.Integer(), primary_key=True),
        sa.Column("reading_id", sa.String(), sa.ForeignKey("reading.reading_id", ondelete="CASCADE"), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("asked_page", sa.Integer(), nullable=False),
        sa.Column("due_page", sa.Integer(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_later_question_reading_id_member_id", "later_question", ["reading_id", "member_id"])
