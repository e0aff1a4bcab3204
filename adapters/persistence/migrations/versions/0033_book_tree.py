"""What a chapter stands in, and the parts of a book outside its story."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Apply."""
    op.add_column("chapter", sa.Column("path", sa.String(), nullable=False, server_default="[]"))
