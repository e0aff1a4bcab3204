"""What every ClubLinks does: codes that work once, and two clubs whose book, page and schedule are one."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest

from core.domain.book import Book
from core.domain.club_link import (
    AGREED_WITHIN,
    LINK_NEWS,
    Code,
    News,
    Offer,
    new_secret,
)
from core.domain.errors import BookError
from core.domain.position import Position
from core.domain.reading import Reading
from core.domain.schedule import DatedSection, Reminding, Schedule
from core.domain.thread import Thread
from core.ports.club_links import ClubLinks
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_GIVER = Thread(scope="discord:1", place="7", thread="")
_TAKER = Thread(scope="slack:T1", place="C1", thread="")
_THIRD = Thread(scope="discord:2", place="9", thread="")
_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_SECRET = new_secret()
_SCHEDULE = Schedule(
    at=time(19, 30),
    zone="Europe/Berlin",
    weeks=1,
    sections=(
        DatedSection(number=1, first_page=1, last_page=2, day=date(2026, 3, 22), thread="7"),
        DatedSection(number=2, first_page=3, last_page=4, day=date(2026, 3, 29)),
    ),
    reminding=Reminding(thread="7", role="9", wanted_by="olga"),
)


@pytest.fixture
def links(stores: Stores) -> ClubLinks:
    return stores.links


async def _reads(stores: Stores, place: Thread, page: Position = None, *, title: str = "A Book") -> Reading:
    book = await stores.add_book(a_book_text(title=title), scope=place.scope)
    reading = await stores.readings.get_or_create(scope=place.scope, place=place.place, book_id=book.book_id)
    if page is not None:
        await stores.places.set_reading_position(reading.reading_id, position=page, member_id="olga")
    return await stores.readings.get(reading.reading_id)


async def _now(stores: Stores, place: Thread) -> Reading:
    reading = await stores.readings.current(scope=place.scope, place=place.place)
    assert reading is not None
    return reading


async def _pages(stores: Stores, *places: Thread) -> list[Position]:
    return [(await _now(stores, place)).current_page for place in places]


async def _books(stores: Stores, *places: Thread) -> list[Book]:
    return [await stores.books.get((await _now(stores, place)).book_id) for place in places]


async def _given(links: ClubLinks, place: Thread = _GIVER) -> Code:
    hashed = Code(offer_id=0, secret=_SECRET).hashed
    return Code(offer_id=await links.offer(place, made_by="olga", secret_hash=hashed, now=_NOW), secret=_SECRET)


async def _taken(links: ClubLinks, *, by: Thread = _TAKER, place: Thread = _GIVER) -> Offer:
    offer = await links.take(by, await _given(links, place), now=_NOW)
    assert offer is not None
    return offer


async def _joined(links: ClubLinks, *, place: Thread = _GIVER, by: Thread = _TAKER) -> Offer:
    offer = await _taken(links, by=by, place=place)
    assert offer.terms is not None
    assert await links.agree(by, offer.offer_id, mark=offer.terms.mark, now=_NOW)
    assert await links.join(place, offer.offer_id, mark=offer.terms.mark, member_id="olga", now=_NOW)
    return offer


async def _news(stores: Stores, place: Thread) -> list[dict[str, str]]:
    return [dict(timer.payload) for timer in await stores.timers.waiting(thread=place, kind=LINK_NEWS)]


async def test_a_code_is_taken_up_once_by_another_club(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER, 3)
    with pytest.raises(BookError):
        await links.offer(_TAKER, made_by="sam", secret_hash="", now=_NOW)
    code = await _given(links)
    assert await links.take(_GIVER, code, now=_NOW) is None
    first = await links.offer_of(_GIVER, now=_NOW)
    assert first is not None
    assert (first.taker, first.agreed, first.terms, first.made_by) == (None, False, None, "olga")
    taken = await links.take(_TAKER, code, now=_NOW)
    assert taken is not None
    assert taken.terms is not None
    assert (taken.giver, taken.taker, taken.terms.page) == (_GIVER, _TAKER, 3)
    assert await links.take(_THIRD, code, now=_NOW) is None
    assert await links.take(_TAKER, code, now=_NOW) is None
    assert await links.offer_of(_TAKER, now=_NOW) == await links.offer_of(_GIVER, now=_NOW) == taken


async def test_no_wrong_attempt_takes_a_code_from_whoever_was_given_it(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER)
    code = await _given(links)
    for _ in range(9):
        assert await links.take(_TAKER, replace(code, secret=new_secret()), now=_NOW) is None
    assert await links.take(_TAKER, replace(code, offer_id=code.offer_id + 1), now=_NOW) is None
    assert await links.take(_TAKER, code, now=_NOW) is not None


async def test_both_sides_say_yes_to_the_same_book_and_page(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER, 3)
    offer = await _taken(links)
    assert offer.terms is not None
    mark, number = offer.terms.mark, offer.offer_id
    assert await links.join(_GIVER, number, mark=mark, member_id="olga", now=_NOW) is None  # the other has not agreed
    assert await links.agree(_GIVER, number, mark=mark, now=_NOW) is None
    assert await links.agree(_THIRD, number, mark=mark, now=_NOW) is None
    assert await links.agree(_TAKER, number, mark="another", now=_NOW) is None
    assert await _news(stores, _GIVER) == []
    agreed = await links.agree(_TAKER, number, mark=mark, now=_NOW)
    assert agreed is not None
    assert agreed.agreed
    (asked,) = await stores.timers.waiting(thread=_GIVER, kind=LINK_NEWS)
    assert (asked.member_id, asked.payload["what"], asked.payload["offer"]) == ("olga", News.ASKED, str(number))
    assert await links.join(_TAKER, number, mark=mark, member_id="sam", now=_NOW) is None  # nobody says yes for both
    await stores.places.set_reading_position((await _now(stores, _GIVER)).reading_id, position=4, member_id="olga")
    assert await links.join(_GIVER, number, mark=mark, member_id="olga", now=_NOW) is None
    await stores.places.undo_reading((await _now(stores, _GIVER)).reading_id)
    assert await links.join(_GIVER, number, mark=mark, member_id="olga", now=_NOW + AGREED_WITHIN) is None
    assert await links.link_of(_GIVER) is None
    assert await links.join(_GIVER, number, mark=mark, member_id="olga", now=_NOW)
    assert await links.join(_GIVER, number, mark=mark, member_id="olga", now=_NOW) is None


@pytest.mark.parametrize(
    ("giver", "taker", "both"), [(4, 2, 2), (2, 4, 2), (4, None, 4), (None, 4, 4), (None, None, None), (0, 4, 0)]
)
async def test_who_joins_stands_at_the_lower_page(
    stores: Stores, links: ClubLinks, giver: Position, taker: Position, both: Position
) -> None:
    ours, theirs = await _reads(stores, _GIVER, giver), await _reads(stores, _TAKER, taker)
    offer = await _joined(links)
    assert offer.terms is not None
    assert (offer.terms.giver_page, offer.terms.taker_page, offer.terms.page) == (giver, taker, both)
    assert await _pages(stores, _GIVER, _TAKER) == [both, both]
    assert [(await _now(stores, one)).reading_id for one in (_GIVER, _TAKER)] == [ours.reading_id, theirs.reading_id]
    for reading in (ours, theirs):  # what was moved before is not taken back
        assert await stores.places.undo_reading(reading.reading_id) is None
    assert await _pages(stores, _GIVER, _TAKER) == [both, both]


async def test_the_other_club_gets_the_book_and_its_own_stays(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER, 3)
    own = await _reads(stores, _TAKER, 1, title="Other")
    offer = await _joined(links)
    assert offer.terms is not None
    assert (offer.terms.taker_title, offer.terms.taker_page) == ("Other", None)
    books = await _books(stores, _GIVER, _TAKER)
    assert [book.scope for book in books] == [_GIVER.scope, _TAKER.scope]
    assert books[0].content_hash == books[1].content_hash
    assert (await stores.readings.get(own.reading_id)).current_page == 1
    beside = await links.beside((await _now(stores, _GIVER)).reading_id)
    assert beside is not None
    assert (beside.place, beside.reading) == (_TAKER, await _now(stores, _TAKER))
    assert await links.beside(own.reading_id) is None
    for one, other in ((_GIVER, _TAKER), (_TAKER, _GIVER)):
        link = await links.link_of(one)
        assert link is not None
        assert (link.other, link.since) == (other, _NOW)
    assert await links.link_of(_THIRD) is None


async def test_a_move_in_one_is_a_move_in_both_and_is_told_there(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER, 1)
    await _reads(stores, _THIRD, 1)
    await _joined(links)
    ours, theirs = (await _now(stores, _GIVER)).reading_id, (await _now(stores, _TAKER)).reading_id
    await stores.timers.cancel(thread=_TAKER, kind=LINK_NEWS)
    await stores.timers.cancel(thread=_GIVER, kind=LINK_NEWS)
    await stores.places.set_reading_position(ours, position=3, member_id="olga")
    assert await _pages(stores, _GIVER, _TAKER, _THIRD) == [3, 3, 1]
    (told,) = await _news(stores, _TAKER)
    assert (told["what"], told["from"], told["to"], told["scope"]) == (News.MOVED, "1", "3", _GIVER.scope)
    assert "olga" not in str(told)
    assert await _news(stores, _GIVER) == []
    await stores.places.set_reading_position(theirs, position=4, member_id="sam")
    assert await _pages(stores, _GIVER, _TAKER) == [4, 4]
    back = await stores.places.undo_reading(ours)
    assert back is not None
    assert await _pages(stores, _GIVER, _TAKER) == [3, 3]
    assert await stores.places.undo_reading(theirs, change_id=int(told["change"])) is not None
    assert await _pages(stores, _GIVER, _TAKER) == [1, 1]
    assert [await stores.places.undo_reading(one) for one in (ours, theirs)] == [None, None]
    await stores.places.set_reading_position(theirs, position=None, member_id="sam")
    assert await _pages(stores, _GIVER, _TAKER) == [None, None]


async def test_a_book_that_one_opens_is_what_both_read_at_the_lower_page(stores: Stores, links: ClubLinks) -> None:
    next_book = await _reads(stores, _GIVER, 4, title="Next")
    known = await _reads(stores, _GIVER, 4, title="Known")
    await _reads(stores, _TAKER, 2, title="Known")
    await _reads(stores, _GIVER, 1)
    await _joined(links)
    await stores.readings.get_or_create(scope=_GIVER.scope, place=_GIVER.place, book_id=next_book.book_id)
    assert [book.title for book in await _books(stores, _GIVER, _TAKER)] == ["Next", "Next"]
    assert await _pages(stores, _GIVER, _TAKER) == [None, None]  # there, nobody has said one
    assert News.OPENED in [one["what"] for one in await _news(stores, _TAKER)]
    theirs = (await _books(stores, _TAKER))[0]
    await stores.readings.get_or_create(scope=_GIVER.scope, place=_GIVER.place, book_id=known.book_id)
    assert await _pages(stores, _GIVER, _TAKER) == [2, 2]
    await stores.readings.get_or_create(scope=_TAKER.scope, place=_TAKER.place, book_id=theirs.book_id)
    assert [book.title for book in await _books(stores, _GIVER, _TAKER)] == ["Next", "Next"]


async def test_a_book_that_both_read_before_but_not_together_is_each_clubs_own(
    stores: Stores, links: ClubLinks
) -> None:
    ours, theirs = await _reads(stores, _GIVER, 4, title="Before"), await _reads(stores, _TAKER, 2, title="Before")
    await _reads(stores, _GIVER, 1)
    await _joined(links)
    told = await _news(stores, _TAKER)
    await stores.places.set_reading_position(ours.reading_id, position=6, member_id="olga")
    await stores.places.undo_reading(ours.reading_id)
    await stores.kept_schedules.keep(ours.reading_id, _SCHEDULE)
    assert await links.beside(ours.reading_id) is None
    assert (await stores.readings.get(theirs.reading_id)).current_page == 2
    assert await stores.kept_schedules.get(theirs.reading_id) is None
    assert await _news(stores, _TAKER) == told


async def test_the_schedule_is_one_and_its_threads_and_roles_are_not(stores: Stores, links: ClubLinks) -> None:
    reading = await _reads(stores, _GIVER, 1)
    await stores.kept_schedules.keep(reading.reading_id, _SCHEDULE)
    offer = await _joined(links)
    assert offer.terms is not None
    assert offer.terms.has_dates
    other = (await _now(stores, _TAKER)).reading_id
    theirs = await stores.kept_schedules.get(other)
    bare = tuple(replace(section, thread="") for section in _SCHEDULE.sections)
    assert theirs == replace(_SCHEDULE, sections=bare, reminding=Reminding(thread=""))
    mine = replace(theirs.with_thread(2, "t9"), reminding=Reminding(thread="t9", role="r", wanted_by="sam"))
    await stores.kept_schedules.keep(other, mine)
    assert await stores.kept_schedules.get(reading.reading_id) == _SCHEDULE
    later = _SCHEDULE.shifted(7, _NOW)
    await stores.kept_schedules.keep(reading.reading_id, later)
    moved = await stores.kept_schedules.get(other)
    assert moved is not None
    assert [section.day for section in moved.sections] == [section.day for section in later.sections]
    assert ([section.thread for section in moved.sections], moved.reminding) == (["", "t9"], mine.reminding)
    await stores.kept_schedules.keep(other, replace(moved, reminding=None))
    silent = await stores.kept_schedules.get(reading.reading_id)
    assert silent == replace(later, reminding=None)
    await stores.kept_schedules.drop(other)
    assert await stores.kept_schedules.get(reading.reading_id) is None
    assert News.DATES in [one["what"] for one in await _news(stores, _GIVER)]


async def test_each_reads_on_from_where_it_is_when_they_part(stores: Stores, links: ClubLinks) -> None:
    reading = await _reads(stores, _GIVER, 1)
    await stores.kept_schedules.keep(reading.reading_id, _SCHEDULE)
    await _joined(links)
    await stores.places.set_reading_position(reading.reading_id, position=3, member_id="olga")
    ended = await links.end(_TAKER)
    assert ended is not None
    assert ended.other == _GIVER
    assert await links.end(_TAKER) is None
    assert [await links.link_of(one) for one in (_GIVER, _TAKER)] == [None, None]
    assert News.PARTED in [one["what"] for one in await _news(stores, _GIVER)]
    await stores.places.set_reading_position(reading.reading_id, position=4, member_id="olga")
    await stores.kept_schedules.drop(reading.reading_id)
    assert await _pages(stores, _GIVER, _TAKER) == [4, 3]
    assert await stores.kept_schedules.get((await _now(stores, _TAKER)).reading_id) is not None
    await _joined(links)  # and may join again
    assert await _pages(stores, _GIVER, _TAKER) == [3, 3]


async def test_a_member_who_is_forgotten_leaves_no_code(stores: Stores, links: ClubLinks) -> None:
    await _reads(stores, _GIVER, 3)
    code = await _given(links)
    await stores.clubs.forget_member(scope=_GIVER.scope, member_id="ada")
    assert await links.offer_of(_GIVER, now=_NOW) is not None
    await stores.clubs.forget_member(scope=_GIVER.scope, member_id="olga")
    assert await links.offer_of(_GIVER, now=_NOW) is None
    assert await links.take(_TAKER, code, now=_NOW) is None


async def test_nobody_ever_stands_where_nobody_said_since_they_joined(stores: Stores, links: ClubLinks) -> None:
    pages = [f"This is page {number}." for number in range(1, 61)]
    for place, before in ((_GIVER, (50, 20)), (_TAKER, (60, 30))):
        book = await stores.add_book(a_book_text(pages), scope=place.scope)
        reading = await stores.readings.get_or_create(scope=place.scope, place=place.place, book_id=book.book_id)
        for page in before:
            await stores.places.set_reading_position(reading.reading_id, position=page, member_id="m")
    await _joined(links)
    drawn, said = random.Random(7), [20]
    ids = [(await _now(stores, place)).reading_id for place in (_GIVER, _TAKER)]
    for _ in range(60):
        reading_id = drawn.choice(ids)
        if drawn.random() < 0.5:
            await stores.places.undo_reading(reading_id)
        else:
            said.append(drawn.randrange(0, 41))
            await stores.places.set_reading_position(reading_id, position=said[-1], member_id="m")
        both = await _pages(stores, _GIVER, _TAKER)
        assert both[0] == both[1]
        assert both[0] in said
