"""What each member thinks of an answer, once for a member and an answer."""

from alembic import op
from sqlmodel import SQLModel

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Apply; whose the thumbs were that are there already, nobody knows."""
    SQLModel.metadata.tables["answer_feedback"].create(op.get_bind())
    op.execute(
        "INSERT INTO answer_feedback (turn_id, member_id, feedback) "
        "SELECT turn_id, '', feedback FROM turn WHERE feedback IS NOT NULL"
    )
    op.drop_column("turn", "feedback")
