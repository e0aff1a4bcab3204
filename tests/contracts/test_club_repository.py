"""What every ClubRepository does."""

import contextlib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session, SQLModel, col

from adapters.persistence.database import Database
from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.book import Book
from core.domain.conversation import ChatMessage, Role, TurnOutcome
from core.domain.errors import BookError
from core.domain.position import AnswerIn
from core.domain.reading import Listen, ListeningRule
from core.domain.thread import private_thread
from core.domain.tool_use import TokenUsage, ToolInvocation
from core.ports.clubs import ClubRepository
from core.ports.turn_record import TurnEnd
from tests.builders import ADA, a_book_text, a_message
from tests.contracts.stores import Stores
from tests.stored import turns_in


@pytest.fixture
def clubs(stores: Stores) -> ClubRepository:
    return stores.clubs


async def test_a_member_stands_apart_from_others_and_other_readings(stores: Stores) -> None:
    reading_id = (await stores.conversation()).reading_id
    assert await stores.clubs.member_position(reading_id, "ada") is None
    await stores.places.set_member_position(reading_id, "ada", 4)
    await stores.places.set_member_position(reading_id, "ben", 0)
    assert await stores.clubs.member_position(reading_id, "ada") == 4
    assert await stores.clubs.member_position(reading_id, "ben") == 0
    await stores.places.set_member_position(reading_id, "ada", None)
    assert await stores.clubs.member_position(reading_id, "ada") is None


async def test_a_thread_listens_on_as_it_was_told_when_its_club_changes_the_book(stores: Stores) -> None:
    async def thread(name: str, book: Book) -> str:
        reading_id = (await stores.readings.get_or_create(scope="local", place="club", book_id=book.book_id)).reading_id
        return (await stores.conversation(f"local:club:{name}/{reading_id}", book=book)).conversation_id

    one, two = await stores.add_book(), await stores.add_book(a_book_text(["Another."], title="Another"))
    first = await thread("1", one)
    await stores.clubs.set_listen(first, Listen.MENTIONS)
    second = await thread("1", two)
    assert await stores.clubs.hearing(second) == ListeningRule(listen=Listen.MENTIONS, said_here=True)
    for beside in ("11", "1~ada", "2"):
        assert await stores.clubs.hearing(await thread(beside, two)) == ListeningRule()
    await stores.clubs.set_listen(second, Listen.ALL)
    assert await stores.clubs.hearing(first) == ListeningRule(listen=Listen.ALL, said_here=True)
    assert await stores.clubs.hearing(await thread("2", one)) == ListeningRule()


