"""Several bots may hear one message, each for itself; what was posted to an event is on record."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Apply; the old key has no name in SQLite, where the table is copied."""
    if not sa.inspect(op.get_bind()).has_table("inbound_event"):
        return
    op.add_column("inbound_event", sa.Column("bot", sa.String(), nullable=False, server_default=""))
    op.add_column("inbound_event", sa.Column("posted", sa.JSON(), nullable=True))
    if op.get_context().dialect.name == "sqlite":
        was, names = "heard_once_by_all", {"uq": "heard_once_by_all"}
    else:
        (was,) = [one["name"] for one in sa.inspect(op.get_bind()).get_unique_constraints("inbound_event")]
        names = None
    with op.batch_alter_table("inbound_event", naming_convention=names) as batch:
        batch.drop_constraint(was, type_="unique")
        batch.create_unique_constraint("heard_once", ["platform", "bot", "place", "message_id"])
        batch.alter_column("bot", server_default=None)
