"""How a turn begins: all that is known of its thread is read in prepared statements, and the turn is opened."""

import uuid
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update
from sqlmodel import Session, SQLModel

from adapters.persistence.conversations import STORE_MESSAGE, listen_of, message_of, message_row
from adapters.persistence.readings import use_book
from adapters.persistence.standings import standing_of_row
from adapters.persistence.stored_books import StoredBooks
from core.domain.book import Book
from core.domain.conversation import ChatMessage, Conversation, Role, Turn, TurnStatus
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import readable
from core.domain.position import is_newly_present
from core.domain.question import IncomingMessage
from core.ports.turn_record import BegunTurn, NoReading

_table = SQLModel.metadata.tables
_book, _club, _reading = _table["book"], _table["club"], _table["reading"]
_member, _conversation = _table["member_position"], _table["conversation"]
_turn, _message = _table["turn"], _table["message"]

_CURRENT = (
    select(
        *_book.c,
        _conversation.c.conversation_id,
        _conversation.c.session_id,
        _conversation.c.current_page.label("thread_page"),
        _conversation.c.has_own_position,
        _reading.c.reading_id,
        _reading.c.club_id,
        _reading.c.current_page,
        _reading.c.pace,
        _reading.c.page_control,
        _member.c.member_id,
        _member.c.last_spoke_at,
    )
    .select_from(
        _club.join(_reading, _reading.c.club_id == _club.c.club_id)
        .join(_book, _book.c.book_id == _reading.c.book_id)
        .outerjoin(
            _conversation,
            _conversation.c.session_id
            == bindparam("session_of", type_=_conversation.c.session_id.type) + _reading.c.reading_id,
        )
        .outerjoin(
            _member,
            (_member.c.reading_id == _reading.c.reading_id) & (_member.c.member_id == bindparam("asker")),
        )
    )
    .where(_club.c.scope == bindparam("scope"), _club.c.place == bindparam("place"))
    .order_by(_reading.c.last_used_at.desc())
    .limit(1)
)
_REMOVED_TITLE = select(_club.c.removed_title).where(
    _club.c.scope == bindparam("scope"), _club.c.place == bindparam("place")
)
_BOOK_EXISTS = select(_book.c.book_id).where(_book.c.book_id == bindparam("book_id"))
_OPEN_THREAD = insert(_conversation)
_FIRST_SPOKE = insert(_member)
_SPOKE = (
    update(_member)
    .where(_member.c.reading_id == bindparam("of_reading"), _member.c.member_id == bindparam("asker"))
    .values(last_spoke_at=bindparam("now", type_=_member.c.last_spoke_at.type))
)
_ASKED = select(_turn).where(
    _turn.c.asked_by == bindparam("asked_by"), _turn.c.conversation_id == bindparam("conversation_id")
)
_LATEST = select(func.max(_turn.c.turn_number)).where(_turn.c.conversation_id == bindparam("conversation_id"))
_OPEN = insert(_turn).returning(_turn.c.turn_id)
_HISTORY = (
    select(_message)
    .where(
        _message.c.conversation_id == bindparam("conversation_id"),
        _message.c.platform_ref.is_(None) | (_message.c.platform_ref != bindparam("ref")),
        func.coalesce(_message.c.position, 0) <= bindparam("last_page"),
        func.coalesce(_message.c.reveals_page, 0) <= bindparam("last_page"),
    )
    .order_by(_message.c.message_id.desc())
    .limit(bindparam("latest"))
)
_NAMED = select(_message.c.message_id).where(_message.c.platform_ref == bindparam("ref"))
_NOTHING_YET: Final[dict[str, object]] = {
    "retrieval_attempts": 0,
    "sources": [],
    "reasoning_steps": [],
    "input_tokens": 0,
    "output_tokens": 0,
    "cache_read_tokens": 0,
    "cache_write_tokens": 0,
}
_Row = Row[*tuple[Any, ...]]


