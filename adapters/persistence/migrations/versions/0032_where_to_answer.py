"""Where a member who is behind a thread wants to be answered: in the thread, or alone."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Apply."""
    owner = sa.ForeignKey("conversation.conversation_id", ondelete="CASCADE")
    op.create_table(
        "member_thread",
        sa.Column("conversation_id", sa.String(), owner, primary_key=True),
        sa.Column("member_id", sa.String(), primary_key=True),
        sa.Column("answer_in", sa.String(), nullable=False),
    )
