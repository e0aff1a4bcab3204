"""Several processes share the work: an inbound event is offered, and leased by one of them."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Apply."""
    if not sa.inspect(op.get_bind()).has_table("inbound_event"):
        return
    op.add_column("inbound_event", sa.Column("thread", sa.String(), nullable=True))
    op.add_column("inbound_event", sa.Column("said_order", sa.BigInteger(), nullable=True))
    op.add_column("inbound_event", sa.Column("asked", sa.String(), nullable=True))
    op.add_column("inbound_event", sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True))
