"""Clubs that read as one with another, in memory."""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from core.domain.club_link import (
    AGREED_WITHIN,
    CODE_HOLDS,
    LINK_NEWS,
    Code,
    Link,
    LinkedReading,
    News,
    Offer,
    Terms,
    page_in_next_book,
    page_of_both,
)
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import Position
from core.domain.reading import PositionChange, Reading
from core.domain.schedule import Reminding, Schedule
from core.domain.thread import Thread
from core.domain.timer import Timer
from core.ports.club_links import ClubLinks
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.readings import InMemoryReadingRepository
from tests.fakes.schedules import InMemoryScheduleRepository
from tests.fakes.timers import InMemoryTimerTable


@dataclass(slots=True, kw_only=True)
class _Given:
    place: Thread
    secret_hash: str
    made_by: str
    expires: datetime
    taker: Thread | None = None
    agreed_to: str | None = None


class InMemoryClubLinks(ClubLinks):
    """Pairs of places; what is done in one is done in the other by the fakes that tell of it."""

    def __init__(
        self,
        *,
        books: InMemoryBookRepository,
        readings: InMemoryReadingRepository,
        clubs: InMemoryClubRepository,
        schedules: InMemoryScheduleRepository,
        timers: InMemoryTimerTable,
    ) -> None:
        self._books = books
        self._readings = readings
        self._schedules = schedules
        self._timers = timers
        readings.links = clubs.links = schedules.links = books.links = self
        self._offers: dict[int, _Given] = {}
        self._made = 0
        self._linked: dict[Thread, Link] = {}
        self._after: dict[Thread, int] = {}
        self._told = 0
        self._at_work = False

    async def offer(self, place: Thread, *, made_by: str, secret_hash: str, now: datetime) -> int:
        if not self._readings.knows(scope=place.scope, place=place.place):
            raise BookError(BookErrorCode.NOT_FOUND, "This club is not there any more.")
        self._offers = {one: kept for one, kept in self._offers.items() if kept.place != place}
        self._made += 1
        self._offers[self._made] = _Given(
            place=place, secret_hash=secret_hash, made_by=made_by, expires=now + CODE_HOLDS
        )
        return self._made

    async def take(self, place: Thread, code: Code, *, now: datetime) -> Offer | None:
        given = self._offers.get(code.offer_id)
        if given is None or given.expires <= now or given.taker is not None:
            return None
        if not hmac.compare_digest(given.secret_hash, code.hashed):
            return None
        if place == given.place or place in self._linked or given.place in self._linked:
            return None
        self._drop_of(place)
        given.taker, given.expires = place, now + AGREED_WITHIN
        return await self._offer(code.offer_id)

    async def offer_of(self, place: Thread, *, now: datetime) -> Offer | None:
        found = self._open(place, now)
        return None if not found else await self._offer(max(found))

    async def agree(self, place: Thread, offer_id: int, *, mark: str, now: datetime) -> Offer | None:
        if offer_id not in self._open(place, now) or self._offers[offer_id].taker != place:
            return None
        offer = await self._offer(offer_id)
        if offer.terms is None or offer.terms.mark != mark:
            return None
        given = self._offers[offer_id]
        given.agreed_to = mark
        await self._tell(given.place, News.ASKED, of=place, member_id=given.made_by, offer=str(offer_id))
        return await self._offer(offer_id)

    async def decline(self, place: Thread, offer_id: int) -> bool:
        given = self._offers.get(offer_id)
        if given is None or place not in {given.place, given.taker}:
            return False
        del self._offers[offer_id]
        return True

    async def join(self, place: Thread, offer_id: int, *, mark: str, member_id: str, now: datetime) -> Link | None:
        if offer_id not in self._open(place, now) or self._offers[offer_id].place != place:
            return None
        given, offer = self._offers[offer_id], await self._offer(offer_id)
        reading = await self._current(place)
        if reading is None or offer.taker is None or offer.terms is None:
            return None
        if not offer.terms.mark == mark == given.agreed_to:
            return None
        for one, other in ((place, offer.taker), (offer.taker, place)):
            self._drop_of(one)
            self._linked[one] = Link(other=other, since=now)
        beside = await self._read_same(reading, offer.taker)
        await self._stand(reading, beside, offer.terms.page, member_id=member_id)
        await self._tell(place, News.JOINED, of=offer.taker, reading=reading)
        await self._tell(offer.taker, News.JOINED, of=place, reading=beside)
        return self._linked[place]

    async def link_of(self, place: Thread) -> Link | None:
        return self._linked.get(place)

    async def beside(self, reading_id: str) -> LinkedReading | None:
        place = self._readings.place_of(reading_id)
        link = None if place is None else self._linked.get(place)
        if place is None or link is None:
            return None
        ours, theirs = await self._current(place), await self._current(link.other)
        if ours is None or theirs is None or ours.reading_id != reading_id:
            return None
        same = [(await self._books.get(one.book_id)).content_hash for one in (ours, theirs)]
        return LinkedReading(place=link.other, reading=theirs) if len(set(same)) == 1 else None

    async def end(self, place: Thread) -> Link | None:
        link = self._linked.pop(place, None)
        if link is not None:
            del self._linked[link.other]
            await self._tell(link.other, News.PARTED, of=place)
        return link

    async def moved(self, reading_id: str) -> None:
        """Let the other club stand where this one was moved to."""
        other = await self._other_of_a_move(reading_id)
        if other is not None:
            await self._put(other, (await self._readings.get(reading_id)).current_page)

    async def taken_back(self, reading_id: str, made: PositionChange) -> None:
        """Let the other club take the same move back."""
        other = await self._other_of_a_move(reading_id)
        if other is None:
            return
        page = (await self._readings.get(reading_id)).current_page
        latest = self._readings.latest(other.reading.reading_id)
        if latest is None or (latest.from_position, latest.to_position) != (made.from_position, made.to_position):
            await self._put(other, page)
            return
        self._at_work = True
        await self._readings.undo_reading(other.reading.reading_id)
        self._at_work = False
        await self._tell_of_move(other, page)

    def after(self, reading_id: str) -> int:
        """Return the last move that is not taken back."""
        place = self._readings.place_of(reading_id)
        return self._after.get(place, 0) if place in self._linked else 0

    async def opened(self, place: Thread, reading: Reading) -> None:
        """Let the other club open the same text."""
        link = self._linked.get(place)
        if link is None or self._at_work:
            return
        text, now = (await self._books.get(reading.book_id)).content_hash, await self._current(link.other)
        if now is not None and (await self._books.get(now.book_id)).content_hash == text:
            return
        other = await self._read_same(reading, link.other)
        await self._stand(reading, other, page_in_next_book(reading.current_page, other.current_page))
        await self._tell(link.other, News.OPENED, of=place, reading=other)

    async def dated(self, reading_id: str) -> None:
        """Let the other club keep the same dates."""
        other = None if self._at_work else await self.beside(reading_id)
        place = self._readings.place_of(reading_id)
        if other is None or place is None:
            return
        ours, theirs = [await self._schedules.get(one) for one in (reading_id, other.reading.reading_id)]
        same = None if ours is None else _for_other(ours, theirs)
        if same == theirs:
            return
        self._at_work = True
        if same is None:
            await self._schedules.drop(other.reading.reading_id)
        else:
            await self._schedules.keep(other.reading.reading_id, same)
        self._at_work = False
        silent = {"silent": "1"} if same and theirs and _dates(same) == _dates(theirs) else {}
        await self._tell(other.place, News.DATES, of=place, reading=other.reading, **silent)

    async def removing(self, book_id: str) -> None:
        """Part the clubs that read a book now which is removed."""
        for place in list(self._linked):
            reading = await self._current(place)
            if reading is not None and reading.book_id == book_id and (link := await self.end(place)) is not None:
                await self._tell(place, News.PARTED, of=link.other)

    async def left(self, scopes: Sequence[str]) -> None:
        """Part the clubs of servers that are not there any more."""
        for place in list(self._linked):
            if place.scope in scopes:
                await self.end(place)

    def forget_member(self, scope: str, member_id: str) -> None:
        """Drop the codes that a member gave."""
        self._offers = {
            one: kept for one, kept in self._offers.items() if (kept.place.scope, kept.made_by) != (scope, member_id)
        }

    async def forget_club(self, place: Thread) -> None:
        """Drop what is a club's."""
        await self.end(place)
        self._drop_of(place)

    async def _other_of_a_move(self, reading_id: str) -> LinkedReading | None:
        return None if self._at_work else await self.beside(reading_id)

    async def _put(self, other: LinkedReading, page: Position) -> None:
        self._at_work = True
        change = await self._readings.set_reading_position(other.reading.reading_id, position=page, member_id="")
        self._at_work = False
        await self._tell_of_move(other, page, change=str(change.change_id))

    async def _tell_of_move(self, other: LinkedReading, page: Position, **more: str) -> None:
        before = other.reading.current_page
        if before != page:
            told = {"from": _said(before), "to": _said(page), **more}
            await self._tell(other.place, News.MOVED, of=self._linked[other.place].other, reading=other.reading, **told)

    async def _read_same(self, reading: Reading, place: Thread) -> Reading:
        copy, _ = await self._books.copy(reading.book_id, scope=place.scope)
        self._at_work = True
        other = await self._readings.get_or_create(scope=place.scope, place=place.place, book_id=copy.book_id)
        self._at_work = False
        return other

    async def _stand(self, one: Reading, other: Reading, page: Position, *, member_id: str = "") -> None:
        self._at_work = True
        for reading, by in ((one, member_id), (other, "")):
            if reading.current_page != page:
                await self._readings.set_reading_position(reading.reading_id, position=page, member_id=by)
        self._at_work = False
        for reading in (one, other):
            place = self._readings.place_of(reading.reading_id)
            assert place is not None
            self._after[place] = self._readings.latest_number
        dated = one if await self._schedules.get(one.reading_id) is not None else other
        await self.dated(dated.reading_id)

    async def _tell(
        self,
        place: Thread,
        what: News,
        *,
        of: Thread,
        reading: Reading | None = None,
        member_id: str = "",
        **payload: str,
    ) -> None:
        reading_id = None if reading is None else reading.reading_id
        for waiting in await self._timers.waiting(thread=place, kind=LINK_NEWS):
            if waiting.name.startswith(f"{what}:"):
                if waiting.reading_id == reading_id:
                    payload = _both(waiting.payload, payload)
                await self._timers.cancel(thread=place, kind=LINK_NEWS, name=waiting.name)
        self._told += 1
        await self._timers.keep(
            Timer(
                kind=LINK_NEWS,
                name=f"{what}:{self._told}",
                thread=place,
                due=datetime.now(UTC),
                late=timedelta(days=7),
                reading_id=reading_id,
                member_id=member_id,
                payload={"what": what, "scope": of.scope, **payload},
            )
        )

    async def _current(self, place: Thread) -> Reading | None:
        return await self._readings.current(scope=place.scope, place=place.place)

    def _drop_of(self, place: Thread) -> None:
        self._offers = {one: kept for one, kept in self._offers.items() if place not in {kept.place, kept.taker}}

    def _open(self, place: Thread, now: datetime) -> list[int]:
        return [
            number
            for number, given in self._offers.items()
            if place in {given.place, given.taker} and given.expires > now
        ]

    async def _offer(self, offer_id: int) -> Offer:
        given = self._offers[offer_id]
        return Offer(
            offer_id=offer_id,
            giver=given.place,
            made_by=given.made_by,
            taker=given.taker,
            agreed=given.agreed_to is not None,
            terms=await self._terms(given),
        )

    async def _terms(self, given: _Given) -> Terms | None:
        reading = await self._current(given.place)
        if given.taker is None or reading is None or given.place in self._linked or given.taker in self._linked:
            return None
        text, theirs = (await self._books.get(reading.book_id)).content_hash, None
        for one in self._readings.of_place(given.taker):
            if self._books.holds(one.book_id) and (await self._books.get(one.book_id)).content_hash == text:
                theirs = one
        now = await self._current(given.taker)
        taker_page = None if theirs is None else theirs.current_page
        return Terms(
            book_id=reading.book_id,
            page=page_of_both(reading.current_page, taker_page),
            giver_page=reading.current_page,
            taker_page=taker_page,
            taker_title="" if now is None or now == theirs else (await self._books.get(now.book_id)).title,
            has_dates=await self._schedules.get(reading.reading_id) is not None,
        )


def _for_other(ours: Schedule, theirs: Schedule | None) -> Schedule:
    spans = {} if theirs is None else {(one.number, one.first_page, one.last_page): one for one in theirs.sections}
    threads = [spans.get((one.number, one.first_page, one.last_page)) for one in ours.sections]
    reminding = theirs.reminding if theirs is not None else None
    return replace(
        ours,
        sections=tuple(
            replace(one, thread=before.thread if before else "")
            for one, before in zip(ours.sections, threads, strict=True)
        ),
        reminding=(reminding or Reminding(thread="")) if ours.reminding else None,
    )


def _dates(schedule: Schedule) -> Schedule:
    return replace(schedule, sections=tuple(replace(one, thread="") for one in schedule.sections), reminding=None)


def _both(earlier: Mapping[str, str], now: dict[str, str]) -> dict[str, str]:
    begun = {"from": earlier["from"]} if "from" in earlier else {}
    silent = {"silent": "1"} if "silent" in earlier and "silent" in now else {}
    return {**{key: value for key, value in now.items() if key != "silent"}, **begun, **silent}


def _said(page: Position) -> str:
    return "" if page is None else str(page)
