"""Begins a turn: loads the state of its thread, and creates the turn's row."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, select

from adapters.persistence.conversations import open_conversation
from adapters.persistence.inbox import begin_turn
from adapters.persistence.messages import readable_of, store
from adapters.persistence.reading_states import current_thread, member_row, standing_of
from adapters.persistence.stored_books import StoredBooks, chapters_of
from adapters.persistence.tables import (
    BookRow,
    ConversationRow,
    MemberPositionRow,
    MemberThreadRow,
    ReadingRow,
    TurnRow,
)
from adapters.persistence.using_books import removed_title, use_book
from core.domain.book import Book
from core.domain.conversation import SETTLED, ChatMessage, Conversation, Role, Turn, TurnStatus
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import readable
from core.domain.position import AnswerIn, answer_in, is_newly_present
from core.domain.question import IncomingMessage
from core.domain.scopes import is_private
from core.ports.turn_record import BegunTurn, NoReading


class TurnBeginning:
    """Begins turns, each within a writing transaction."""

    def __init__(self, *, embedding_model_id: str | None, process: str) -> None:
        self._process = process
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    def begin(self, session: Session, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn, or continue it. Raises BookError."""
        thread = message.thread
        names = {"scope": thread.scope, "place": thread.place, "session_of": thread.session}
        about = thread.about
        if message.book_id is not None and not about:
            if session.get(BookRow, message.book_id) is None:
                raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {message.book_id}.")
            about = use_book(session, scope=thread.scope, place=thread.place, book_id=message.book_id).reading_id
        found = current_thread(session, **names, about=about)
        if found is None:
            return NoReading(removed_title=removed_title(session, **names))
        reading, row, _ = found
        if row is None:
            session_id = f"{thread.session}{reading.reading_id}"
            row = open_conversation(session, session_id=session_id, reading_id=reading.reading_id, now=now)
        return self._begun(session, message, reading, row, now=now, latest=latest)

    def _begun(
        self,
        session: Session,
        message: IncomingMessage,
        reading: ReadingRow,
        thread: ConversationRow,
        *,
        now: datetime,
        latest: int,
    ) -> BegunTurn:
        conversation = Conversation(
            conversation_id=thread.conversation_id,
            session_id=thread.session_id,
            reading_id=reading.reading_id,
            book_id=reading.book_id,
        )
        position, where = message.page, AnswerIn.HERE
        if message.book_id is None:
            member = _present(session, message, reading, now)
            position = standing_of(session, reading, thread, every_member=False).public(now)
            if not is_private(message.thread.scope):
                where = answer_in(member.current_page, position, _chosen(session, thread, message))
        book = self._books.book(session, session.get_one(BookRow, reading.book_id))
        readable(book, position)
        begun = BegunTurn(
            conversation=conversation,
            book=book,
            labels=self._books.labels(session, book),
            chapters=chapters_of(session, book.book_id, begun_by=position or 0),
            position=position,
            turn=None,
        )
        if position is None:
            return begun
        history = readable_of(
            session, conversation.conversation_id, position=position, latest=latest, apart=message.ref
        )
        status = TurnStatus.OPEN if where is AnswerIn.HERE else TurnStatus.ASKED_BACK
        turn = _open_turn(session, conversation, message, position=position, status=status, now=now)
        if turn.status is not TurnStatus.IDLE:
            _keep_question(session, message, turn, book, now)
        begin_turn(session, message.ref, bot=message.heard_by, owner=self._process)
        return replace(begun, turn=turn, history=tuple(history), answer_in=where)


def turn_of(row: TurnRow, book_id: str) -> Turn:
    """Return the turn of a row."""
    return Turn(
        turn_id=row.turn_id or 0,
        conversation_id=row.conversation_id,
        turn_number=row.turn_number,
        status=TurnStatus(row.status),
        position=row.position,
        user_query=row.user_query,
        agent_response=row.agent_response,
        book_id=book_id,
    )


def _present(session: Session, message: IncomingMessage, reading: ReadingRow, now: datetime) -> MemberPositionRow:
    """Return the row of the asking member, and note that they spoke."""
    member = member_row(session, reading.reading_id, message.author.member_id)
    if is_newly_present(member.last_spoke_at, now):
        member.last_spoke_at = now
        session.add(member)
    return member


def _chosen(session: Session, thread: ConversationRow, message: IncomingMessage) -> AnswerIn | None:
    row = session.get(MemberThreadRow, (thread.conversation_id, message.author.member_id))
    return None if row is None else AnswerIn(row.answer_in)


def _open_turn(
    session: Session,
    conversation: Conversation,
    message: IncomingMessage,
    *,
    position: int,
    status: TurnStatus,
    now: datetime,
) -> Turn:
    conversation_id = conversation.conversation_id
    if message.ref:
        this = (TurnRow.asked_by == message.ref, TurnRow.conversation_id == conversation_id)
        begun = session.exec(select(TurnRow).where(*this)).first()
        if begun is not None:
            turn = turn_of(begun, conversation.book_id)
            return turn if turn.status in SETTLED else replace(turn, position=position)
    latest = session.exec(select(func.max(TurnRow.turn_number)).where(TurnRow.conversation_id == conversation_id)).one()
    row = TurnRow(
        conversation_id=conversation_id,
        turn_number=(latest or 0) + 1,
        status=status,
        position=position,
        asked_by=message.ref,
        user_query=message.text,
        created_at=now,
    )
    session.add(row)
    session.flush()
    return turn_of(row, conversation.book_id)


def _keep_question(session: Session, message: IncomingMessage, turn: Turn, book: Book, now: datetime) -> None:
    """Store the question if it isn't stored yet, outside every context until its reveal page is known."""
    question = ChatMessage(
        role=Role.USER,
        content=message.text,
        position=turn.position,
        author=message.author,
        reveals_page=book.pages,
        platform_ref=message.ref,
    )
    store(session, turn.conversation_id, question, turn_id=turn.turn_id, now=now)
