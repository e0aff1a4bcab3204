"""What an operator asks of the store, without members' texts: unfinished turns, clubs, counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ClubLinkRow
from adapters.persistence.club_record import SqlClubRecord
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.tables import BookRow, ClubRow, ConversationRow, InboundEventRow, PageRow, ReadingRow, TurnRow
from core.domain.club_record import Archive
from core.domain.conversation import JUDGED, TurnStatus
from core.domain.errors import LLMErrorCode, ThusfarError
from core.domain.inbound import EventState
from core.domain.scopes import is_private

_LONGEST_LIST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneTurn:
    """An unfinished message or command; `failed` if the reply to post reports a failure."""

    event_id: int
    platform: str
    place: str
    message_id: str
    state: EventState
    attempts: int
    received_at: datetime
    failed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLine:
    """A club: its place, its book and page, its linked club, and its total usage."""

    scope: str
    place: str
    title: str | None
    page: int | None
    threads: int
    turns: int
    tokens: int
    cost_micro_usd: int
    last_used_at: datetime | None
    reads_with: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCounts:
    """The number and oldest time of messages in each state, and the rules that held drafts back.

    `took` has tokens and millionths of a dollar by provider and model.
    """

    by_state: dict[str, int]
    oldest: dict[str, datetime]
    answered: int
    failed: int
    blocks: dict[str, int]
    took: dict[tuple[str, str], tuple[int, int]]


class Overview(SqlStore):
    """Reads the store, and changes unfinished turns for an operator."""

    @reads
    def undone(self, session: Session) -> list[UndoneTurn]:
        """Return the unfinished turns, oldest first."""
        rows = session.exec(
            select(InboundEventRow)
            .where(InboundEventRow.state != EventState.DONE)
            .order_by(col(InboundEventRow.event_id))
            .limit(_LONGEST_LIST)
        )
        return [_undone(row) for row in rows]

    @reads
    def show(self, session: Session, event_id: int) -> UndoneTurn:
        """Return one of them. Raises ThusfarError: it doesn't exist, or is finished."""
        return _undone(_row(session, event_id))

    @writes
    def retry(self, session: Session, event_id: int) -> None:
        """Let the next start handle it as a new message. Raises as `show`."""
        row = _row(session, event_id)
        row.state, row.attempts, row.blame, row.reply, row.posted = EventState.RECEIVED, 0, 0, None, None
        session.add(row)

    @writes
    def drop(self, session: Session, event_id: int) -> None:
        """Leave it unanswered. Raises as `show`."""
        row = _row(session, event_id)
        row.state, row.payload, row.reply, row.posted = EventState.DONE, {}, None, None
        session.add(row)

    @writes
    def end_abandoned(self, session: Session, before: datetime) -> None:
        """End turns as failed that began before then and whose message nobody works on."""
        row = InboundEventRow
        is_left = select(row.event_id).where(row.ref == TurnRow.asked_by, row.state != EventState.DONE).exists()
        abandoned = (col(TurnRow.status) == TurnStatus.OPEN, col(TurnRow.created_at) < before, ~is_left)
        ended = {"status": TurnStatus.FAILED, "error_code": LLMErrorCode.UNAVAILABLE}
        session.execute(update(TurnRow).where(*abandoned).values(ended))

    @reads
    def reported(self, session: Session, cites: Callable[[str], Iterable[int]]) -> list[dict[str, Any]]:
        """Return the answers hidden as spoilers, as labelled cases, oldest first.

        Each has its book and page, the `verdicts` on its sentences if they were judged, and as `evidence` the read
        pages that it rests on or cites; `cites` finds the latter.
        """
        hidden = (
            select(TurnRow, BookRow)
            .join(ConversationRow, col(ConversationRow.conversation_id) == TurnRow.conversation_id)
            .join(ReadingRow, col(ReadingRow.reading_id) == ConversationRow.reading_id)
            .join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
            .where(TurnRow.status == TurnStatus.HIDDEN)
            .order_by(col(TurnRow.turn_id))
        )
        return [_case(session, turn, book, cites) for turn, book in session.exec(hidden).all()]

    @reads
    def clubs(self, session: Session) -> list[ClubLine]:
        """Return all clubs, most recently used first."""
        return _clubs(session)

    async def archive(self, *, scope: str, place: str) -> tuple[str, Archive]:
        """Return the title of a club's reading, and its public record. Raises ThusfarError: it reads nothing."""

        def work(session: Session) -> tuple[str, str] | None:
            return session.exec(
                select(ReadingRow.reading_id, BookRow.title)
                .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
                .join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
                .where(ClubRow.scope == scope, ClubRow.place == place)
                .order_by(col(ReadingRow.last_used_at).desc())
                .limit(1)
            ).first()

        found = await self.database.read(work)
        if found is None:
            raise ThusfarError(f"No club of {scope} reads anything in {place}; `thusfar clubs list` shows all clubs.")
        return found[1], await SqlClubRecord(self.database).archive(found[0])

    @reads
    def reach(self, session: Session) -> None:
        """Read one row. Raises StorageError: the database can't be reached or used."""
        session.exec(select(InboundEventRow.event_id).limit(1)).first()

    @reads
    def counts(self, session: Session) -> TurnCounts:
        """Return the counts over all turns."""
        return _counts(session)


