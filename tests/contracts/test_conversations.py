"""What every ConversationRepository, ChatMessageRepository and TurnRepository does."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.conversation import ChatMessage, Role, ToolCall, TurnOutcome, TurnStatus
from core.domain.errors import BookError, BookErrorCode, LLMErrorCode
from core.domain.position import Position
from core.domain.tool_use import TokenUsage, ToolInvocation
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.turns import TurnRepository
from tests.builders import ADA, a_message, a_passage, a_tool_result, an_invocation
from tests.contracts.stores import Stores

_ARGUMENTS: dict[str, object] = {"query": "com\npass “Æ” 🙂", "top_k": 5, "deep": {"a": [1, None, 2.5, True]}}


@pytest.fixture
def conversations(stores: Stores) -> ConversationRepository:
    return stores.conversations


@pytest.fixture
def messages(stores: Stores) -> ChatMessageRepository:
    return stores.messages


@pytest.fixture
def turns(stores: Stores) -> TurnRepository:
    return stores.turns


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


async def test_a_conversation_that_is_not_there_is_not_found(conversations: ConversationRepository) -> None:
    with pytest.raises(BookError) as caught:
        await conversations.get("t_none")
    assert caught.value.code is BookErrorCode.NOT_FOUND


@pytest.mark.parametrize(
    "message",
    [
        a_message("Who?", author=ADA, position=3),
        a_message("Who?", position=None),
        a_message("", position=0),
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
async def test_a_message_comes_back_as_it_was_stored(
    stores: Stores, messages: ChatMessageRepository, message: ChatMessage
) -> None:
    thread = (await stores.conversation()).conversation_id
    await messages.add(thread, message)
    [stored] = await messages.get_by_conversation(thread)
    fields = ("role", "content", "position", "author", "reveals_page", "invocation", "is_error")
    assert {f: getattr(stored, f) for f in fields} == {f: getattr(message, f) for f in fields}
    assert stored.message_id is not None
    assert stored.created_at is not None


async def test_messages_come_oldest_first_and_of_their_conversation_alone(
    stores: Stores, messages: ChatMessageRepository
) -> None:
    book = await stores.add_book()
    one, two = [(await stores.conversation(session, book=book)).conversation_id for session in ("s1", "s2")]
    for number in range(12):
        await messages.add((one, two)[number % 2], a_message(str(number)))
    assert [m.content for m in await messages.get_by_conversation(one)] == ["0", "2", "4", "6", "8", "10"]
    assert [m.content for m in await messages.get_by_conversation(two)] == ["1", "3", "5", "7", "9", "11"]
    assert await messages.get_by_conversation("t_none") == []


@given(st.text(max_size=50))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_can_be_a_message(stores: Stores, text: str) -> None:
    thread = (await stores.conversation()).conversation_id
    await stores.messages.add(thread, a_message(text))
    stored = (await stores.messages.get_by_conversation(thread))[-1].content
    assert stored in {text, text.replace("\x00", "\N{REPLACEMENT CHARACTER}")}  # PostgreSQL knows no NUL


async def test_a_message_may_belong_to_a_turn(stores: Stores) -> None:
    thread = (await stores.conversation()).conversation_id
    turn = await stores.turns.open(thread, user_query="Who?", position=1)
    await stores.messages.add(thread, a_message("Who?"), turn_id=turn.turn_id)
    assert [m.content for m in await stores.messages.get_by_conversation(thread)] == ["Who?"]


@pytest.mark.parametrize("position", [None, 0, 4])
async def test_a_new_turn_is_open(stores: Stores, turns: TurnRepository, position: Position) -> None:
    thread = (await stores.conversation()).conversation_id
    turn = await turns.open(thread, user_query="Who?", position=position)
    assert (turn.conversation_id, turn.turn_number, turn.status) == (thread, 1, TurnStatus.OPEN)
    assert (turn.position, turn.user_query, turn.agent_response) == (position, "Who?", None)
    assert await turns.history(thread, limit=5) == [turn]


async def test_turns_are_numbered_from_1_in_each_conversation(stores: Stores, turns: TurnRepository) -> None:
    book = await stores.add_book()
    threads = [(await stores.conversation(session, book=book)).conversation_id for session in ("s1", "s2")]
    opened = [await turns.open(threads[n % 2], user_query=str(n), position=1) for n in range(6)]
    assert [turn.turn_number for turn in opened] == [1, 1, 2, 2, 3, 3]
    assert len({turn.turn_id for turn in opened}) == 6


async def test_numbers_are_unique_under_concurrent_writers(stores: Stores, turns: TurnRepository) -> None:
    thread = (await stores.conversation()).conversation_id
    opened = await asyncio.gather(*(turns.open(thread, user_query="x", position=1) for _ in range(12)))
    assert sorted(turn.turn_number for turn in opened) == list(range(1, 13))


async def test_an_answered_turn_has_its_answer(stores: Stores, turns: TurnRepository) -> None:
    thread = (await stores.conversation()).conversation_id
    turn = await turns.open(thread, user_query="Who?", position=1)
    outcome = TurnOutcome(
        text="Ada (p. 1).",
        sources=(a_passage(),),
        tool_calls=(ToolCall(tool="search_book", params=_ARGUMENTS, result="x", iteration=1),),
        usage=TokenUsage(input_tokens=1, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4),
        guardrail_score=80,
        provider="scripted",
        model="scripted-1",
    )
    await turns.answered(turn.turn_id, outcome, duration_ms=12)
    [stored] = await turns.history(thread, limit=5)
    assert (stored.status, stored.agent_response, stored.turn_id) == (TurnStatus.ANSWERED, "Ada (p. 1).", turn.turn_id)


@pytest.mark.parametrize("code", list(LLMErrorCode))
async def test_a_failed_turn_has_no_answer(stores: Stores, turns: TurnRepository, code: LLMErrorCode) -> None:
    thread = (await stores.conversation()).conversation_id
    turn = await turns.open(thread, user_query="Who?", position=1)
    await turns.failed(turn.turn_id, code, usage=TokenUsage(input_tokens=7), duration_ms=12)
    [stored] = await turns.history(thread, limit=5)
    assert (stored.status, stored.agent_response) == (TurnStatus.FAILED, None)


@pytest.mark.parametrize(("limit", "numbers"), [(0, []), (1, [4]), (3, [2, 3, 4]), (9, [1, 2, 3, 4])])
async def test_the_history_has_the_latest_turns_oldest_first(
    stores: Stores, turns: TurnRepository, limit: int, numbers: list[int]
) -> None:
    thread = (await stores.conversation()).conversation_id
    for number in range(4):
        await turns.open(thread, user_query=str(number), position=1)
    assert [turn.turn_number for turn in await turns.history(thread, limit=limit)] == numbers
