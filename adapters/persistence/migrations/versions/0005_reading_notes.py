"""Reading notes: what each page tells, and what is being made of them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply."""
    op.add_column("book", sa.Column("noted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "note",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("moved_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("book_id", "page", "number"),
    )
    op.create_table(
        "note_making",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("most_tokens", sa.Integer(), nullable=False),
        sa.Column("asked_in", sa.String(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("book_id"),
    )
    op.create_table(
        "note_batch",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("first_page", sa.Integer(), nullable=False),
        sa.Column("last_page", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["note_making.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("book_id", "first_page"),
    )
