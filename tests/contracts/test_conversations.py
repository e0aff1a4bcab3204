"""What every ConversationRepository does, and how what is said in a conversation is kept."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.clean_text import clean
from core.domain.conversation import ChatMessage, Role, TurnOutcome
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.domain.tool_use import ToolInvocation
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA, BO, a_message, a_tool_result, an_invocation
from tests.contracts.stores import Stores

_ARGUMENTS: dict[str, object] = {"query": "com\npass “Æ” 🙂", "top_k": 5, "deep": {"a": [1, None, 2.5, True]}}


@pytest.fixture
def conversations(stores: Stores) -> ConversationRepository:
    return stores.conversations


@pytest.fixture
def messages(stores: Stores) -> ChatMessageRepository:
    return stores.messages


async def test_a_session_is_one_conversation(stores: Stores, conversations: ConversationRepository) -> None:
    book = await stores.add_book()
    first = await stores.conversation("s1", book=book)
    assert await stores.conversation("s1", book=book) == first
    assert (await stores.conversation("s2", book=book)).conversation_id != first.conversation_id
    assert (first.session_id, first.book_id) == ("s1", book.book_id)
    assert await conversations.get(first.conversation_id) == first


async def test_a_session_opened_many_times_at_once_is_one_conversation(
    stores: Stores, conversations: ConversationRepository
) -> None:
    reading_id = (await stores.conversation("s0")).reading_id
    opened = await asyncio.gather(
        *(conversations.get_or_create(session_id="s1", reading_id=reading_id) for _ in range(8))
    )
    assert len({conversation.conversation_id for conversation in opened}) == 1


@pytest.mark.parametrize(
    "message",
    [
        a_message("Who?", author=ADA, position=3),
        a_message("Who?", author=ADA, position=None),
        a_message("", author=ADA, position=0),
        a_message("Ada (p. 2).", role=Role.ASSISTANT, position=5, reveals_page=2),
        a_tool_result(
            "[p. 1]\nAda.",
            invocation=ToolInvocation(tool_name="search_book", arguments=_ARGUMENTS, invocation_id="call_1"),
            reveals_page=1,
        ),
        a_tool_result(invocation=ToolInvocation(tool_name="search_book", arguments={})),
        ChatMessage(role=Role.TOOL_RESULT, content="E", position=1, invocation=an_invocation(), is_error=True),
    ],
)
async def test_a_message_comes_back_as_it_was_stored(stores: Stores, message: ChatMessage) -> None:
    book = await stores.add_book()
    turn = await stores.begin(message.content if message.role is Role.USER else "Who?", book=book, page=6)
    await stores.end(turn, TurnEnd(outcome=TurnOutcome(text=""), messages=(message,)))
    stored = (await stores.said(turn.conversation_id))[-1]
    fields = ("role", "content", "position", "author", "reveals_page", "invocation", "is_error")
    assert {f: getattr(stored, f) for f in fields} == {f: getattr(message, f) for f in fields}
    assert stored.message_id is not None
    assert stored.created_at is not None
    again = IncomingMessage(
        thread=Thread(scope="local", place="club", thread="one"), author=BO, text="?", book_id=book.book_id, page=6
    )
    begun = await stores.record.begin(again, now=datetime.now(UTC), latest=1)
    assert isinstance(begun, BegunTurn)
    assert begun.history == (stored,)


async def test_messages_come_oldest_first_and_of_their_conversation_alone(stores: Stores) -> None:
    turns = [await stores.begin(str(number), thread=("one", "two")[number % 2]) for number in range(12)]
    assert [m.content for m in await stores.said(turns[0].conversation_id)] == ["0", "2", "4", "6", "8", "10"]
    assert [m.content for m in await stores.said(turns[1].conversation_id)] == ["1", "3", "5", "7", "9", "11"]
    assert await stores.said("t_none") == []


@given(st.text(max_size=50))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_can_be_a_message(stores: Stores, text: str) -> None:
    turn = await stores.begin(text)
    stored = (await stores.said(turn.conversation_id))[-1].content
    assert stored == clean(text)
