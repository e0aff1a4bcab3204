"""When a book is imported again, messages stay out of the contexts that they stayed out of before."""

from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from core.domain.book import Book
from core.domain.club_link import Code, new_secret
from core.domain.conversation import ChatMessage, Role, TurnOutcome
from core.domain.edition import PlaceMap
from core.domain.question import IncomingMessage
from core.domain.schedule import DatedSection, Schedule
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA, STORY, a_book_text, a_message, a_tool_result
from tests.contracts.stores import Stores, open_database
from tests.stored import turns_in

_TWICE = PlaceMap(pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset)


async def test_messages_and_turns_move_to_the_new_pages(tmp_path: Path) -> None:
    database = open_database(tmp_path / "thusfar.db")
    stores = Stores(database)
    old, another = await stores.add_book(), await stores.add_book(a_book_text(title="Other"))
    thread, other = await _talk(stores, old, thread="one"), await _talk(stores, another, thread="two")
    await stores.begin("still open", book=old, page=4)
    new = await stores.add_book(a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve"))
    assert await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    moved = await stores.said(thread)
    assert [(m.position, m.reveals_page) for m in moved] == [(7, None), (3, 11), (None, None), (12, None), (9, 12)]
    kept = await stores.said(other)
    assert [(m.position, m.reveals_page) for m in kept] == [(3, None), (1, 5), (None, None), (6, None)]
    assert [turn.position for turn in await turns_in(database, thread)] == [7, 3, 9]
    assert [turn.position for turn in await turns_in(database, other)] == [3, 1]
    asked = IncomingMessage(
        thread=Thread(scope="local", place="club", thread="one"),
        author=ADA,
        text="And now?",
        book_id=new.book_id,
        page=10,
    )
    begun = await stores.record.begin(asked, now=datetime.now(UTC), latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.conversation.conversation_id == thread
    assert [message.content for message in begun.history if message.role is Role.USER] == ["one"]
    database.close()


async def test_sections_end_where_they_did_in_the_new_pages(tmp_path: Path) -> None:
    database = open_database(tmp_path / "thusfar.db")
    stores = Stores(database)
    old = await stores.add_book()
    reading = await stores.readings.get_or_create(scope="local", place="club", book_id=old.book_id)
    spans = [(1, 2), (3, 5), (6, 6)]
    sections = tuple(
        DatedSection(number=number, first_page=first, last_page=last, day=date(2026, 3, number), thread=f"t{number}")
        for number, (first, last) in enumerate(spans, start=1)
    )
    await stores.kept_schedules.keep(reading.reading_id, Schedule(at=time(19), zone="UTC", weeks=1, sections=sections))
    new = await stores.add_book(a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve"))
    assert await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    kept = await stores.kept_schedules.get(reading.reading_id)
    assert kept is not None
    assert [(each.first_page, each.last_page) for each in kept.sections] == [(2, 4), (5, 10), (11, 12)]
    assert [each.thread for each in kept.sections] == ["t1", "t2", "t3"]
    database.close()


async def _talk(stores: Stores, book: Book, *, thread: str) -> str:
    """Two turns, the second about a question that tells of page 5; return their conversation's id."""
    one = a_message("one", author=ADA, position=3)
    two = a_message("two", author=ADA, position=1, reveals_page=5)
    answer = ChatMessage(role=Role.ASSISTANT, content="a", position=6)
    first = await stores.begin("one", thread=thread, book=book, page=3)
    await stores.end(first, TurnEnd(outcome=TurnOutcome(text="a"), messages=(one,)))
    second = await stores.begin("two", thread=thread, book=book, page=1)
    told = (two, a_tool_result(position=None), answer)
    await stores.end(second, TurnEnd(outcome=TurnOutcome(text="a"), messages=told))
    return second.conversation_id


@pytest.mark.parametrize("reads_both", [False, True])
async def test_a_linked_club_goes_on_in_the_new_pages_too(tmp_path: Path, *, reads_both: bool) -> None:
    database = open_database(tmp_path / "thusfar.db")
    stores = Stores(database)
    old = await stores.add_book()
    here, there = Thread(scope="local", place="club", thread=""), Thread(scope="slack:T1", place="C1", thread="")
    twelve = a_book_text([f"{text} {half}" for text in STORY for half in "ab"], title="Twelve")
    if reads_both:
        known = await stores.add_book(twelve, scope=there.scope)
        await stores.readings.get_or_create(scope=there.scope, place=there.place, book_id=known.book_id)
    ours = await stores.readings.get_or_create(scope=here.scope, place=here.place, book_id=old.book_id)
    await stores.readings.move(ours, 3, member_id="m")
    await _join(stores, here, there)
    theirs = await stores.readings.current(scope=there.scope, place=there.place)
    assert theirs is not None
    await stores.places.set_member_position(theirs.reading_id, "bea", 5)
    new = await stores.add_book(twelve)
    assert await stores.books.succeed(old.book_id, new.book_id, _TWICE)
    beside = await stores.links.beside(ours.reading_id)
    if reads_both:
        assert beside is None
        assert (await stores.readings.get(theirs.reading_id)).current_page == 3
    else:
        assert beside is not None
        assert (beside.reading.reading_id, beside.reading.current_page) == (theirs.reading_id, 6)
        assert (await stores.books.get(beside.reading.book_id)).title == "Twelve"
        assert await stores.clubs.member_position(theirs.reading_id, "bea") == 10
        await stores.readings.undo(ours)
    assert (await stores.readings.get(ours.reading_id)).current_page == 6
    database.close()


async def _join(stores: Stores, here: Thread, there: Thread) -> None:
    now, secret = datetime(2026, 3, 1, tzinfo=UTC), new_secret()
    hashed = Code(offer_id=0, secret=secret).hashed
    number = await stores.links.offer(here, made_by="m", secret_hash=hashed, now=now)
    offer = await stores.links.take(there, Code(offer_id=number, secret=secret), now=now)
    assert offer is not None
    assert offer.terms is not None
    assert await stores.links.agree(there, number, mark=offer.terms.mark, now=now)
    assert await stores.links.join(here, number, mark=offer.terms.mark, member_id="m", now=now)
