"""Reading notes: what each page tells, and what is being made of them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply."""
    op.add_column("book", sa.Column("noted_at", sa.DateTime(timezone=True), nullable=True))
