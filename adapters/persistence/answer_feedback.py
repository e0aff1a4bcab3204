"""Statements about what members think of answers, for the record of turns: in where it is said, or asked for."""

from sqlalchemy import Integer, String, bindparam, delete, insert, select

from adapters.persistence.club_life_tables import AnswerFeedbackRow
from adapters.persistence.prepared import Prepared
from adapters.persistence.tables import TurnRow

_feedback, _turn = (row.metadata.tables[row.__tablename__] for row in (AnswerFeedbackRow, TurnRow))
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
