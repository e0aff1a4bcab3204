"""An inbound event tells which process works on it, and how likely it is that processes ended by it."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Apply."""
    if not sa.inspect(op.get_bind()).has_table("inbound_event"):
        return
    op.add_column("inbound_event", sa.Column("owner", sa.String(), nullable=True))
    op.add_column("inbound_event", sa.Column("blame", sa.Integer(), nullable=False, server_default="0"))
