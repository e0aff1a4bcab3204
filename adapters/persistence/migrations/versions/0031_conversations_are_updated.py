"""A conversation says when it last changed, and has room for what a platform wants to keep with it."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Apply."""
    op.add_column("conversation", sa.Column("metadata_", sa.JSON(), nullable=True))
    op.add_column("conversation", sa.Column("updated_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(sa.text("UPDATE conversation SET updated_at = created_at"))
