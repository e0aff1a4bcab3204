"""Incoming events in SQL: stored before they are acknowledged, handled once."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Update, delete, func, literal_column, or_, update
from sqlmodel import Session, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database, SqlStore, changed, reads, writes
from adapters.persistence.tables import InboundEventRow
from core.domain.conversation import AskedAs
from core.domain.inbound import CRASHED_ALONE, DIED_ALONE, EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox

_SLACK: Final = "slack"
_WATERMARK: Final = "(alive)"
"""A pseudo place whose single row stores the watermark."""
_UNDONE: Final = col(InboundEventRow.state) != literal_column(f"'{EventState.DONE}'")  # as the indexes have it
_FROZEN: Final = (
    "text", "position", "turn_id", "failed", "footer", "too_fast", "nothing_read", "rests_on_book", "has_more",
    "by_model",
)  # fmt: skip


class SqlInbox(SqlStore, Inbox):
    """One row per event; a finished event loses its payload, its ids stay."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._bot: Callable[[], str] | None = None

    def of_bot(self, bot: Callable[[], str]) -> "SqlInbox":
        """Return the inbox of one bot."""
        own = copy(self)
        own._bot = bot  # noqa: SLF001 (an object of the same class)
        return own

    @writes
    def take_in(self, session: Session, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        """Store an event; return False if it is already known."""
        event, done = self._own(event), [self._own(one) for one in finished]
        _finish_posted(session, done)
        if row_of(session, event) is not None:
            return False
        session.add(
            InboundEventRow(
                platform=event.platform,
                bot=event.bot,
                place=event.place,
                message_id=event.message_id,
                ref=event.ref,
                payload=event.payload,
            )
        )
        return True

    @reads
    def knows(self, session: Session, *, platform: str, place: str, message_id: str) -> bool:
        """Whether a message was ever stored, finished or not."""
        row = InboundEventRow
        this = select(row.event_id).where(*self._heard(platform), row.place == place, row.message_id == message_id)
        return session.exec(this).first() is not None

    @writes
    def begin(self, session: Session, event: InboundEvent) -> int:
        """Note that work on an event begins; return the number of attempts."""
        row = row_of(session, self._own(event))
        if row is None:
            return 0
        row.state, row.attempts, row.owner = EventState.BEGUN, row.attempts + 1, self.database.process
        session.add(row)
        return row.attempts

    @writes
    def inherit(self, session: Session, platform: str, *, crashed: bool) -> None:
        """Take over an earlier process's unfinished work; an event that ran alone gets the blame for a crash."""
        row, bot = InboundEventRow, self._bot_id()
        nobodys = (col(row.platform).in_([platform, f"{platform}/used"]), col(row.bot) == "")
        session.execute(update(row).where(*nobodys).values(bot=bot))
        is_free = or_(col(row.leased_until).is_(None), col(row.leased_until) <= utc_now())
        begun = (row.platform == platform, row.bot == bot, row.state == EventState.BEGUN, is_free)
        left = list(session.exec(select(row).where(*begun)))
        for one in left:
            if ran_alone(session, one):
                one.blame += CRASHED_ALONE if crashed else DIED_ALONE
        for one in left:
            one.state = EventState.RECEIVED
            session.add(one)

    @writes
    def put_back(self, session: Session, event: InboundEvent) -> None:
        """Note that work on an event was interrupted; the attempt doesn't count."""
        row = row_of(session, self._own(event))
        if row is not None and row.state == EventState.BEGUN:
            row.state, row.attempts, row.owner = EventState.RECEIVED, row.attempts - 1, None
            session.add(row)

    @writes
    def settle(self, session: Session, event: InboundEvent, reply: Reply) -> None:
        """Freeze the reply to an event."""
        frozen = _change(self._own(event)).where(_UNDONE).values(state=EventState.ANSWERED, reply=_stored(reply))
        session.execute(frozen)

    @writes
    def posted(self, session: Session, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event is posted, as these messages."""
        posted = _change(self._own(event)).where(_UNDONE).values(state=EventState.POSTED, posted=list(message_ids))
        session.execute(posted)

    @writes
    def finish(self, session: Session, event: InboundEvent) -> None:
        """Mark an event as finished and empty its payload."""
        session.execute(_done(self._own(event)))

    @writes
    def finish_posted(self, session: Session, events: Sequence[InboundEvent]) -> None:
        """Mark events with posted replies as finished."""
        done = [self._own(event) for event in events]
        _finish_posted(session, done)

    @reads
    def unfinished(self, session: Session, platform: str) -> list[InboundEvent]:
        """Return the unfinished events, oldest first."""
        rows = session.exec(
            select(InboundEventRow).where(*self._heard(platform), _UNDONE).order_by(col(InboundEventRow.event_id))
        )
        return [event_of(row) for row in rows]

    @writes
    def prune(self, session: Session, before: datetime) -> int:
        """Delete finished events from before then, except those that start threads; return their number."""
        row = InboundEventRow
        # In Slack the place contains the thread; Discord itself tells who opened a thread.
        in_thread = (col(row.platform) != _SLACK) | col(row.place).like("%/%/%")
        is_done = (col(row.state) == EventState.DONE) & (col(row.place) != _WATERMARK)
        done = (is_done, col(row.received_at) < before, in_thread)
        return changed(session, delete(InboundEventRow).where(*done))

    @reads
    def latest_message_ids(self, session: Session, platform: str) -> dict[str, str]:
        """Return for each place the id of its latest stored message."""
        latest = (
            select(func.max(InboundEventRow.event_id))
            .where(*self._heard(platform), InboundEventRow.place != _WATERMARK)
            .group_by(col(InboundEventRow.place))
        )
        rows = session.exec(select(InboundEventRow).where(col(InboundEventRow.event_id).in_(latest)))
        return {row.place: row.message_id for row in rows}

    @writes
    def note_watermark(self, session: Session, platform: str, message_id: str) -> None:
        """Store the watermark: the last message up to which everything is stored."""
        there = select(InboundEventRow).where(*self._heard(platform), InboundEventRow.place == _WATERMARK)
        row = session.exec(there).first() or InboundEventRow(
            platform=platform, bot=self._bot_id(), place=_WATERMARK, message_id=message_id, state=EventState.DONE
        )
        row.message_id, row.received_at = message_id, utc_now()
        session.add(row)

    @reads
    def last_watermark(self, session: Session, platform: str) -> str | None:
        """Return the stored watermark, or None."""
        last = select(InboundEventRow.message_id).where(*self._heard(platform), InboundEventRow.place == _WATERMARK)
        return session.exec(last).first()

    def _bot_id(self) -> str:
        return "" if self._bot is None else self._bot()

    def _own(self, event: InboundEvent) -> InboundEvent:
        """Return an event with the bot's id, if there is one."""
        return event if self._bot is None else replace(event, bot=self._bot())

    def _heard(self, platform: str) -> list[ColumnElement[bool]]:
        """Return the conditions for the bot's rows, or for all."""
        row = InboundEventRow
        return [col(row.platform) == platform, *([] if self._bot is None else [col(row.bot) == self._bot()])]


def begin_turn(session: Session, ref: str | None, *, bot: str, owner: str) -> None:
    """Note, in the transaction that begins a turn, that work on its message begins, unless noted before."""
    for row in _undone(session, ref, bot):
        if row.state == EventState.RECEIVED:
            row.state, row.attempts, row.owner = EventState.BEGUN, row.attempts + 1, owner
            session.add(row)


def settle_turn(session: Session, ref: str | None, *, bot: str, reply: Reply | None) -> None:
    """Freeze, in the transaction that ends a turn, the reply to its message."""
    if reply is not None:
        for row in _undone(session, ref, bot):
            row.state, row.reply = EventState.ANSWERED, _stored(reply)
            session.add(row)


def leased_by(session: Session, ref: str | None, *, bot: str) -> str | None:
    """Return the process that holds the lease on a platform's message, or None."""
    now = utc_now()
    rows = _undone(session, ref, bot)
    return next((row.owner for row in rows if row.leased_until is not None and row.leased_until > now), None)


def row_of(session: Session, event: InboundEvent) -> InboundEventRow | None:
    """Return the row of an event; None if it was never stored."""
    return session.exec(select(InboundEventRow).where(*_this(event))).first()


def _undone(session: Session, ref: str | None, bot: str) -> Sequence[InboundEventRow]:
    """Return the unfinished rows of a platform's message."""
    if ref is None:
        return ()
    return session.exec(
        select(InboundEventRow).where(InboundEventRow.ref == ref, InboundEventRow.bot == bot, _UNDONE)
    ).all()


def _finish_posted(session: Session, events: Sequence[InboundEvent]) -> None:
    # The reply may be posted even if that could not be stored.
    is_posted = col(InboundEventRow.state).in_((EventState.ANSWERED, EventState.POSTED))
    for event in events:
        session.execute(_done(event).where(is_posted))


def _change(event: InboundEvent) -> Update:
    return update(InboundEventRow).where(*_this(event))


def _done(event: InboundEvent) -> Update:
    return _change(event).values(state=EventState.DONE, payload={}, reply=None, posted=None)


def ran_alone(session: Session, row: InboundEventRow) -> bool:
    """Whether the crashed process had no other work; work begun on another platform still names that process."""
    beside = select(func.count()).where(
        InboundEventRow.owner == row.owner, _UNDONE, col(InboundEventRow.reply).is_(None)
    )
    return session.exec(beside).one() == 1


def event_of(row: InboundEventRow) -> InboundEvent:
    """Return the event of a row."""
    return InboundEvent(
        platform=row.platform,
        bot=row.bot,
        asked=None if row.asked is None else AskedAs(row.asked),
        place=row.place,
        message_id=row.message_id,
        payload=row.payload,
        ref=row.ref or "",
        state=EventState(row.state),
        attempts=row.attempts,
        blame=row.blame,
        reply=None if row.reply is None else _read(row.reply),
    )


def _stored(reply: Reply) -> dict[str, object]:
    """Return a reply in JSON; the passages that it rests on are stored with the turn."""
    return {name: getattr(reply, name) for name in _FROZEN}


def _read(stored: dict[str, Any]) -> Reply:
    return Reply(**{name: stored[name] for name in _FROZEN if name in stored}, is_kept=True)


def _this(event: InboundEvent) -> list[ColumnElement[bool]]:
    row = InboundEventRow
    return [
        col(row.platform) == event.platform,
        col(row.bot) == event.bot,
        col(row.place) == event.place,
        col(row.message_id) == event.message_id,
    ]
