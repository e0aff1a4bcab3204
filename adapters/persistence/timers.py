"""Timers in SQL: claimed, finished and released, each in one transaction."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, false, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from adapters.persistence.club_life_tables import TimerRow
from adapters.persistence.database import SqlStore, changed, reads, writes
from adapters.persistence.tables import ClubRow
from core.domain.errors import BookError, BookErrorCode
from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer, TimerState
from core.ports.timers import TimerTable

_OPEN = (TimerState.WAITING, TimerState.CLAIMED)
_Where = ColumnElement[bool]


class SqlTimerTable(SqlStore, TimerTable):
    """One row per timer. A claim is a random word that the caller must know to finish the timer."""

    @writes
    def keep(self, session: Session, timer: Timer) -> None:
        """Store a timer, in place of the one with its kind and name in its club."""
        keep_timer(session, timer)

    @writes
    def cancel(self, session: Session, *, thread: Thread, kind: str, name: str | None = None) -> int:
        """Delete the waiting timers of a kind in a thread's club, or the one with a name."""
        these = [*_of_kind(thread, kind), *([col(TimerRow.name) == name] if name is not None else [])]
        return changed(session, delete(TimerRow).where(*these))

    @reads
    def waiting(self, session: Session, *, thread: Thread, kind: str) -> list[Timer]:
        """Return the waiting timers of a kind in a thread's club, the next one first."""
        rows = session.exec(
            select_rows(TimerRow).where(*_of_kind(thread, kind)).order_by(col(TimerRow.due_at), col(TimerRow.name))
        )
        return [_timer(row, scope=thread.scope, place=thread.place) for row in rows]

    async def claim(self, *, scopes: Sequence[str], now: datetime, lease: timedelta, most: int) -> list[ClaimedTimer]:
        """Claim timers that are due in these scopes, the oldest first, for a while."""
        due = (
            col(TimerRow.state).in_(_OPEN),
            col(TimerRow.not_before) <= now.astimezone(UTC),
            or_(false(), *(_is_scope(scope) for scope in scopes)),
        )
        found = (
            select_rows(TimerRow, ClubRow)
            .join(ClubRow, col(ClubRow.club_id) == col(TimerRow.club_id))
            .where(*due)
            .order_by(col(TimerRow.due_at), col(TimerRow.timer_id))
            .limit(most)
        )

        def work(session: Session) -> list[ClaimedTimer]:
            claimed = []
            # If several processes may write at once, rows that another one is claiming are skipped.
            for row, club in session.exec(found.with_for_update(skip_locked=True, of=TimerRow)):
                row.state, row.claim = TimerState.CLAIMED, uuid.uuid4().hex
                row.not_before = now.astimezone(UTC) + lease
                row.begun_at, row.attempts = row.begun_at or now.astimezone(UTC), row.attempts + 1
                session.add(row)
                claimed.append(_claimed(row, club))
            return claimed

        # There is usually nothing due, and then nobody waits for the write lock.
        if not scopes or not await self.database.read(lambda session: session.exec(found.limit(1)).first()):
            return []
        return await self.database.write(work)

    @writes
    def done(self, session: Session, claimed: ClaimedTimer, *, dropped: bool = False) -> None:
        """Mark a timer as finished, or as dropped."""
        state = TimerState.DROPPED if dropped else TimerState.DONE
        changed(session, update(TimerRow).where(*_is_held(claimed)).values(state=state, claim=None))

    @writes
    def put_off(self, session: Session, claimed: ClaimedTimer, *, until: datetime) -> None:
        """Postpone a timer."""
        waits = {"state": TimerState.WAITING, "claim": None, "not_before": until.astimezone(UTC)}
        changed(session, update(TimerRow).where(*_is_held(claimed)).values(waits))

    @writes
    def prune(self, session: Session, before: datetime) -> int:
        """Delete finished and dropped timers that were due before then."""
        old = (col(TimerRow.state).not_in(_OPEN), col(TimerRow.due_at) < before.astimezone(UTC))
        return changed(session, delete(TimerRow).where(*old))


def keep_timer(session: Session, timer: Timer) -> None:
    """Store a timer, in place of the one with its kind and name in its club. Raises BookError(NOT_FOUND)."""
    due = timer.due.astimezone(UTC)
    club_id = session.exec(select_rows(ClubRow.club_id).where(*_is_club(timer.thread))).first()
    if club_id is None:
        raise BookError(BookErrorCode.NOT_FOUND, "This club is not there any more.")
    before = (TimerRow.club_id == club_id, TimerRow.kind == timer.kind, TimerRow.name == timer.name)
    row = session.exec(select_rows(TimerRow).where(*before)).first() or TimerRow(
        club_id=club_id, kind=timer.kind, name=timer.name, due_at=due, too_late_at=due, not_before=due
    )
    row.reading_id, row.member_id, row.thread = timer.reading_id, timer.member_id, timer.thread.thread
    row.payload = dict(timer.payload)
    row.due_at, row.too_late_at, row.not_before = due, due + timer.late, due
    row.state, row.claim, row.begun_at, row.attempts = TimerState.WAITING, None, None, 0
    session.add(row)
    try:
        session.flush()
    except IntegrityError:
        raise BookError(BookErrorCode.NOT_FOUND, "What this club was reading is gone.") from None


def forget_timers_of(session: Session, scope: str, member_id: str) -> None:
    """Delete a member's timers in a scope, in the transaction that forgets them."""
    clubs = select(col(ClubRow.club_id)).where(col(ClubRow.scope) == scope)
    session.execute(delete(TimerRow).where(col(TimerRow.club_id).in_(clubs), col(TimerRow.member_id) == member_id))


def _is_club(thread: Thread) -> tuple[_Where, _Where]:
    return col(ClubRow.scope) == thread.scope, col(ClubRow.place) == thread.place


def _of_kind(thread: Thread, kind: str) -> tuple[_Where, ...]:
    clubs = select(col(ClubRow.club_id)).where(*_is_club(thread))
    return col(TimerRow.club_id).in_(clubs), col(TimerRow.kind) == kind, col(TimerRow.state).in_(_OPEN)


def _is_scope(scope: str) -> _Where:
    if scope.endswith(":"):
        return col(ClubRow.scope).startswith(scope, autoescape=True)
    return col(ClubRow.scope) == scope


def _is_held(claimed: ClaimedTimer) -> tuple[_Where, _Where]:
    return col(TimerRow.timer_id) == claimed.timer_id, col(TimerRow.claim) == claimed.claim


def _timer(row: TimerRow, *, scope: str, place: str) -> Timer:
    return Timer(
        kind=row.kind,
        name=row.name,
        thread=Thread(scope=scope, place=place, thread=row.thread),
        due=row.due_at,
        late=row.too_late_at - row.due_at,
        reading_id=row.reading_id,
        member_id=row.member_id,
        payload=row.payload,
    )


def _claimed(row: TimerRow, club: ClubRow) -> ClaimedTimer:
    return ClaimedTimer(
        timer=_timer(row, scope=club.scope, place=club.place),
        timer_id=row.timer_id or 0,
        claim=row.claim or "",
        begun=row.begun_at or row.due_at,
        attempts=row.attempts,
    )
