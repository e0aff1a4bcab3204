"""What a chapter stands in, and the parts of a book outside its story."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Apply."""
    op.add_column("chapter", sa.Column("path", sa.String(), nullable=False, server_default="[]"))
    owner = sa.ForeignKey("book.book_id", ondelete="CASCADE")
    op.create_table(
        "outside_part",
        sa.Column("book_id", sa.String(), owner, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("first_page", sa.Integer(), nullable=False),
        sa.Column("last_page", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
    )
