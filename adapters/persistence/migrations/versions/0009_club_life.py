"""What a club keeps of its life: other names for somebody, where a member's last recap ended, the pages they said."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0006"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "alias",
        sa.Column("alias_id", sa.Integer(), primary_key=True),
        sa.Column("reading_id", sa.String(), sa.ForeignKey("reading.reading_id", ondelete="CASCADE"), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("stands_for", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
    )
    op.create_index("ix_alias_reading_id_key_page", "alias", ["reading_id", "key", "page"])
    op.create_table(
        "page_said",
        sa.Column("page_said_id", sa.Integer(), primary_key=True),
        sa.Column("reading_id", sa.String(), sa.ForeignKey("reading.reading_id", ondelete="CASCADE"), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_page_said_reading_id_member_id", "page_said", ["reading_id", "member_id"])
    op.add_column("member_position", sa.Column("recapped_page", sa.Integer(), nullable=True))
