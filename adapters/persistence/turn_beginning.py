"""How a turn begins: all that is known of its thread is read in prepared statements, and the turn is opened."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, select, update
from sqlmodel import SQLModel

from adapters.persistence.conversations import open_conversation
from adapters.persistence.inbox import begin_turn
from adapters.persistence.messages import readable_of, store
from adapters.persistence.prepared import Prepared, Record, Unit, inserting
from adapters.persistence.standings import current_thread, names_of, standing_of_row
from adapters.persistence.stored_books import StoredBooks
from adapters.persistence.using_books import removed_title, use_book
from core.domain.book import Book
from core.domain.conversation import SETTLED, ChatMessage, Conversation, Role, Turn, TurnStatus
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import readable
from core.domain.position import AnswerIn, answer_in, is_newly_present
from core.domain.question import IncomingMessage
from core.domain.scopes import is_private
from core.ports.turn_record import BegunTurn, NoReading

_table = SQLModel.metadata.tables
_book, _member, _turn = _table["book"], _table["member_position"], _table["turn"]
_reading, _chosen = _table["reading"].c, _table["member_thread"].c

_CURRENT = Prepared(
    current_thread(
        *(column for column in _book.c if column.key != "book_id"),
        _member.c.member_id,
        _member.c.last_spoke_at,
        _member.c.current_page.label("own_page"),
        _chosen.answer_in,
    )
    .join(_book, _book.c.book_id == _reading.book_id)
    .outerjoin(_member, (_member.c.reading_id == _reading.reading_id) & (_member.c.member_id == bindparam("asker")))
    .outerjoin(
        _table["member_thread"],
        (_chosen.conversation_id == _table["conversation"].c.conversation_id)
        & (_chosen.member_id == bindparam("asker")),
    )
)
_BOOK_EXISTS = Prepared(select(_book.c.book_id).where(_book.c.book_id == bindparam("book_id")))
_FIRST_SPOKE = Prepared(inserting(_member, "reading_id", "member_id", "last_spoke_at"))
_SPOKE = Prepared(
    update(_member)
    .where(_member.c.reading_id == bindparam("of_reading"), _member.c.member_id == bindparam("asker"))
    .values(last_spoke_at=bindparam("now", type_=_member.c.last_spoke_at.type))
)
_ASKED = Prepared(
    select(_turn).where(
        _turn.c.asked_by == bindparam("asked_by"), _turn.c.conversation_id == bindparam("conversation_id")
    )
)
_LATEST = Prepared(
    select(func.max(_turn.c.turn_number).label("number")).where(_turn.c.conversation_id == bindparam("conversation_id"))
)
_NOTHING_YET: Final[dict[str, object]] = {
    "retrieval_attempts": 0,
    "sources": [],
    "reasoning_steps": [],
    "input_tokens": 0,
    "output_tokens": 0,
    "cache_read_tokens": 0,
    "cache_write_tokens": 0,
}
_NEW: Final = (
    "conversation_id",
    "turn_number",
    "status",
    "position",
    "asked_by",
    "user_query",
    "created_at",
    *_NOTHING_YET,
)
_OPEN = Prepared(inserting(_turn, *_NEW).returning(_turn.c.turn_id))


class TurnBeginning:
    """Begins turns, each within a transaction that writes."""

    def __init__(self, *, embedding_model_id: str | None, process: str) -> None:
        self._process = process
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    def begin(self, unit: Unit, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn, or go on with it. Raises BookError."""
        thread = message.thread
        names = names_of(scope=thread.scope, place=thread.place, session_of=thread.session, about=thread.about)
        if message.book_id is not None:
            if unit.first(_BOOK_EXISTS, {"book_id": message.book_id}) is None:
                raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {message.book_id}.")
            used = use_book(unit, scope=thread.scope, place=thread.place, book_id=message.book_id)
            names["about"] = used.reading_id
        row = unit.first(_CURRENT, names | {"asker": message.author.member_id})
        if row is None:
            return NoReading(removed_title=removed_title(unit, names))
        return self._begun(unit, message, row, now=now, latest=latest)

    def _begun(self, unit: Unit, message: IncomingMessage, row: Record, *, now: datetime, latest: int) -> BegunTurn:
        conversation = _conversation_of(unit, message, row, now)
        if message.book_id is None:
            _note_present(unit, message, row, now)
        book = self._books.book(unit, row)
        position = standing_of_row(unit, row).public(now) if message.book_id is None else message.page
        readable(book, position)
        begun = BegunTurn(
            conversation=conversation,
            book=book,
            labels=self._books.labels(unit, book),
            chapters=self._books.chapters(unit, book, position=position or 0),
            position=position,
            turn=None,
        )
        if position is None:
            return begun
        history = readable_of(unit, conversation.conversation_id, position=position, latest=latest, apart=message.ref)
        where = AnswerIn.HERE
        if message.book_id is None and not is_private(message.thread.scope):
            chosen = None if row.answer_in is None else AnswerIn(row.answer_in)
            where = answer_in(row.own_page, position, chosen)
        status = TurnStatus.OPEN if where is AnswerIn.HERE else TurnStatus.ASKED_BACK
        turn = _open_turn(unit, conversation, message, position=position, status=status, now=now)
        if turn.status is not TurnStatus.IDLE:
            _keep_question(unit, message, turn, book, now)
        begin_turn(unit, message.ref, bot=message.heard_by, owner=self._process)
        return replace(begun, turn=turn, history=tuple(history), answer_in=where)


