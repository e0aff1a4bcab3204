"""What each member thinks of an answer, once for a member and an answer."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Apply; whose the thumbs were that are there already, nobody knows."""
    op.create_table(
        "answer_feedback",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("feedback", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.turn_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn_id", "member_id"),
    )
    op.execute(
        "INSERT INTO answer_feedback (turn_id, member_id, feedback) "
        "SELECT turn_id, '', feedback FROM turn WHERE feedback IS NOT NULL"
    )
    op.drop_column("turn", "feedback")
