"""Inbound events in SQL: kept before they are acknowledged, handled once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, delete, func, literal_column, or_, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Unit, inserting
from adapters.persistence.tables import InboundEventRow
from core.domain.conversation import AskedAs
from core.domain.inbound import CRASHED_ALONE, DIED_ALONE, EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox

_THIS = (
    col(InboundEventRow.platform) == bindparam("of_platform"),
    col(InboundEventRow.bot) == bindparam("of_bot"),
    col(InboundEventRow.place) == bindparam("of_place"),
    col(InboundEventRow.message_id) == bindparam("of_message"),
)
_KNOWN = Prepared(sql_select(col(InboundEventRow.event_id)).where(*_THIS))
_KNOWN_TO_ANY = Prepared(sql_select(col(InboundEventRow.event_id)).where(_THIS[0], *_THIS[2:]))
_TAKE_IN = Prepared(inserting(SQLModel.metadata.tables["inbound_event"]))
_SLACK: Final = "slack"
_WATERMARK = "(alive)"
"""A place that no platform has: its one row remembers how far was heard."""
_ALIVE_THERE = (
    col(InboundEventRow.platform) == bindparam("of_platform"),
    col(InboundEventRow.bot) == bindparam("of_bot"),
    col(InboundEventRow.place) == _WATERMARK,
)
_MOVE_WATERMARK = Prepared(
    update(InboundEventRow)
    .where(*_ALIVE_THERE)
    .values(message_id=bindparam("message_id"), received_at=bindparam("received_at"))
)
_UNDONE: Final = col(InboundEventRow.state) != literal_column(f"'{EventState.DONE}'")  # as the indexes have it
_DONE = update(InboundEventRow).where(*_THIS).values(state=EventState.DONE, payload={}, reply=None, posted=None)
_FINISH = Prepared(_DONE)
# Where it could not be stored that a reply is posted, it is so all the same.
_FINISH_POSTED = Prepared(
    _DONE.where(or_(*(col(InboundEventRow.state) == one for one in (EventState.ANSWERED, EventState.POSTED))))
)
_BEGIN = Prepared(
    update(InboundEventRow)
    .where(*_THIS)
    .values(state=EventState.BEGUN, attempts=col(InboundEventRow.attempts) + 1, owner=bindparam("by"))
    .returning(col(InboundEventRow.attempts))
)
_PUT_BACK = Prepared(
    update(InboundEventRow)
    .where(*_THIS, col(InboundEventRow.state) == EventState.BEGUN)
    .values(state=EventState.RECEIVED, attempts=col(InboundEventRow.attempts) - 1, owner=None)
)
_SETTLE = Prepared(
    update(InboundEventRow).where(*_THIS, _UNDONE).values(state=EventState.ANSWERED, reply=bindparam("reply"))
)
_POSTED = Prepared(
    update(InboundEventRow).where(*_THIS, _UNDONE).values(state=EventState.POSTED, posted=bindparam("posted"))
)
OF_REF = (
    col(InboundEventRow.ref) == bindparam("of_ref"),
    col(InboundEventRow.bot) == bindparam("of_bot"),
    _UNDONE,
)
"""The row of a platform's message that is not done."""
_BEGIN_TURN = Prepared(
    update(InboundEventRow)
    .where(*OF_REF, col(InboundEventRow.state) == EventState.RECEIVED)
    .values(state=EventState.BEGUN, attempts=col(InboundEventRow.attempts) + 1, owner=bindparam("by"))
)
_SETTLE_TURN = Prepared(
    update(InboundEventRow).where(*OF_REF).values(state=EventState.ANSWERED, reply=bindparam("reply"))
)


_NEW: Final[dict[str, object]] = {
    "ref": None, "state": EventState.RECEIVED, "attempts": 0, "owner": None, "blame": 0, "reply": None, "posted": None,
    "leased_until": None, "thread": None, "said_order": None, "asked": None,
}  # fmt: skip
_FROZEN: Final = (
    "text", "position", "turn_id", "failed", "footer", "too_fast", "nothing_read", "rests_on_book", "has_more",
    "by_model",
)  # fmt: skip