def turn_of(row: Record, book_id: str) -> Turn:
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


def _conversation_of(unit: Unit, message: IncomingMessage, row: Record, now: datetime) -> Conversation:
    """Return the thread's conversation about a reading, opened where there is none."""
    session_id = f"{message.thread.session}{row.reading_id}"
    return Conversation(
        conversation_id=row.conversation_id
        or open_conversation(unit, session_id=session_id, reading_id=row.reading_id, now=now),
        session_id=session_id,
        reading_id=row.reading_id,
        book_id=row.book_id,
    )


def _note_present(unit: Unit, message: IncomingMessage, row: Record, now: datetime) -> None:
    asker = message.author.member_id
    if row.member_id is None:
        unit.run(_FIRST_SPOKE, {"reading_id": row.reading_id, "member_id": asker, "last_spoke_at": now})
    elif is_newly_present(row.last_spoke_at, now):
        unit.run(_SPOKE, {"of_reading": row.reading_id, "asker": asker, "now": now})


def _open_turn(
    unit: Unit,
    conversation: Conversation,
    message: IncomingMessage,
    *,
    position: int,
    status: TurnStatus,
    now: datetime,
) -> Turn:
    this = {"asked_by": message.ref, "conversation_id": conversation.conversation_id}
    begun = unit.first(_ASKED, this) if message.ref else None
    if begun is not None:
        turn = turn_of(begun, conversation.book_id)
        is_settled = turn.status in SETTLED
        return turn if is_settled else replace(turn, position=position)
    latest = unit.one(_LATEST, this).number
    turn = Turn(
        turn_id=0,
        conversation_id=conversation.conversation_id,
        turn_number=(latest or 0) + 1,
        status=status,
        position=position,
        user_query=message.text,
        book_id=conversation.book_id,
    )
    row = this | {"turn_number": turn.turn_number, "status": turn.status, "position": position}
    stored = unit.one(_OPEN, _NOTHING_YET | row | {"user_query": message.text, "created_at": now})
    return replace(turn, turn_id=stored.turn_id)


def _keep_question(unit: Unit, message: IncomingMessage, turn: Turn, book: Book, now: datetime) -> None:
    """Store what is asked, if it is not there yet, out of every context until it is known how far it tells."""
    question = ChatMessage(
        role=Role.USER,
        content=message.text,
        position=turn.position,
        author=message.author,
        reveals_page=book.pages,
        platform_ref=message.ref,
    )
    store(unit, turn.conversation_id, question, turn_id=turn.turn_id, now=now)