def _row(session: Session, event_id: int) -> InboundEventRow:
    row = session.get(InboundEventRow, event_id)
    if row is None or row.state == EventState.DONE:
        raise ThusfarError(f"No turn {event_id} waits to be done; `thusfar turns list` shows those that do.")
    return row


def _case(session: Session, turn: TurnRow, book: BookRow, cites: Callable[[str], Iterable[int]]) -> dict[str, Any]:
    answer, position = turn.agent_response or "", turn.position or 0
    rests_on = {int(str(source["start_page"])) for source in turn.sources}
    wanted = [page for page in rests_on.union(cites(answer)) if page <= position]
    pages = select(PageRow).where(PageRow.book_id == book.book_id, col(PageRow.number).in_(wanted))
    steps = [step.partition(f": {JUDGED} ")[2].split() for step in turn.reasoning_steps]
    return {
        "id": turn.turn_id,
        "label": "spoiler",
        "title": book.title,
        "book_id": book.book_id,
        "page": position,
        "question": turn.user_query,
        "text": answer,
        "verdicts": next(filter(None, steps), []),
        "evidence": [
            {"page": page.number, "text": page.text} for page in session.exec(pages.order_by(col(PageRow.number)))
        ],
        "model": turn.model,
        "asked_at": turn.created_at.isoformat(timespec="seconds"),
    }


def _undone(row: InboundEventRow) -> UndoneTurn:
    return UndoneTurn(
        event_id=row.event_id or 0,
        platform=row.platform,
        place=row.place,
        message_id=row.message_id,
        state=EventState(row.state),
        attempts=row.attempts,
        received_at=row.received_at,
        failed=None if row.reply is None else bool(row.reply["failed"]),
    )


def _clubs(session: Session) -> list[ClubLine]:
    took = {
        club_id: (turns, tokens or 0, cost or 0)
        for club_id, turns, tokens, cost in session.execute(
            select(
                ReadingRow.club_id,
                func.count(col(TurnRow.turn_id)),
                func.sum(TurnRow.input_tokens + TurnRow.output_tokens),
                func.sum(col(TurnRow.cost_micro_usd)),
            )
            .join(ConversationRow, col(ConversationRow.reading_id) == ReadingRow.reading_id)
            .join(TurnRow, col(TurnRow.conversation_id) == ConversationRow.conversation_id)
            .group_by(col(ReadingRow.club_id))
        )
    }
    threads = Counter(
        session.exec(
            select(ReadingRow.club_id).join(ConversationRow, col(ConversationRow.reading_id) == ReadingRow.reading_id)
        )
    )
    # A single reader, as in the terminal, sets the page of the talk, and the reading has none.
    alone = dict(
        session.exec(
            select(ConversationRow.reading_id, ConversationRow.current_page)
            .where(col(ConversationRow.has_own_position))
            .order_by(col(ConversationRow.created_at))
        ).all()
    )
    readings = select(ReadingRow, BookRow.title).join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
    current = {
        reading.club_id: (title, reading)
        for reading, title in session.exec(readings.order_by(col(ReadingRow.last_used_at)))
    }
    clubs = session.exec(select(ClubRow)).all()
    named = {club.club_id: f"{club.scope} {club.place}" for club in clubs}
    others = {link.club_id: named[link.other_id] for link in session.exec(select(ClubLinkRow))}
    lines = []
    for club in clubs:
        title, reading = current.get(club.club_id, (None, None))
        page = None if reading is None else reading.current_page
        if reading is not None and page is None and is_private(club.scope):
            page = alone.get(reading.reading_id)
        turns, tokens, cost = took.get(club.club_id, (0, 0, 0))
        lines.append(
            ClubLine(
                scope=club.scope,
                place=club.place,
                title=title,
                page=page,
                threads=threads[club.club_id],
                turns=turns,
                tokens=tokens,
                cost_micro_usd=cost,
                last_used_at=None if reading is None else reading.last_used_at,
                reads_with=others.get(club.club_id),
            )
        )
    used = [line for line in lines if line.last_used_at is not None]
    unused = [line for line in lines if line.last_used_at is None]
    return [*sorted(used, key=lambda line: str(line.last_used_at), reverse=True), *unused]


def _counts(session: Session) -> TurnCounts:
    undone = (InboundEventRow.state != EventState.DONE,)
    states = session.execute(
        select(InboundEventRow.state, func.count(), func.min(InboundEventRow.received_at))
        .where(*undone)
        .group_by(col(InboundEventRow.state))
    ).all()
    ended = dict(session.execute(select(TurnRow.status, func.count()).group_by(col(TurnRow.status))).all())
    blocks: Counter[str] = Counter()
    for held_back in session.exec(select(TurnRow.blocks).where(col(TurnRow.blocks).is_not(None))):
        blocks.update(held_back or {})
    return TurnCounts(
        by_state={state: number for state, number, _ in states},
        oldest={state: oldest for state, _, oldest in states},
        answered=ended.get("answered", 0),
        failed=ended.get("failed", 0),
        blocks=dict(blocks),
        took={
            (str(provider), str(model)): (tokens or 0, cost or 0)
            for provider, model, tokens, cost in session.execute(
                select(
                    col(TurnRow.provider),
                    col(TurnRow.model),
                    func.sum(TurnRow.input_tokens + TurnRow.output_tokens),
                    func.sum(col(TurnRow.cost_micro_usd)),
                )
                .where(col(TurnRow.model).is_not(None))
                .group_by(col(TurnRow.provider), col(TurnRow.model))
            )
        },
    )
