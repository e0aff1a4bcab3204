"""Copies of a book with other page numbers, and where a book's story begins and ends."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("book", sa.Column("first_story_page", sa.Integer(), nullable=True))
    op.add_column("book", sa.Column("last_story_page", sa.Integer(), nullable=True))
    op.add_column("reading", sa.Column("edition", sa.JSON(), nullable=True))
    op.add_column("member_position", sa.Column("edition", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take back."""
    for table, column in (
        ("member_position", "edition"),
        ("reading", "edition"),
        ("book", "last_story_page"),
        ("book", "first_story_page"),
    ):
        # Not in a batch: SQLite would make the table anew, and all that hangs on its rows would go with the old one.
        op.drop_column(table, column)
