"""What every ClubRepository does."""

import contextlib
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.conversation import Author, ChatMessage, Role, TurnOutcome
from core.domain.errors import BookError
from core.domain.position import Pace, PageControl
from core.domain.reading import Listen
from core.domain.tool_use import TokenUsage
from core.ports.clubs import ClubRepository
from tests.contracts.stores import Stores

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def clubs(stores: Stores) -> ClubRepository:
    return stores.clubs


async def test_a_member_stands_apart_from_others_and_other_readings(stores: Stores) -> None:
    reading_id = (await stores.conversation()).reading_id
    assert await stores.clubs.member_position(reading_id, "ada") is None
    await stores.clubs.set_member_position(reading_id, "ada", 4)
    await stores.clubs.set_member_position(reading_id, "ben", 0)
    assert await stores.clubs.member_position(reading_id, "ada") == 4
    assert await stores.clubs.member_position(reading_id, "ben") == 0
    await stores.clubs.set_member_position(reading_id, "ada", None)
    assert await stores.clubs.member_position(reading_id, "ada") is None


async def test_who_spoke_counts_in_the_standing_of_every_thread(stores: Stores) -> None:
    conversation = await stores.conversation()
    await stores.clubs.set_member_position(conversation.reading_id, "ada", 2)
    await stores.clubs.spoke(conversation.reading_id, "ada", _NOW)
    [member] = (await stores.readings.standing(conversation.conversation_id)).members
    assert (member.member_id, member.position, member.last_spoke_at) == ("ada", 2, _NOW)


async def test_pace_and_page_control_are_kept(stores: Stores) -> None:
    reading_id = (await stores.conversation()).reading_id
    await stores.clubs.set_pace(reading_id, Pace.SLOWEST)
    await stores.clubs.set_page_control(reading_id, PageControl.ORGANISERS)
    reading = await stores.readings.get(reading_id)
    assert (reading.pace, reading.page_control) == (Pace.SLOWEST, PageControl.ORGANISERS)


async def test_a_thread_listens_as_it_was_told(stores: Stores, clubs: ClubRepository) -> None:
    thread = (await stores.conversation()).conversation_id
    assert await clubs.listen(thread) is Listen.OPENED
    await clubs.set_listen(thread, Listen.MENTIONS)
    assert await clubs.listen(thread) is Listen.MENTIONS
    with pytest.raises(BookError):
        await clubs.listen("t_none")


async def test_a_reading_moves_and_its_move_is_taken_back(stores: Stores) -> None:
    conversation = await stores.conversation()
    reading_id = conversation.reading_id
    first = await stores.readings.set_reading_position(reading_id, position=3, member_id="ada")
    second = await stores.readings.set_reading_position(reading_id, position=5, member_id="ada")
    assert (await stores.readings.get(reading_id)).current_page == 5
    assert await stores.readings.undo_reading(reading_id, change_id=first.change_id) is None
    undone = await stores.readings.undo_reading(reading_id, change_id=second.change_id)
    assert undone is not None
    assert (undone.from_position, undone.to_position) == (5, 3)
    assert await stores.readings.undo(conversation.conversation_id) is None
    assert await stores.readings.undo_reading(reading_id) is not None
    assert await stores.readings.undo_reading(reading_id) is None
    assert (await stores.readings.get(reading_id)).current_page is None


async def test_threads_with_a_page_of_their_own_are_named(stores: Stores) -> None:
    one = await stores.conversation("s1")
    await stores.readings.set_thread_position(one.conversation_id, position=2, has_own=True, member_id="ada")
    assert await stores.readings.own_positions(one.reading_id) == ["s1"]
    await stores.readings.undo(one.conversation_id)
    assert await stores.readings.own_positions(one.reading_id) == []


async def test_a_platforms_message_is_stored_once_and_follows_its_edits(stores: Stores) -> None:
    thread = (await stores.conversation()).conversation_id
    said = ChatMessage(role=Role.USER, content="Who?", position=2, platform_ref="discord:c1:1")
    for _ in range(2):
        await stores.messages.add(thread, said)
    assert [m.content for m in await stores.messages.get_by_conversation(thread)] == ["Who?"]
    await stores.messages.replace_text("discord:c1:1", "Who is Ada?")
    await stores.messages.replace_text("discord:c1:2", "Nobody said this.")
    assert [m.content for m in await stores.messages.get_by_conversation(thread)] == ["Who is Ada?"]


