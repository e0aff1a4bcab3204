"""An inbound event tells which process works on it, and how likely it is that processes ended by it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("inbound_event", sa.Column("owner", sa.String(), nullable=True))
    op.add_column("inbound_event", sa.Column("blame", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Take back."""
    for column in ("blame", "owner"):
        op.drop_column("inbound_event", column)
