"""A question kept for later knows where it last came back, from which the section's ends since then are seen."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Apply: what is kept already counts as told where it was asked, so that it comes back once more at most."""
    if not sa.inspect(op.get_bind()).has_table("later_question"):
        return
    with op.batch_alter_table("later_question") as table:
        table.add_column(sa.Column("told_page", sa.Integer(), nullable=True))
        table.drop_column("due_page")
    op.execute("UPDATE later_question SET told_page = asked_page")
    with op.batch_alter_table("later_question") as table:
        table.alter_column("told_page", nullable=False)
