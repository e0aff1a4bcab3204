"""Polls on a club's next book, in SQL."""

import uuid
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import PollRow, PollVoteRow, ProposalRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.tables import ClubRow
from core.domain.folding import folded
from core.domain.poll import Poll, Proposal
from core.ports.polls import PollRepository


class SqlPollRepository(SqlStore, PollRepository):
    """One row per member's proposal, one per poll, one per member's vote in it."""

    @writes
    def propose(self, session: Session, *, scope: str, place: str, member_id: str, proposal: Proposal) -> None:
        """Store a member's proposal in place of their last one."""
        club_id = _club(session, scope, place)
        kept = ProposalRow(club_id=club_id, member_id=member_id, title=proposal.title, author=proposal.author)
        session.merge(kept)

    @reads
    def proposals(self, session: Session, *, scope: str, place: str) -> list[Proposal]:
        """Return the proposals, each title once, by title."""
        theirs = (
            select(ProposalRow)
            .join(ClubRow, col(ClubRow.club_id) == ProposalRow.club_id)
            .where(ClubRow.scope == scope, ClubRow.place == place)
            .order_by(func.lower(ProposalRow.title), col(ProposalRow.author).desc())
        )
        by_title = dict[str, Proposal]()
        for row in session.exec(theirs):
            by_title.setdefault(folded(row.title), Proposal(title=row.title, author=row.author))
        return list(by_title.values())

    @writes
    def begin(self, session: Session, *, scope: str, place: str, proposals: Sequence[Proposal]) -> Poll:
        """Open a poll, and close an open one."""
        club_id = _club(session, scope, place)
        _close(session, _latest(session, scope, place))
        row = PollRow(club_id=club_id, proposals=[[each.title, each.author] for each in proposals])
        session.add(row)
        session.flush()
        return _poll(session, row)

    @reads
    def latest(self, session: Session, *, scope: str, place: str) -> Poll | None:
        """Return the latest poll, or None."""
        row = _latest(session, scope, place)
        return None if row is None else _poll(session, row)

    @writes
    def vote(
        self, session: Session, *, scope: str, place: str, poll_id: int, member_id: str, option: int
    ) -> Poll | None:
        """Count a member's vote in place of their last one; None if that poll of the club is not open."""
        row = _latest(session, scope, place)
        if row is None or row.poll_id != poll_id or not row.is_open or not 0 <= option < len(row.proposals):
            return None
        session.merge(PollVoteRow(poll_id=poll_id, member_id=member_id, option=option))
        session.flush()
        return _poll(session, row)

    @writes
    def close(self, session: Session, *, scope: str, place: str) -> Poll | None:
        """Close the open poll and return it; None if none is open."""
        row = _latest(session, scope, place)
        if row is None or not row.is_open:
            return None
        _close(session, row)
        return _poll(session, row)

    @writes
    def withdraw(self, session: Session, *, scope: str, place: str, proposal: Proposal) -> None:
        """Delete the proposals of a title that was chosen."""
        club_id = _club(session, scope, place)
        theirs = session.exec(select(ProposalRow).where(ProposalRow.club_id == club_id)).all()
        for row in theirs:
            if folded(row.title) == folded(proposal.title):
                session.delete(row)


def forget_proposals(session: Session, scope: str, member_id: str) -> None:
    """Delete a member's proposals and votes in a scope."""
    clubs = select(ClubRow.club_id).where(ClubRow.scope == scope)
    polls = select(PollRow.poll_id).where(col(PollRow.club_id).in_(clubs))
    session.execute(
        delete(ProposalRow).where(col(ProposalRow.club_id).in_(clubs), col(ProposalRow.member_id) == member_id)
    )
    session.execute(
        delete(PollVoteRow).where(col(PollVoteRow.poll_id).in_(polls), col(PollVoteRow.member_id) == member_id)
    )


def _club(session: Session, scope: str, place: str) -> str:
    """Return the id of a club, created if needed."""
    row = session.exec(select(ClubRow).where(ClubRow.scope == scope, ClubRow.place == place)).first()
    if row is None:
        row = ClubRow(club_id=f"c_{uuid.uuid4().hex[:12]}", scope=scope, place=place)
        session.add(row)
        session.flush()
    return row.club_id


def _latest(session: Session, scope: str, place: str) -> PollRow | None:
    return session.exec(
        select(PollRow)
        .join(ClubRow, col(ClubRow.club_id) == PollRow.club_id)
        .where(ClubRow.scope == scope, ClubRow.place == place)
        .order_by(col(PollRow.poll_id).desc())
        .limit(1)
    ).first()


def _close(session: Session, row: PollRow | None) -> None:
    if row is not None:
        row.is_open = False
        session.add(row)


def _poll(session: Session, row: PollRow) -> Poll:
    voted = session.exec(select(PollVoteRow.option).where(PollVoteRow.poll_id == row.poll_id)).all()
    return Poll(
        poll_id=row.poll_id or 0,
        proposals=tuple(Proposal(title=title, author=author) for title, author in row.proposals),
        is_open=row.is_open,
        counts=dict(Counter(voted)),
    )
