"""Several bots may hear one message, each for itself; what was posted to an event is on record."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_OLD_KEY = ["platform", "place", "message_id"]
_NEW_KEY = ["platform", "bot", "place", "message_id"]


def upgrade() -> None:
    """Apply."""
    op.add_column("inbound_event", sa.Column("bot", sa.String(), nullable=False, server_default=""))
    op.add_column("inbound_event", sa.Column("posted", sa.JSON(), nullable=True))
    _change_key(_OLD_KEY, _NEW_KEY)


def _change_key(old: list[str], new: list[str]) -> None:
    """Put a key in place of another; the first one has no name in SQLite, where the table is made anew."""
    if op.get_context().dialect.name == "sqlite":
        names = {"uq": f"uq_%(table_name)s_{'_'.join(_OLD_KEY)}"}
        was = "heard_once" if old == _NEW_KEY else "uq_inbound_event_platform_place_message_id"
    else:
        names = None
        (was,) = [one["name"] for one in sa.inspect(op.get_bind()).get_unique_constraints("inbound_event")]
    with op.batch_alter_table("inbound_event", naming_convention=names) as batch:
        batch.drop_constraint(was, type_="unique")
        if old == _OLD_KEY:
            batch.create_unique_constraint("heard_once", new)
            batch.alter_column("bot", server_default=None)
        else:
            batch.create_unique_constraint("inbound_event_platform_place_message_id_key", new)
