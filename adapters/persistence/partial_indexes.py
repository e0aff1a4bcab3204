"""Indexes of a part of a table's rows; whoever makes or compares the schema imports this.

They name PostgreSQL, whose dialect brings every driver of its own along: a home in SQLite never needs it.
"""

from sqlalchemy import Index, text

from adapters.persistence.tables import InboundEventRow

_UNDONE = text("state <> 'done'")
_event = InboundEventRow.metadata.tables["inbound_event"].c

# Nearly all events are done.
Index("ix_inbound_event_undone", _event.platform, _event.event_id, sqlite_where=_UNDONE, postgresql_where=_UNDONE)
Index("ix_inbound_event_undone_ref", _event.ref, sqlite_where=_UNDONE, postgresql_where=_UNDONE)
