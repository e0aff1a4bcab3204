"""Statements about what members think of answers, for the record of turns: in where it is said, or asked for."""

from typing import Final

from sqlalchemy import Integer, String, bindparam, delete, insert, select, update

from adapters.persistence.club_life_tables import AnswerFeedbackRow
from adapters.persistence.prepared import Prepared
from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.conversation import SPOILER, Role, TurnStatus

NEVER_READ: Final = 2**31 - 1
"""The page that an answer tells of which was reported: no context reaches so far."""
_feedback, _turn, _message = (
    row.metadata.tables[row.__tablename__] for row in (AnswerFeedbackRow, TurnRow, MessageRow)
)
_of_turn = _turn.c.turn_id == bindparam("of_turn")
_answer = (_message.c.turn_id == bindparam("of_turn"), _message.c.role == Role.ASSISTANT)
_is_theirs = (_feedback.c.turn_id == bindparam("of_turn"), _feedback.c.member_id == bindparam("of_member"))

THINKS_OTHERWISE = Prepared(delete(_feedback).where(*_is_theirs))
THINKS = Prepared(
    insert(_feedback).from_select(
        ["turn_id", "member_id", "feedback"],
        select(_turn.c.turn_id, bindparam("of_member", type_=String()), bindparam("thinks", type_=Integer())).where(
            _turn.c.turn_id == bindparam("of_turn")
        ),
    )
)
FEEDBACK = Prepared(select(_feedback).where(_feedback.c.turn_id == bindparam("of_turn")))

HIDES = Prepared(update(_turn).where(_of_turn, _turn.c.status == TurnStatus.ANSWERED).values(status=TurnStatus.HIDDEN))
IN_NO_CONTEXT = Prepared(update(_message).where(*_answer).values(reveals_page=NEVER_READ))
IS_NO_SPOILER = Prepared(
    delete(_feedback).where(_feedback.c.turn_id == bindparam("of_turn"), _feedback.c.feedback == SPOILER)
)
SHOWS = Prepared(update(_turn).where(_of_turn, _turn.c.status == TurnStatus.HIDDEN).values(status=TurnStatus.ANSWERED))
IN_CONTEXTS = Prepared(update(_message).where(*_answer).values(reveals_page=_message.c.position))