async def test_a_platforms_message_is_stored_once_and_follows_its_edits(stores: Stores) -> None:
    (thread,) = {(await stores.begin(ref="discord:c1:1")).conversation_id for _ in range(2)}
    assert [m.content for m in await stores.said(thread)] == ["Who?"]
    await stores.messages.replace_text("discord:c1:1", "Who is Ada?", reveals_page=3)
    await stores.messages.replace_text("discord:c1:2", "Nobody said this.")
    (edited,) = await stores.said(thread)
    assert (edited.content, edited.reveals_page) == ("Who is Ada?", 3)
    assert await stores.messages.where_said("discord:c1:1") == (thread, 2)
    assert await stores.messages.where_said("discord:c1:2") is None


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_a_forgotten_member_leaves_no_word_and_no_page(stores: Stores, database: Database) -> None:
    thread = (await stores.begin("My secret?")).conversation_id
    conversation = await stores.conversations.get(thread)
    await stores.places.set_member_position(conversation.reading_id, ADA.member_id, 2)
    assert await stores.clubs.forget_member(scope="discord:1", member_id=ADA.member_id) == 0
    assert await stores.clubs.forget_member(scope="local", member_id=ADA.member_id) == 1
    [message] = await stores.said(thread)
    assert (message.content, message.author) == ("", None)
    assert [turn.user_query for turn in await turns_in(database, thread)] == [""]
    assert await stores.clubs.member_position(conversation.reading_id, ADA.member_id) is None


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
@pytest.mark.parametrize(
    ("own", "of_all", "after"), [(2, 4, 2), (None, 4, None), (0, 4, 0), (4, 2, 2), (2, None, None)]
)
async def test_to_forget_a_thread_moves_nobody_on(
    stores: Stores, own: int | None, of_all: int | None, after: int | None
) -> None:
    conversation = await stores.conversation("local:club:t/")
    await stores.places.set_reading_position(conversation.reading_id, position=of_all, member_id="m")
    await stores.places.set_thread_position(conversation.conversation_id, position=own, has_own=True, member_id="m")
    await stores.clubs.forget_conversation(conversation.conversation_id)
    again = await stores.conversations.get_or_create(
        session_id=conversation.session_id, reading_id=conversation.reading_id
    )
    assert again.conversation_id != conversation.conversation_id
    standing = await stores.places.standing(again.conversation_id)
    assert (standing.thread_position if standing.thread_has_own else standing.reading.current_page) == after


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
                if (await stores.conversations.get(talk.conversation_id)).session_id == talk.session_id:
                    found.append(name)
        return found

    await stores.clubs.forget_member(scope="discord:1", member_id="ada")
    assert await there() == list(names)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await there() == ["local:club:1", "local:club:1~adam", "local:club:12~adam"]
    await stores.clubs.forget_conversation(talks["local:club:1"].conversation_id)
    assert await there() == ["local:club:12~adam"]


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_of_what_a_forgotten_member_asked_for_themselves_only_what_it_took_is_left(
    stores: Stores, database: Database
) -> None:
    turn = await stores.begin("My secret?", thread=private_thread("1", ADA.member_id), ref="discord:c:1")
    talk = await stores.conversations.get(turn.conversation_id)
    outcome = TurnOutcome(text="My answer.", usage=TokenUsage(input_tokens=70, output_tokens=7))
    answered = a_message("My answer.", role=Role.ASSISTANT)
    await stores.end(turn, TurnEnd(outcome=outcome, messages=(answered,)))
    since = datetime.now(UTC) - timedelta(days=1)
    before = await stores.clubs.usage(scope="local", place="club", since=since)
    await stores.clubs.forget_member(scope="local", member_id=ADA.member_id)
    assert await stores.clubs.usage(scope="local", place="club", since=since) == before
    assert (before.input_tokens, before.output_tokens) == (70, 7)
    assert await stores.said(talk.conversation_id) == []
    [left] = await turns_in(database, talk.conversation_id)
    assert (left.user_query, left.agent_response) == ("", None)
    answer = await stores.record.answer(turn.turn_id)
    assert answer is None or ADA.member_id not in answer.session_id
    anew = await stores.conversations.get_or_create(session_id=talk.session_id, reading_id=talk.reading_id)
    assert anew.conversation_id != talk.conversation_id


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
async def test_old_talk_is_deleted_where_nothing_newer_was_said(stores: Stores, database: Database) -> None:
    book, now, talks = await stores.add_book(), datetime.now(UTC), {}
    usage = TokenUsage(input_tokens=70, output_tokens=7)
    for thread, days_ago in (("old", 40), ("lively", 40), ("lively", 2), ("asked", 40)):
        turn = await stores.begin(f"In {thread}?", thread=thread, book=book)
        talks[thread] = turn.conversation_id
        end = TurnEnd(outcome=TurnOutcome(text="Yes.", usage=usage), messages=(a_message("Yes.", role=Role.ASSISTANT),))
        then = now - timedelta(days=days_ago)
        await stores.record.end(turn, end, now=then)
        with Session(database.engine) as session, session.begin():
            for table, key in ((TurnRow, TurnRow.turn_id), (MessageRow, MessageRow.turn_id)):
                session.execute(update(table).where(col(key) == turn.turn_id).values(created_at=then))
    asked = await stores.begin("And now?", thread="asked", book=book)
    await stores.places.set_thread_position(talks["old"], position=1, has_own=True, member_id=ADA.member_id)
    used = await stores.clubs.usage(scope="local", place="club", since=now - timedelta(days=99))
    assert await stores.clubs.forget_talk(before=now - timedelta(days=30)) == 2
    assert await stores.clubs.forget_talk(before=now - timedelta(days=30)) == 0
    assert await stores.said(talks["old"]) == []
    (left,) = await turns_in(database, talks["old"])
    assert (left.user_query, left.agent_response, left.sources) == ("", None, [])
    standing = await stores.places.standing(talks["old"])
    assert (standing.thread_has_own, standing.thread_position) == (True, 1)
    assert await stores.clubs.usage(scope="local", place="club", since=now - timedelta(days=99)) == used
    assert len(await stores.said(talks["lively"])) == 4
    assert [turn.user_query for turn in await turns_in(database, asked.conversation_id)] == ["In asked?", "And now?"]
    assert await stores.books.get(book.book_id) == book


