"""The books of a series, as a JSON list of title, first page and last page."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("book", sa.Column("works", sa.String(), nullable=False, server_default="[]"))
