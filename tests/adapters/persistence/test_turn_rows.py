"""The columns of a turn record its outcome; a member forgotten meanwhile is not brought back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlmodel import Session, SQLModel, select

from adapters.persistence.overview import Overview
from adapters.persistence.tables import ConversationRow, TurnRow
from core.domain.conversation import ChatMessage, Role, ToolCall, Turn, TurnOutcome
from core.domain.errors import BookError, BookErrorCode, LLMErrorCode
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage
from core.domain.thread import Thread, private_thread
from core.domain.tool_use import TokenUsage
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.adapters.persistence.shelves import Store
from tests.builders import ADA, STORY, a_message, a_passage
from tests.stored import said_in

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
_THREAD = Thread(scope="local", place="club", thread="one")
_OUTCOME = TurnOutcome(
    text="Ada (p. 1).",
    sources=(a_passage(chunk_id=3), a_passage(chunk_id=5, page=2)),
    tool_calls=(ToolCall(tool="search_book", params={}, result="x", iteration=1),),
    usage=TokenUsage(input_tokens=11, output_tokens=12, cache_read_tokens=13, cache_write_tokens=14),
    iterations=3,
    retrieval_attempts=2,
    rewritten_query="compass",
    max_iterations_reached=True,
    guardrail_score=80,
    guardrail_reasoning="About the book.",
    blocks={"name": 2},
    provider="scripted",
    model="scripted-1",
)
_END = TurnEnd(
    outcome=_OUTCOME,
    messages=(a_message("Ada (p. 1).", role=Role.ASSISTANT),),
    steps=("0: search_book", "1: read_pages"),
    cost=Decimal("0.0123456"),
    duration_ms=1234,
)
_ENDED: dict[str, object] = {
    "position": 4,
    "guardrail_score": 80,
    "guardrail_reasoning": "About the book.",
    "retrieval_attempts": 2,
    "rewritten_query": "compass",
    "sources": [
        {"start_page": 1, "end_page": 1, "chunk_id": 3},
        {"start_page": 2, "end_page": 2, "chunk_id": 5},
    ],
    "reasoning_steps": ["0: search_book", "1: read_pages"],
    "provider": "scripted",
    "model": "scripted-1",
    "input_tokens": 11,
    "output_tokens": 12,
    "cache_read_tokens": 13,
    "cache_write_tokens": 14,
    "cost_micro_usd": 12346,
    "duration_ms": 1234,
    "max_iterations_reached": True,
    "blocks": {"name": 2},
}


async def _begin(shelf: Store, *, thread: Thread = _THREAD, ref: str | None = "discord:c1:1") -> Turn:
    book = await shelf.add(STORY)
    reading = await shelf.readings.get_or_create(scope="local", place="club", book_id=book.book_id)
    await shelf.readings.move(reading, 4, member_id="m")
    message = IncomingMessage(thread=thread, author=ADA, text="Who?", ref=ref)
    begun = await shelf.record.begin(message, now=_NOW, latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.turn is not None
    return begun.turn


async def _row(shelf: Store, turn: Turn) -> dict[str, object]:
    def work(session: Session) -> dict[str, object]:
        return session.exec(select(TurnRow).where(TurnRow.turn_id == turn.turn_id)).one().model_dump()

    return await shelf.database.read(work)


@pytest.mark.parametrize(
    ("error_code", "became"),
    [
        (None, {"status": "answered", "agent_response": "Ada (p. 1).", "error_code": None}),
        (LLMErrorCode.TIMEOUT, {"status": "failed", "agent_response": None, "error_code": "timeout"}),
    ],
    ids=["answered", "failed"],
)
async def test_every_column_of_a_turn_is_read_back(
    shelf: Store, error_code: LLMErrorCode | None, became: dict[str, object]
) -> None:
    turn = await _begin(shelf)
    await shelf.record.end(turn, replace(_END, error_code=error_code), now=_NOW)
    row = await _row(shelf, turn)
    assert row == _ENDED | became | {
        "turn_id": turn.turn_id,
        "conversation_id": turn.conversation_id,
        "turn_number": 1,
        "asked_by": "discord:c1:1",
        "user_query": "Who?",
        "created_at": _NOW,
    }
    assert set(row) == set(SQLModel.metadata.tables["turn"].c.keys())


async def test_a_conversation_says_when_it_last_changed(shelf: Store) -> None:
    turn, later = await _begin(shelf), _NOW + timedelta(hours=1)
    assert await _times(shelf) == (_NOW, _NOW, None)
    await shelf.record.end(turn, _END, now=later)
    assert await _times(shelf) == (_NOW, later, None)


async def _times(shelf: Store) -> tuple[object, object, object]:
    row = await shelf.database.read(lambda session: session.exec(select(ConversationRow)).one().model_dump())
    created, updated = (row[name].astimezone(UTC) for name in ("created_at", "updated_at"))
    return created, updated, row["metadata_"]


async def test_a_member_forgotten_while_being_answered_stays_forgotten(shelf: Store) -> None:
    turn = await _begin(shelf)
    assert await shelf.clubs.forget_member(scope="local", member_id=ADA.member_id) == 1
    asked = ChatMessage(role=Role.USER, content="Who?", position=4, author=ADA)
    await shelf.record.end(turn, replace(_END, messages=(asked, *_END.messages)), now=_NOW)
    question, answer = await said_in(shelf.database, turn.conversation_id)
    assert (question.content, question.author, answer.content) == ("", None, "Ada (p. 1).")
    row = await _row(shelf, turn)
    assert (row["user_query"], row["rewritten_query"], row["guardrail_reasoning"]) == ("", None, None)
    assert row["input_tokens"] == 11


async def test_a_private_conversation_forgotten_while_it_is_answered_stores_nothing(shelf: Store) -> None:
    thread = replace(_THREAD, thread=private_thread("one", ADA.member_id))
    turn = await _begin(shelf, thread=thread)
    await shelf.clubs.forget_member(scope="local", member_id=ADA.member_id)
    with pytest.raises(BookError) as gone:
        await shelf.record.end(turn, _END, now=_NOW)
    assert gone.value.code is BookErrorCode.NOT_FOUND
    assert await said_in(shelf.database, turn.conversation_id) == []
    assert (await _row(shelf, turn))["agent_response"] is None


async def test_forgetting_a_member_removes_their_feedback(shelf: Store) -> None:
    turn = await _begin(shelf)
    await shelf.record.end(turn, _END, now=_NOW)
    for member in ("ada", "bo"):
        await shelf.record.give_feedback(turn.turn_id, 1, member_id=member)
    await shelf.clubs.forget_member(scope="local", member_id="ada")
    assert await shelf.record.feedback(turn.turn_id) == {"bo": 1}


async def test_an_abandoned_turn_ends_as_failed(shelf: Store) -> None:
    left, dropped = [
        InboundEvent(platform="discord", bot="b", place="c", message_id=str(number), ref=f"discord:c:{number}")
        for number in range(2)
    ]
    for event in (left, dropped):
        await shelf.inbox.take_in(event)
    turns = [await _begin(shelf, ref=ref) for ref in (left.ref, dropped.ref, None)]
    await shelf.inbox.finish(dropped)
    overview = Overview(shelf.database)
    await overview.end_abandoned(_NOW)
    assert [(await _row(shelf, turn))["status"] for turn in turns] == ["open", "open", "open"]
    await overview.end_abandoned(_NOW + timedelta(hours=1))
    assert [(await _row(shelf, turn))["status"] for turn in turns] == ["open", "failed", "failed"]
