"""Partial indexes; imported by whatever creates or compares the schema.

They name PostgreSQL, whose dialect imports all its drivers: an installation with SQLite doesn't need it.
"""

from sqlalchemy import Index, text

from adapters.persistence.tables import InboundEventRow

_UNDONE = text("state <> 'done'")
_event = InboundEventRow.metadata.tables["inbound_event"].c

# Nearly all events are finished.
Index("ix_inbound_event_undone", _event.platform, _event.event_id, sqlite_where=_UNDONE, postgresql_where=_UNDONE)
Index("ix_inbound_event_undone_ref", _event.ref, sqlite_where=_UNDONE, postgresql_where=_UNDONE)