async def test_a_message_that_comes_again_goes_on_with_its_turn(stores: Stores) -> None:
    thread = (await stores.conversation()).conversation_id
    turns = stores.turns
    first = await turns.open(thread, user_query="Who?", position=2, asked_by="discord:c1:1")
    again = await turns.open(thread, user_query="Who?", position=2, asked_by="discord:c1:1")
    other = await turns.open(thread, user_query="Who?", position=2, asked_by="discord:c1:2")
    assert (again.turn_id, other.turn_number) == (first.turn_id, 2)
    assert await turns.get(first.turn_id) is None
    await turns.answered(first.turn_id, TurnOutcome(text="Ada (p. 1)."), duration_ms=1)
    answer = await turns.get(first.turn_id)
    assert answer is not None
    assert (answer.turn.agent_response, answer.session_id, answer.chunk_ids) == ("Ada (p. 1).", "s1", ())


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_usage_counts_the_turns_of_one_club(stores: Stores) -> None:
    conversation = await stores.conversation()
    turn = await stores.turns.open(conversation.conversation_id, user_query="Who?", position=2)
    outcome = TurnOutcome(text="Ada.", usage=TokenUsage(input_tokens=70, output_tokens=7))
    await stores.turns.answered(turn.turn_id, outcome, duration_ms=1)
    since = datetime.now(UTC) - timedelta(days=1)
    used = await stores.clubs.usage(scope="local", place="club", since=since)
    assert (used.turns, used.answered, used.input_tokens, used.output_tokens) == (1, 1, 70, 7)
    assert used.cost_micro_usd is None
    assert (await stores.clubs.usage(scope="local", place="elsewhere", since=since)).turns == 0
    later = since + timedelta(days=2)
    assert (await stores.clubs.usage(scope="local", place="club", since=later)).turns == 0


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_a_forgotten_member_leaves_no_word_and_no_page(stores: Stores) -> None:
    conversation = await stores.conversation()
    thread, ada = conversation.conversation_id, Author(member_id="ada", display_name="Ada")
    turn = await stores.turns.open(thread, user_query="My secret?", position=2)
    said = ChatMessage(role=Role.USER, content="My secret?", position=2, author=ada)
    await stores.messages.add(thread, said, turn_id=turn.turn_id)
    await stores.clubs.set_member_position(conversation.reading_id, "ada", 2)
    assert await stores.clubs.forget_member(scope="discord:1", member_id="ada") == 0
    assert await stores.clubs.forget_member(scope="local", member_id="ada") == 1
    [message] = await stores.messages.get_by_conversation(thread)
    assert (message.content, message.author) == ("", None)
    assert [turn.user_query for turn in await stores.turns.history(thread, limit=5)] == [""]
    assert await stores.clubs.member_position(conversation.reading_id, "ada") is None


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_a_forgotten_thread_and_club_are_gone_and_the_book_stays(stores: Stores) -> None:
    book = await stores.add_book()
    one, two = [await stores.conversation(session, book=book) for session in ("s1", "s2")]
    await stores.clubs.forget_conversation(one.conversation_id)
    with pytest.raises(BookError):
        await stores.conversations.get(one.conversation_id)
    assert await stores.conversations.get(two.conversation_id) == two
    await stores.clubs.forget_club(scope="local", place="club")
    assert await stores.readings.current(scope="local", place="club") is None
    assert await stores.books.get(book.book_id) == book


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_what_a_member_asked_for_themselves_goes_with_them_or_with_the_thread(stores: Stores) -> None:
    book = await stores.add_book()
    reading_id = (await stores.conversation("x", book=book)).reading_id
    names = ("local:club:1", "local:club:1~ada", "local:club:1~adam", "local:club:2~ada", "local:club:12~adam")
    talks = {name: await stores.conversation(f"{name}/{reading_id}", book=book) for name in names}

    async def there() -> list[str]:
        found = []
        for name, talk in talks.items():
            with contextlib.suppress(BookError):
                await stores.conversations.get(talk.conversation_id)
                found.append(name)
        return found

    await stores.clubs.forget_member(scope="discord:1", member_id="ada")
    assert await there() == list(names)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await there() == ["local:club:1", "local:club:1~adam", "local:club:12~adam"]
    await stores.clubs.forget_conversation(talks["local:club:1"].conversation_id)
    assert await there() == ["local:club:12~adam"]
