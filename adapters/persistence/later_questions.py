"""The questions that members save for later, in SQL."""

from collections.abc import Sequence

from sqlalchemy import delete
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import LaterQuestionRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import reading_row
from core.domain.later import LaterQuestion
from core.ports.later_questions import LaterQuestions


class SqlLaterQuestions(SqlStore, LaterQuestions):
    """Questions by reading and member."""

    @writes
    def keep(self, session: Session, question: LaterQuestion, *, most: int) -> bool:
        """Store a question; return False if its member has too many."""
        reading_row(session, question.reading_id)
        theirs = select(LaterQuestionRow.text).where(
            LaterQuestionRow.reading_id == question.reading_id, LaterQuestionRow.member_id == question.member_id
        )
        kept = session.exec(theirs).all()
        if question.text in kept:
            return True
        if len(kept) >= most:
            return False
        session.add(
            LaterQuestionRow(
                reading_id=question.reading_id,
                member_id=question.member_id,
                text=question.text,
                asked_page=question.asked_page,
                told_page=question.told_page,
            )
        )
        return True

    @reads
    def of_reading(self, session: Session, reading_id: str) -> list[LaterQuestion]:
        """Return the questions of all members, oldest first."""
        return [question_of(row) for row in later_rows(session, reading_id)]

    @reads
    def get(self, session: Session, later_id: int) -> LaterQuestion | None:
        """Return a question, or None."""
        row = session.get(LaterQuestionRow, later_id)
        return None if row is None else question_of(row)

    @writes
    def drop(self, session: Session, later_id: int, member_id: str) -> None:
        """Delete a question of this member."""
        gone = delete(LaterQuestionRow).where(
            col(LaterQuestionRow.later_id) == later_id, col(LaterQuestionRow.member_id) == member_id
        )
        session.execute(gone)


def later_rows(session: Session, reading_id: str) -> Sequence[LaterQuestionRow]:
    """Return the rows of a reading's questions, oldest first."""
    theirs = select(LaterQuestionRow).where(LaterQuestionRow.reading_id == reading_id)
    return session.exec(theirs.order_by(col(LaterQuestionRow.later_id))).all()


def question_of(row: LaterQuestionRow) -> LaterQuestion:
    """Return the question of a row."""
    return LaterQuestion(
        later_id=row.later_id or 0,
        reading_id=row.reading_id,
        member_id=row.member_id,
        text=row.text,
        asked_page=row.asked_page,
        told_page=row.told_page,
    )