class TurnBeginning:
    """Begins turns, each within a transaction that writes."""

    def __init__(self, *, embedding_model_id: str | None) -> None:
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    def begin(self, session: Session, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn, or go on with it. Raises BookError."""
        connection, thread = session.connection(), message.thread
        club = {"scope": thread.scope, "place": thread.place}
        if message.book_id is not None:
            if connection.execute(_BOOK_EXISTS, {"book_id": message.book_id}).first() is None:
                raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {message.book_id}.")
            use_book(session, scope=thread.scope, place=thread.place, book_id=message.book_id)
        asked = club | {"session_of": thread.session, "asker": message.author.member_id}
        row = connection.execute(_CURRENT, asked).first()
        if row is None:
            return NoReading(removed_title=connection.execute(_REMOVED_TITLE, club).scalar())
        return self._begun(session, message, row, now=now, latest=latest)

    def _begun(self, session: Session, message: IncomingMessage, row: _Row, *, now: datetime, latest: int) -> BegunTurn:
        connection = session.connection()
        conversation = _conversation_of(row)
        if conversation is None:
            conversation = _opened(session, f"{message.thread.session}{row.reading_id}", row, now)
        if message.book_id is None:
            _note_present(connection, message, row, now)
        book = self._books.book(connection, row)
        position = standing_of_row(connection, row).public(now) if message.book_id is None else message.page
        readable(book, position)
        begun = BegunTurn(
            conversation=conversation,
            book=book,
            labels=self._books.labels(connection, book),
            position=position,
            turn=None,
        )
        if position is None:
            return begun
        history = _said_before(connection, conversation, message, position=position, latest=latest)
        turn = _open_turn(connection, conversation, message, position=position, now=now)
        _keep_question(connection, message, turn, book, now)
        return replace(begun, turn=turn, history=history)


def turn_of(row: _Row, book_id: str) -> Turn:
    """Return the turn of a row."""
    return Turn(
        turn_id=row.turn_id,
        conversation_id=row.conversation_id,
        turn_number=row.turn_number,
        status=TurnStatus(row.status),
        position=row.position,
        user_query=row.user_query,
        agent_response=row.agent_response,
        book_id=book_id,
    )


def _conversation_of(row: _Row) -> Conversation | None:
    if row.conversation_id is None:
        return None
    return Conversation(
        conversation_id=row.conversation_id,
        session_id=row.session_id,
        reading_id=row.reading_id,
        book_id=row.book_id,
    )


def _opened(session: Session, session_id: str, row: _Row, now: datetime) -> Conversation:
    """Open the thread's conversation about a reading; it listens as the thread was told to."""
    conversation = Conversation(
        conversation_id=f"t_{uuid.uuid4().hex[:12]}",
        session_id=session_id,
        reading_id=row.reading_id,
        book_id=row.book_id,
    )
    session.connection().execute(
        _OPEN_THREAD,
        {
            "conversation_id": conversation.conversation_id,
            "session_id": session_id,
            "reading_id": row.reading_id,
            "has_own_position": False,
            "listen": listen_of(session, session_id, row.reading_id),
            "created_at": now,
        },
    )
    return conversation


def _note_present(connection: Connection, message: IncomingMessage, row: _Row, now: datetime) -> None:
    asker = message.author.member_id
    if row.member_id is None:
        connection.execute(_FIRST_SPOKE, {"reading_id": row.reading_id, "member_id": asker, "last_spoke_at": now})
    elif is_newly_present(row.last_spoke_at, now):
        connection.execute(_SPOKE, {"of_reading": row.reading_id, "asker": asker, "now": now})


def _said_before(
    connection: Connection, conversation: Conversation, message: IncomingMessage, *, position: int, latest: int
) -> tuple[ChatMessage, ...]:
    which = {
        "conversation_id": conversation.conversation_id,
        "ref": message.ref or "",
        "last_page": position,
        "latest": latest,
    }
    rows = connection.execute(_HISTORY, which).all()
    return tuple(message_of(row) for row in reversed(rows))


def _open_turn(
    connection: Connection, conversation: Conversation, message: IncomingMessage, *, position: int, now: datetime
) -> Turn:
    this = {"asked_by": message.ref, "conversation_id": conversation.conversation_id}
    begun = connection.execute(_ASKED, this).first() if message.ref else None
    if begun is not None:
        turn = turn_of(begun, conversation.book_id)
        return turn if turn.status is TurnStatus.ANSWERED else replace(turn, position=position)
    latest = connection.execute(_LATEST, this).scalar()
    turn = Turn(
        turn_id=0,
        conversation_id=conversation.conversation_id,
        turn_number=(latest or 0) + 1,
        status=TurnStatus.OPEN,
        position=position,
        user_query=message.text,
        book_id=conversation.book_id,
    )
    row = this | {"turn_number": turn.turn_number, "status": turn.status, "position": position}
    stored = connection.execute(_OPEN, _NOTHING_YET | row | {"user_query": message.text, "created_at": now})
    return replace(turn, turn_id=stored.scalar_one())


def _keep_question(connection: Connection, message: IncomingMessage, turn: Turn, book: Book, now: datetime) -> None:
    """Store what is asked, if it is not there yet, out of every context until it is known how far it tells."""
    if message.ref is not None and connection.execute(_NAMED, {"ref": message.ref}).first() is not None:
        return
    question = ChatMessage(
        role=Role.USER,
        content=message.text,
        position=turn.position,
        author=message.author,
        reveals_page=book.pages,
        platform_ref=message.ref,
    )
    connection.execute(STORE_MESSAGE, message_row(turn.conversation_id, question, turn.turn_id, now))
