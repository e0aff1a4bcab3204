"""Copies of a book with other page numbers, and where a book's story begins and ends."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply."""
    op.add_column("book", sa.Column("first_story_page", sa.Integer(), nullable=True))
    op.add_column("book", sa.Column("last_story_page", sa.Integer(), nullable=True))
    op.add_column("reading", sa.Column("edition", sa.JSON(), nullable=True))
    op.add_column("member_position", sa.Column("edition", sa.JSON(), nullable=True))