@pytest.mark.parametrize("meanwhile", [True, False], ids=["while it is answered", "later"])
@pytest.mark.parametrize("become", ["forgotten", "edited", "deleted"])
async def test_nothing_is_left_of_what_a_model_made_of_a_question_taken_back(
    database: Database, become: str, *, meanwhile: bool
) -> None:
    stores = Stores(database)
    call = ToolInvocation(tool_name="search_book", arguments={"query": "secret harbour"}, invocation_id="a")
    found = ChatMessage(role=Role.TOOL_RESULT, content="No secret.", position=None, invocation=call)
    outcome = TurnOutcome(text="No.", rewritten_query="the secret", guardrail_reasoning="a secret")
    end = TurnEnd(outcome=outcome, messages=(found,), steps=("0: secret",))
    turn = await stores.begin("My secret?", ref="discord:c1:1")
    if not meanwhile:
        await stores.end(turn, end)
    if become == "forgotten":
        await stores.clubs.forget_member(scope="local", member_id=ADA.member_id)
    else:
        await stores.messages.replace_text("discord:c1:1", "Who is Ada?" if become == "edited" else "")
    if meanwhile:
        await stores.end(turn, end)
    with database.engine.connect() as connection:
        rows = [str(row) for table in SQLModel.metadata.sorted_tables for row in connection.execute(table.select())]
    assert [row for row in rows if "secret" in row] == []


async def test_no_table_names_a_member_who_is_forgotten(database: Database) -> None:
    stores = Stores(database)
    thread = await stores.conversation()
    await stores.places.set_thread_position(thread.conversation_id, position=2, has_own=True, member_id="m_ada")
    await stores.places.set_reading_position(thread.reading_id, position=3, member_id="m_ada")
    await stores.places.set_reading_position(thread.reading_id, position=4, member_id="m_ben")
    await stores.places.set_member_position(thread.reading_id, "m_ada", 2)
    await stores.clubs.forget_member(scope="local", member_id="m_ada")
    with database.engine.connect() as connection:
        rows = [str(row) for table in SQLModel.metadata.sorted_tables for row in connection.execute(table.select())]
    assert [row for row in rows if "m_ada" in row] == []
    assert len([row for row in rows if "m_ben" in row]) == 1
    assert await stores.places.undo(thread.conversation_id) is not None


@pytest.mark.parametrize("stores", ["sql"], indirect=True)
@pytest.mark.parametrize("text", ["", "Who is Ada, please?"])
async def test_a_question_that_is_edited_or_deleted_is_so_in_its_turn(
    stores: Stores, database: Database, text: str
) -> None:
    one, two = [await stores.begin(ref=ref) for ref in ("discord:c1:1", "discord:c1:2")]
    assert two.conversation_id == one.conversation_id
    await stores.messages.replace_text("discord:c1:1", text)
    assert [turn.user_query for turn in await turns_in(database, one.conversation_id)] == [text, "Who?"]


async def test_where_a_member_wants_to_be_answered_is_kept_for_each_thread_until_they_are_forgotten(
    stores: Stores,
) -> None:
    one, two = [(await stores.conversation(session)).conversation_id for session in ("s1", "s2")]
    assert await stores.clubs.answer_in(one, "ada") is None
    for chosen in (AnswerIn.ALONE, AnswerIn.HERE):
        await stores.clubs.set_answer_in(one, "ada", chosen)
        assert await stores.clubs.answer_in(one, "ada") is chosen
    assert await stores.clubs.answer_in(two, "ada") is await stores.clubs.answer_in(one, "bo") is None
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await stores.clubs.answer_in(one, "ada") is None
