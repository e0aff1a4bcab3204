"""What every TurnRecord does."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.book import Book, BookEdit, Chapter
from core.domain.conversation import SPOILER, ChatMessage, Role, Turn, TurnOutcome, TurnStatus
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode, LLMErrorCode, TakenOverError
from core.domain.inbound import EventState, InboundEvent
from core.domain.passage import readable
from core.domain.position import Pace, Position
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd, TurnRecord
from tests.builders import ADA, BO, STORY, a_book_text, a_message, a_passage, a_tool_result
from tests.contracts.stores import Stores

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
_THREAD = Thread(scope="local", place="club", thread="one")


@pytest.fixture
def record(stores: Stores) -> TurnRecord:
    return stores.record


def _asks(text: str = "Who?", *, ref: str | None = None, thread: Thread = _THREAD) -> IncomingMessage:
    return IncomingMessage(thread=thread, author=ADA, text=text, ref=ref)


async def _reads(stores: Stores, book: Book | None = None, *, position: Position = 4) -> str:
    book = book or await stores.add_book()
    reading = await stores.readings.get_or_create(scope="local", place="club", book_id=book.book_id)
    await stores.places.set_reading_position(reading.reading_id, position=position, member_id="ada")
    return reading.reading_id


async def _begin(stores: Stores, message: IncomingMessage | None = None, *, latest: int = 9) -> BegunTurn:
    begun = await stores.record.begin(message or _asks(), now=_NOW, latest=latest)
    assert isinstance(begun, BegunTurn)
    return begun


async def _turn(stores: Stores, message: IncomingMessage | None = None) -> Turn:
    turn = (await _begin(stores, message)).turn
    assert turn is not None
    return turn


def _end(turn: Turn, text: str = "Ada (p. 1).", *, reveals_page: int | None = None) -> TurnEnd:
    """How a turn ends that searched once."""
    asked = ChatMessage(
        role=Role.USER, content=turn.user_query, position=turn.position, author=ADA, reveals_page=reveals_page
    )
    return TurnEnd(
        outcome=TurnOutcome(text=text, sources=(a_passage(chunk_id=3),), provider="scripted"),
        messages=(asked, a_tool_result(), a_message(text, role=Role.ASSISTANT, position=turn.position)),
    )


async def _ended(stores: Stores, text: str, answer: str, *, ref: str | None = None) -> Turn:
    turn = await _turn(stores, _asks(text, ref=ref))
    await stores.record.end(turn, _end(turn, answer), now=_NOW)
    return turn


async def _said(stores: Stores, conversation_id: str) -> list[tuple[str, str]]:
    return [(said.role.value, said.content) for said in await stores.said(conversation_id)]


async def test_a_turn_begins_with_all_that_is_known_of_its_thread(stores: Stores) -> None:
    book = await stores.add_book()
    reading_id = await _reads(stores, book)
    begun = await _begin(stores)
    conversation = begun.conversation
    assert (conversation.session_id, conversation.reading_id) == (f"local:club:one/{reading_id}", reading_id)
    assert conversation == await stores.conversations.get(conversation.conversation_id)
    assert (begun.book, begun.position, begun.history, begun.labels) == (book, 4, (), {})
    assert begun.book == await stores.books.get(book.book_id)
    assert begun.turn is not None
    assert begun.turn == Turn(
        turn_id=begun.turn.turn_id,
        conversation_id=conversation.conversation_id,
        turn_number=1,
        status=TurnStatus.OPEN,
        position=4,
        user_query="Who?",
        book_id=book.book_id,
    )
    assert (await _begin(stores)).conversation == conversation


async def test_a_turn_begins_where_its_thread_stands(stores: Stores) -> None:
    await _reads(stores)
    begun = await _begin(stores)
    await stores.places.set_thread_position(
        begun.conversation.conversation_id, position=2, has_own=True, member_id="ada"
    )
    assert (await _begin(stores)).position == 2
    assert (await _begin(stores, _asks(thread=replace(_THREAD, thread="two")))).position == 4


async def test_the_slowest_of_those_who_spoke_is_waited_for_and_who_asks_has_spoken(stores: Stores) -> None:
    reading_id = await _reads(stores)
    await stores.clubs.set_pace(reading_id, Pace.SLOWEST)
    await stores.places.set_member_position(reading_id, ADA.member_id, 3)
    await stores.places.set_member_position(reading_id, BO.member_id, 1)
    assert (await _begin(stores)).position == 3
    await stores.clubs.spoke(reading_id, BO.member_id, _NOW - timedelta(days=13))
    turn = await _turn(stores)
    assert turn.position == 1
    assert await stores.record.end(turn, _end(turn), now=_NOW + timedelta(days=2)) == 3


async def test_a_message_may_name_its_book_and_its_page(stores: Stores, record: TurnRecord) -> None:
    await _reads(stores, await stores.add_book(a_book_text(title="Before")))
    book = await stores.add_book()
    named = replace(_asks(), book_id=book.book_id, page=2)
    first, again = await _begin(stores, named), await _begin(stores, replace(named, page=5))
    assert (first.book, first.position, again.position) == (book, 2, 5)
    assert [begun.turn.turn_number for begun in (first, again) if begun.turn] == [1, 2]
    assert first.conversation == again.conversation
    current = await stores.readings.current(scope="local", place="club")
    assert current is not None
    assert (current.book_id, current.current_page) == (book.book_id, None)
    assert (await stores.places.reading_standing(current.reading_id)).members == ()  # a page of one's own
    new = replace(named, thread=replace(_THREAD, place="new"))
    assert (await _begin(stores, new)).book == book


@pytest.mark.parametrize(
    ("book", "page", "code"),
    [
        ("b_none", 1, BookErrorCode.NOT_FOUND),
        (None, 7, BookErrorCode.PAGE_OUT_OF_RANGE),
        (None, -1, BookErrorCode.PAGE_OUT_OF_RANGE),
    ],
)
async def test_a_book_or_a_page_that_is_not_there_changes_nothing(
    stores: Stores, record: TurnRecord, book: str | None, page: int, code: BookErrorCode
) -> None:
    book_id = book or (await stores.add_book()).book_id
    with pytest.raises(BookError) as refused:
        await record.begin(replace(_asks(), book_id=book_id, page=page), now=_NOW, latest=9)
    assert refused.value.code is code
    assert await stores.readings.current(scope="local", place="club") is None


async def test_chapters_are_those_begun_by_the_titles_of_now(stores: Stores) -> None:
    first, second, third = (
        Chapter(number=n, title=f"No. {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)
    )
    book = await stores.add_book(a_book_text(chapters=[first, second, third]))
    await _reads(stores, book)
    assert (await _begin(stores)).chapters == (first, second)
    await stores.books.edit(book.book_id, BookEdit(chapter_titles={2: "The storm"}))
    assert (await _begin(stores)).chapters == (first, replace(second, title="The storm"))


async def test_what_was_said_before_and_may_be_told_comes_oldest_first(stores: Stores) -> None:
    reading_id = await _reads(stores)
    thread = (await _ended(stores, "one", "Ada.")).conversation_id
    await stores.places.set_reading_position(reading_id, position=6, member_id="ada")
    await _ended(stores, "later", "The magistrate.")
    await stores.places.set_reading_position(reading_id, position=4, member_id="ada")
    spoiling = await _turn(stores, _asks("spoiling"))
    await stores.record.end(spoiling, _end(spoiling, "No.", reveals_page=5), now=_NOW)
    begun, found = await _begin(stores, _asks("now")), "No relevant passages found."
    assert [said.content for said in begun.history] == ["one", found, "Ada.", found, found, "No."]
    assert [said.content for said in (await _begin(stores, latest=2)).history] == [found, "No."]
    assert begun.history[0] == (await stores.said(thread))[0]


async def test_numbers_are_unique_under_concurrent_writers(stores: Stores) -> None:
    await _reads(stores)
    turns = await asyncio.gather(*(_turn(stores, _asks(str(number))) for number in range(12)))
    assert sorted(turn.turn_number for turn in turns) == list(range(1, 13))
    assert len({turn.conversation_id for turn in turns}) == 1


async def test_a_platforms_message_that_comes_again_goes_on_with_its_turn(stores: Stores) -> None:
    reading_id = await _reads(stores)
    first = await _turn(stores, _asks(ref="discord:c1:1"))
    assert (await _turn(stores, _asks("Who else?", ref="discord:c1:2"))).turn_number == 2
    await stores.places.set_reading_position(reading_id, position=5, member_id="ada")
    begun = await _begin(stores, _asks(ref="discord:c1:1"))
    assert begun.turn == replace(first, position=5)
    assert begun.history == ()
    await stores.record.end(begun.turn, _end(begun.turn), now=_NOW)
    await stores.places.set_reading_position(reading_id, position=2, member_id="ada")
    answered = (await _begin(stores, _asks(ref="discord:c1:1"))).turn
    assert answered == replace(begun.turn, status=TurnStatus.ANSWERED, agent_response="Ada (p. 1).")
    assert await _said(stores, first.conversation_id) == [
        ("user", "Who?"),
        ("user", "Who else?"),
        ("tool_result", "No relevant passages found."),
        ("assistant", "Ada (p. 1)."),
    ]


async def test_a_turn_that_failed_and_comes_again_may_be_answered(stores: Stores) -> None:
    await _reads(stores)
    failed = await _turn(stores, _asks(ref="discord:c1:1"))
    end = _end(failed)
    await stores.record.end(failed, replace(end, messages=end.messages[:1], error_code=LLMErrorCode.TIMEOUT), now=_NOW)
    assert await stores.record.answer(failed.turn_id) is None
    again = await _turn(stores, _asks(ref="discord:c1:1"))
    assert again == replace(failed, status=TurnStatus.FAILED)
    await stores.record.end(again, end, now=_NOW)
    answer = await stores.record.answer(failed.turn_id)
    assert answer is not None
    assert (answer.turn.status, answer.turn.agent_response) == (TurnStatus.ANSWERED, "Ada (p. 1).")
    assert [said for said, _ in await _said(stores, failed.conversation_id)] == ["user", "tool_result", "assistant"]


async def test_of_two_that_answer_a_turn_the_first_one_stands_and_the_second_learns_of_it(stores: Stores) -> None:
    await _reads(stores)
    turn = await _turn(stores, _asks("Who?", ref="m1"))
    await stores.record.end(turn, _end(turn, "Ada (p. 1)."), now=_NOW)
    with pytest.raises(TakenOverError):
        await stores.record.end(turn, _end(turn, "Bo (p. 1)."), now=_NOW)
    again = await _turn(stores, _asks("Who?", ref="m1"))
    assert again.agent_response == "Ada (p. 1)."
    said = [text for role, text in await _said(stores, turn.conversation_id) if role == Role.ASSISTANT]
    assert said == ["Ada (p. 1)."]


async def test_an_answer_is_found_with_what_it_rests_on(stores: Stores, record: TurnRecord) -> None:
    book = await stores.add_book()
    reading_id = await _reads(stores, book)
    turn = await _turn(stores)
    assert await record.answer(turn.turn_id) is None
    assert await record.answer(404) is None
    assert await record.end(turn, _end(turn), now=_NOW) == 4
    answer = await record.answer(turn.turn_id)
    assert answer is not None
    assert answer.turn == replace(turn, status=TurnStatus.ANSWERED, agent_response="Ada (p. 1).")
    assert (answer.book_id, answer.session_id) == (book.book_id, f"local:club:one/{reading_id}")
    assert answer.chunk_ids == (3,)
    for member, thinks in (("ada", 1), ("bo", 1), ("ada", -1)):
        await record.give_feedback(turn.turn_id, thinks, member_id=member)
    await record.give_feedback(404, 1, member_id="ada")
    assert await record.feedback(turn.turn_id) == {"ada": -1, "bo": 1}
    assert await record.feedback(404) == {}


async def test_an_answer_that_is_reported_is_hidden_and_in_no_later_context_until_that_is_taken_back(
    stores: Stores, record: TurnRecord
) -> None:
    await _reads(stores, await stores.add_book())
    turn = await _turn(stores, _asks("Who?", ref="m1"))
    await record.end(turn, _end(turn), now=_NOW)
    shown = [message.content for message in (await _begin(stores)).history]
    for _ in range(2):
        await record.give_feedback(turn.turn_id, SPOILER, member_id="ada")
        hidden = await record.answer(turn.turn_id)
        assert hidden is not None
        assert hidden.turn.status is TurnStatus.HIDDEN
        assert [each for each in shown if each not in [m.content for m in (await _begin(stores)).history]] == [
            "Ada (p. 1)."
        ]
    assert (await _turn(stores, _asks("Who?", ref="m1"))).status is TurnStatus.HIDDEN
    await record.take_back_reports(turn.turn_id)
    again = await record.answer(turn.turn_id)
    assert again is not None
    assert again.turn.status is TurnStatus.ANSWERED
    assert "Ada (p. 1)." in [message.content for message in (await _begin(stores)).history]
    assert await record.feedback(turn.turn_id) == {}


async def test_the_messages_of_a_turn_come_back_as_they_were_given(stores: Stores) -> None:
    await _reads(stores)
    turn = await _turn(stores, _asks(ref="discord:c1:1"))
    [held] = await stores.said(turn.conversation_id)
    assert (held.content, held.author, held.position) == ("Who?", ADA, 4)
    assert not held.fits(5)  # nobody has judged it yet
    end = _end(turn, reveals_page=2)
    question = replace(end.messages[0], author=replace(ADA, display_name="a member"))
    await stores.record.end(turn, replace(end, messages=(question, *end.messages[1:])), now=_NOW)
    stored = await stores.said(turn.conversation_id)
    fields = ("role", "content", "position", "author", "reveals_page", "invocation", "is_error")
    for kept, given in zip(stored, (question, *end.messages[1:]), strict=True):
        assert {f: getattr(kept, f) for f in fields} == {f: getattr(given, f) for f in fields}
    assert stored[0].platform_ref == "discord:c1:1"
    assert await stores.messages.where_said("discord:c1:1") == (turn.conversation_id, 4)
    latest = await stores.messages.latest(turn.conversation_id, most=9)
    assert [(said.role, said.content) for said in latest] == [(Role.USER, "Who?"), (Role.ASSISTANT, "Ada (p. 1).")]
    assert [said.content for said in await stores.messages.latest(turn.conversation_id, most=1)] == ["Ada (p. 1)."]


async def test_an_answer_about_another_import_of_its_book_is_not_kept(stores: Stores, record: TurnRecord) -> None:
    await _reads(stores, book := await stores.add_book())
    turn = await _turn(stores)
    twice = await stores.add_book(a_book_text([f"{page} {half}" for page in STORY for half in "ab"], title="Twice"))
    places = PlaceMap(
        pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset
    )
    assert await stores.books.succeed(book.book_id, twice.book_id, places)
    with pytest.raises(BookError) as gone:
        await record.end(turn, _end(turn), now=_NOW)
    assert gone.value.code is BookErrorCode.NOT_FOUND
    assert await record.answer(turn.turn_id) is None
    begun = await _begin(stores)
    assert (begun.book.book_id, begun.position) == (twice.book_id, 8)
    assert readable(begun.book, begun.position).last_page == 8


@pytest.mark.parametrize(("text", "reveals_page"), [("Who is Ada?", 2), ("", None)], ids=["edited", "deleted"])
async def test_a_question_that_was_changed_meanwhile_stays_so(
    stores: Stores, text: str, reveals_page: int | None
) -> None:
    await _reads(stores)
    turn = await _turn(stores, _asks(ref="discord:c1:1"))
    await stores.messages.replace_text("discord:c1:1", text, reveals_page=reveals_page)
    await stores.record.end(turn, _end(turn), now=_NOW)
    stored = await stores.said(turn.conversation_id)
    assert [said.content for said in stored] == [text, "Ada (p. 1)."]
    assert stored[0].reveals_page == reveals_page


async def test_a_turn_that_begins_and_ends_takes_its_message_in_the_inbox_along(stores: Stores) -> None:
    await _reads(stores)
    refs = [f"discord:c1:{number}" for number in (1, 2)]
    for number, ref in enumerate(refs):
        await stores.inbox.take_in(InboundEvent(platform="discord", place="c1", message_id=str(number), ref=ref))
    turn = await _turn(stores, _asks(ref=refs[0]))
    await _turn(stores, _asks(ref=refs[0]))
    first, second = await stores.inbox.unfinished("discord")
    assert [(one.state, one.attempts) for one in (first, second)] == [(EventState.BEGUN, 1), (EventState.RECEIVED, 0)]
    reply = Reply(text="Ada (p. 1).", position=4, turn_id=turn.turn_id, footer="up to p. 4")
    await stores.record.end(turn, replace(_end(turn), ref=refs[0], reply=reply), now=_NOW)
    first, second = await stores.inbox.unfinished("discord")
    assert (first.state, first.reply, second.reply) == (EventState.ANSWERED, reply, None)