class SqlInbox(Inbox):
    """One row an event; the payload goes when the event is done, the ids stay."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        """Store an event; False where it is known already."""

        def work(unit: Unit) -> bool:
            _finish_posted(unit, finished)
            if unit.first(_KNOWN, _this(event)) is not None:
                return False
            row: dict[str, object] = {
                "platform": event.platform,
                "bot": event.bot,
                "place": event.place,
                "message_id": event.message_id,
                "ref": event.ref,
                "payload": event.payload,
                "received_at": utc_now(),
            }
            unit.run(_TAKE_IN, _NEW | row)
            return True

        return await self._database.prepared_write(work)

    async def knows(self, *, platform: str, place: str, message_id: str, bot: str | None = None) -> bool:
        """Whether a message was ever taken in, done or not."""
        this = _this(InboundEvent(platform=platform, place=place, message_id=message_id, bot=bot or ""))
        return await self._database.prepared_read(
            lambda unit: unit.first(_KNOWN_TO_ANY if bot is None else _KNOWN, this) is not None
        )

    async def begin(self, event: InboundEvent) -> int:
        """Note that work on an event begins; return how often it has by now."""

        def work(unit: Unit) -> int:
            row = unit.first(_BEGIN, _this(event) | {"by": self._database.process})
            return 0 if row is None else int(row.attempts)

        return await self._database.prepared_write(work)

    async def inherit(self, platform: str, *, crashed: bool, bot: str = "") -> None:
        """Take what an earlier process was working on when it ended; what ran alone is to blame."""
        row = InboundEventRow
        nobodys = (col(row.platform).in_([platform, f"{platform}/used"]), col(row.bot) == "")

        def work(session: Session) -> None:
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

        await self._database.write(work)

    async def put_back(self, event: InboundEvent) -> None:
        """Note that work on an event was cut off by no fault of its own: this time does not count."""
        await self._database.prepared_write(lambda unit: unit.run(_PUT_BACK, _this(event)))

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        """Freeze what is posted to an event."""
        frozen = _this(event) | {"reply": _stored(reply)}
        await self._database.prepared_write(lambda unit: unit.run(_SETTLE, frozen))

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event is posted, as these messages."""
        posted = _this(event) | {"posted": list(message_ids)}
        await self._database.prepared_write(lambda unit: unit.run(_POSTED, posted))

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done; its payload is emptied."""
        await self._database.prepared_write(lambda unit: unit.run(_FINISH, _this(event)))

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        """Mark events as done whose replies are posted."""
        await self._database.prepared_write(lambda unit: _finish_posted(unit, events))

    async def unfinished(self, platform: str, *, bot: str | None = None) -> list[InboundEvent]:
        """Return what was taken in and not finished, oldest first."""

        def work(session: Session) -> list[InboundEvent]:
            rows = session.exec(
                select(InboundEventRow).where(*_heard(platform, bot), _UNDONE).order_by(col(InboundEventRow.event_id))
            )
            return [event_of(row) for row in rows]

        return await self._database.read(work)

    async def prune(self, before: datetime) -> int:
        """Forget what was done and came before then, but for what threads begin with; return how many that were."""
        row = InboundEventRow
        # Where a message in a thread stands has the thread in it; Discord tells by itself who opened a thread.
        in_thread = (col(row.platform) != _SLACK) | col(row.place).like("%/%/%")
        is_done = (col(row.state) == EventState.DONE) & (col(row.place) != _WATERMARK)
        done = (is_done, col(row.received_at) < before, in_thread)

        def work(session: Session) -> int:
            return int(getattr(session.execute(delete(InboundEventRow).where(*done)), "rowcount", 0))

        return await self._database.write(work)

    async def latest_message_ids(self, platform: str, *, bot: str | None = None) -> dict[str, str]:
        """Return for each place the id of the message that was taken in last."""

        def work(session: Session) -> dict[str, str]:
            latest = (
                select(func.max(InboundEventRow.event_id))
                .where(*_heard(platform, bot), InboundEventRow.place != _WATERMARK)
                .group_by(col(InboundEventRow.place))
            )
            rows = session.exec(select(InboundEventRow).where(col(InboundEventRow.event_id).in_(latest)))
            return {row.place: row.message_id for row in rows}

        return await self._database.read(work)

    async def note_watermark(self, platform: str, message_id: str, *, bot: str = "") -> None:
        """Remember the last message up to which all that was said is kept, in place of the one before."""
        now = utc_now()

        def work(unit: Unit) -> None:
            heard = {"message_id": message_id, "received_at": now}
            if not unit.run(_MOVE_WATERMARK, heard | {"of_platform": platform, "of_bot": bot}):
                row = {"platform": platform, "bot": bot, "place": _WATERMARK, "payload": {}, "state": EventState.DONE}
                unit.run(_TAKE_IN, _NEW | row | heard)

        await self._database.prepared_write(work)

    async def last_watermark(self, platform: str, *, bot: str | None = None) -> str | None:
        """Return what was remembered so; None where nothing was."""

        def work(session: Session) -> str | None:
            last = select(InboundEventRow.message_id).where(*_heard(platform, bot), InboundEventRow.place == _WATERMARK)
            return session.exec(last).first()

        return await self._database.read(work)


def begin_turn(unit: Unit, ref: str | None, *, bot: str, owner: str) -> None:
    """Note, within the transaction that begins a turn, that work on its message begins, where it had not."""
    if ref is not None:
        unit.run(_BEGIN_TURN, {"of_ref": ref, "of_bot": bot, "by": owner})


def settle_turn(unit: Unit, ref: str | None, *, bot: str, reply: Reply | None) -> None:
    """Freeze, within the transaction that ends a turn, what is posted to its message."""
    if ref is not None and reply is not None:
        unit.run(_SETTLE_TURN, {"of_ref": ref, "of_bot": bot, "reply": _stored(reply)})


def _finish_posted(unit: Unit, events: Sequence[InboundEvent]) -> None:
    for event in events:
        unit.run(_FINISH_POSTED, _this(event))


def _heard(platform: str, bot: str | None) -> list[ColumnElement[bool]]:
    """Return what chooses the rows of one bot, or of all."""
    row = InboundEventRow
    return [col(row.platform) == platform, *([] if bot is None else [col(row.bot) == bot])]


def ran_alone(session: Session, row: InboundEventRow) -> bool:
    """Whether the process that died had nothing else to do: what it had begun on another platform still names it."""
    beside = select(func.count()).where(
        InboundEventRow.owner == row.owner, _UNDONE, col(InboundEventRow.reply).is_(None)
    )
    return session.exec(beside).one() == 1


def event_of(row: InboundEventRow) -> InboundEvent:
    """Return what a row holds."""
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
    """Return a reply as JSON can hold it; the passages it rests on are the turn's own."""
    return {name: getattr(reply, name) for name in _FROZEN}


def _read(stored: dict[str, Any]) -> Reply:
    return Reply(**{name: stored[name] for name in _FROZEN if name in stored}, is_kept=True)


def _this(event: InboundEvent) -> dict[str, str]:
    return {
        "of_platform": event.platform,
        "of_bot": event.bot,
        "of_place": event.place,
        "of_message": event.message_id,
    }
