"""An inbound event is worked on in steps that outlive a crash: begun so many times, answered, done."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Apply."""
    if not sa.inspect(op.get_bind()).has_table("inbound_event"):
        return
    op.add_column("inbound_event", sa.Column("ref", sa.String(), nullable=True))
    op.add_column("inbound_event", sa.Column("state", sa.String(), nullable=False, server_default="received"))
    op.add_column("inbound_event", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("inbound_event", sa.Column("reply", sa.JSON(), nullable=True))
    op.execute("UPDATE inbound_event SET state = 'done' WHERE finished")
    op.drop_index("ix_inbound_event_unfinished", "inbound_event", if_exists=True)
    op.drop_column("inbound_event", "finished")
    undone = sa.text("state <> 'done'")
    op.create_index(
        "ix_inbound_event_undone",
        "inbound_event",
        ["platform", "event_id"],
        sqlite_where=undone,
        postgresql_where=undone,
    )
    op.create_index(
        "ix_inbound_event_undone_ref", "inbound_event", ["ref"], sqlite_where=undone, postgresql_where=undone
    )
