"""What was said keeps out of contexts that it kept out of before, when a book takes another import's place."""

from pathlib import Path

from core.domain.conversation import ChatMessage, Role
from core.domain.place_map import PlaceMap
from tests.builders import STORY, a_book_text, a_message, a_tool_result
from tests.contracts.stores import in_sql, open_database

_TWICE = PlaceMap(pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset)


async def test_messages_and_turns_of_the_old_pages_tell_of_the_new_ones(tmp_path: Path) -> None:
    database = open_database(tmp_path / "thusfar.db")
    stores = in_sql(database)
    old = await stores.add_book()
    thread = (await stores.conversation(book=old)).conversation_id
    other = (await stores.conversation("s2", book=await stores.add_book(a_book_text(title="Other")))).conversation_id
    said = [a_message("one", position=3), a_message("two", position=1, reveals_page=5), a_tool_result(position=None)]
    for conversation_id in (thread, other):
        await stores.messages.add(conversation_id, *said, ChatMessage(role=Role.ASSISTANT, content="a", position=6))
    turn = await stores.turns.open(thread, user_query="?", position=4)
    new = await stores.add_book(a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve"))
    assert await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    moved = await stores.messages.get_by_conversation(thread)
    assert [(m.position, m.reveals_page) for m in moved] == [(7, None), (3, 11), (None, None), (12, None)]
    kept = await stores.messages.get_by_conversation(other)
    assert [(m.position, m.reveals_page) for m in kept] == [(3, None), (1, 5), (None, None), (6, None)]
    assert [t.position for t in await stores.turns.history(thread, limit=5)] == [9]
    assert turn.turn_number == 1
    readable = await stores.messages.readable_history(thread, position=10, latest=9)
    assert [message.content for message in readable if message.role is Role.USER] == ["one"]
    database.close()
