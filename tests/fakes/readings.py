"""Readings and positions, in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from core.domain.alias import Alias
from core.domain.book import Book
from core.domain.club_text import ClubText
from core.domain.conversation import Conversation
from core.domain.edition import Edition, PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.later import LaterQuestion
from core.domain.position import AnswerIn, MemberPosition, Pace, PageControl, Position
from core.domain.progress import PageSaid
from core.domain.reading import PositionChange, Reading, ReadingState
from core.domain.sealed_item import SealedItem, Vote
from core.domain.thread import Thread, keeping, talk_of
from core.ports.readings import ReadingRepository
from tests.fakes.books import InMemoryBookRepository

if TYPE_CHECKING:
    from tests.fakes.club_links import InMemoryClubLinks


@dataclass(slots=True, kw_only=True)
class _ThreadState:
    reading_id: str
    position: Position = None
    has_own: bool = False
    changes: list[PositionChange] = field(default_factory=list)


class InMemoryReadingRepository(ReadingRepository):
    """Readings by club and book. Tests move a reading or its members with `move` and `members`."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        self._books = books
        books.readings = self
        self._readings: dict[str, Reading] = {}
        self._used: list[str] = []
        self._threads: dict[str, _ThreadState] = {}
        self._changes: dict[str, list[PositionChange]] = {}
        self._changed = 0
        self._editions: dict[tuple[str, str | None], Edition | None] = {}
        self.sessions: dict[str, str] = {}
        self.members: dict[str, tuple[MemberPosition, ...]] = {}
        self.aliases: dict[str, dict[tuple[str, int], Alias]] = {}
        self.later: dict[int, LaterQuestion] = {}
        self.texts: dict[str, list[ClubText]] = {}
        self.recapped: dict[tuple[str, str], int] = {}
        self.watched: set[str] = set()
        self.answer_in: dict[tuple[str, str], AnswerIn] = {}
        self.nudged: dict[tuple[str, str], datetime] = {}
        self.sealed_items: dict[int, SealedItem] = {}
        self.votes: dict[int, dict[str, Vote]] = {}
        self.weeks: dict[int, str] = {}
        self.said: dict[tuple[str, str], list[PageSaid]] = {}
        self.moved: dict[str, list[tuple[int, PageSaid]]] = {}
        self.places: dict[str, Thread] = {}
        self.links: InMemoryClubLinks | None = None
        self.now: Callable[[], datetime] = partial(datetime.now, UTC)

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        await self._books.get(book_id)
        club_id = f"c_{scope}:{place}"
        reading_id = f"r_{club_id}/{book_id}"
        new = Reading(
            reading_id=reading_id,
            club_id=club_id,
            book_id=book_id,
            current_page=None,
            pace=Pace.THREAD,
            page_control=PageControl.ANYONE,
        )
        reading_id = next(
            (r.reading_id for r in self._readings.values() if (r.club_id, r.book_id) == (club_id, book_id)), reading_id
        )
        self._used = [*(used for used in self._used if used != reading_id), reading_id]
        opened = self._readings.setdefault(reading_id, new)
        self.places[reading_id] = Thread(scope=scope, place=place, thread="")
        if self.links is not None:
            await self.links.opened(self.places[reading_id], opened)
        return self._readings[reading_id]

    async def get(self, reading_id: str) -> Reading:
        reading = self._readings.get(reading_id)
        if reading is None or not self._books.holds(reading.book_id):
            raise BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")
        return reading

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        kept = self._kept(scope, place, session_of)
        if kept is not None:
            return kept if self._books.holds(kept.book_id) else None
        used = [self._readings[reading_id] for reading_id in self._used]
        here = [r for r in used if r.club_id == f"c_{scope}:{place}" and self._books.holds(r.book_id)]
        return here[-1] if here else None

    async def removed_title(self, *, scope: str, place: str, session_of: str = "") -> str | None:
        kept = self._kept(scope, place, session_of)
        if kept is not None and not self._books.holds(kept.book_id):
            return self._books.removed.get(kept.book_id)
        used = [self._readings[reading_id] for reading_id in self._used]
        here = [r.book_id for r in used if r.club_id == f"c_{scope}:{place}"]
        return self._books.removed.get(here[-1]) if here else None

    async def standing(self, conversation_id: str) -> ReadingState:
        thread = await self._thread(conversation_id)
        return ReadingState(
            reading=await self.get(thread.reading_id),
            thread_position=thread.position,
            thread_has_own=thread.has_own,
            members=self.members.get(thread.reading_id, ()),
        )

    async def reading_standing(self, reading_id: str) -> ReadingState:
        members = self.members.get(reading_id, ())
        return ReadingState(
            reading=await self.get(reading_id), thread_position=None, thread_has_own=False, members=members
        )

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        thread = await self._thread(conversation_id)
        self._changed += 1
        change = PositionChange(
            change_id=self._changed,
            from_position=thread.position,
            to_position=position,
            from_has_own=thread.has_own,
            to_has_own=has_own,
            member_id=member_id,
        )
        thread.position, thread.has_own = position, has_own
        thread.changes.append(change)
        self._moved_to(thread.reading_id, change)
        return change

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        reading = await self.get(reading_id)
        self._changed += 1
        change = PositionChange(
            change_id=self._changed,
            from_position=reading.current_page,
            to_position=position,
            from_has_own=False,
            to_has_own=False,
            member_id=member_id,
        )
        self._changes.setdefault(reading_id, []).append(change)
        self._readings[reading_id] = replace(reading, current_page=position)
        self._moved_to(reading_id, change)
        if self.links is not None:
            await self.links.moved(reading_id)
        return change

    async def latest_change(self, reading_id: str, conversation_id: str | None = None) -> PositionChange | None:
        if conversation_id is None:
            return self.latest(reading_id)
        return next(reversed((await self._thread(conversation_id)).changes), None)

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        thread = await self._thread(conversation_id)
        made = _latest(thread.changes, change_id)
        if made is None:
            return None
        thread.position, thread.has_own = made.from_position, made.from_has_own
        self._not_moved(thread.reading_id, made)
        return _taken_back(made)

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        reading = await self.get(reading_id)
        made = self.latest(reading_id)
        if made is None or change_id not in {None, made.change_id}:
            return None
        self._changes[reading_id].remove(made)
        self._readings[reading_id] = replace(reading, current_page=made.from_position)
        self._not_moved(reading_id, made)
        if self.links is not None:
            await self.links.taken_back(reading_id, made)
        return _taken_back(made)

    async def own_positions(self, reading_id: str) -> list[str]:
        return [
            self.sessions.get(conversation_id, conversation_id)
            for conversation_id, thread in self._threads.items()
            if thread.reading_id == reading_id and thread.has_own
        ]

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        await self.get(reading_id)
        return self._editions.get((reading_id, member_id))

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        await self.get(reading_id)
        self._editions[reading_id, member_id] = edition

    @property
    def latest_number(self) -> int:
        """The number of the latest move of all."""
        return self._changed

    def latest(self, reading_id: str) -> PositionChange | None:
        """The latest move of a reading itself that may be taken back."""
        changes = self._changes.get(reading_id, [])
        after = self.links.after(reading_id) if self.links is not None else 0
        return changes[-1] if changes and changes[-1].change_id > after else None

    def place_of(self, reading_id: str) -> Thread | None:
        """The place of a reading."""
        return self.places.get(reading_id)

    def of_place(self, place: Thread) -> list[Reading]:
        """The readings of a place."""
        return [reading for one, reading in self._readings.items() if self.places.get(one) == place]

    def knows(self, *, scope: str, place: str) -> bool:
        """Whether a club ever read anything."""
        return any(reading.club_id == f"c_{scope}:{place}" for reading in self._readings.values())

    async def book(self, reading: Reading) -> Book:
        """The book of a reading."""
        return await self._books.get(reading.book_id)

    def book_of(self, conversation: Conversation) -> str:
        """The book that a conversation is about by now."""
        return self._readings[conversation.reading_id].book_id

    def forget_editions(self, member_id: str) -> None:
        """Forget a member's copies."""
        self._editions = {key: edition for key, edition in self._editions.items() if key[1] != member_id}

    def carry_over(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Let the readings of one book go on in another; False where a club reads both."""
        old = [reading for reading in self._readings.values() if reading.book_id == old_book_id]
        reads_both = {reading.club_id for reading in self._readings.values() if reading.book_id == new_book_id}
        for reading in old:
            if reading.club_id not in reads_both:
                self._carry(reading, new_book_id, places)
        return not any(reading.club_id in reads_both for reading in old)

    def _carry(self, reading: Reading, book_id: str, places: PlaceMap) -> None:
        reading_id = reading.reading_id
        page = places.position(reading.current_page)
        self._readings[reading_id] = replace(reading, book_id=book_id, current_page=page)
        for thread in self._threads.values():
            if thread.reading_id == reading_id:
                thread.position = places.position(thread.position)
                thread.changes = [_carried(change, places) for change in thread.changes]
        self._changes[reading_id] = [_carried(change, places) for change in self._changes.get(reading_id, [])]
        members = self.members.get(reading_id, ())
        self.members[reading_id] = tuple(replace(m, position=places.position(m.position)) for m in members)
        for key, edition in self._editions.items():
            if key[0] == reading_id:
                self._editions[key] = places.edition(edition)
        self._carry_marks(reading_id, places)
        self._carry_later(reading_id, places)

    def _carry_marks(self, reading_id: str, places: PlaceMap) -> None:
        """Take along what is kept beside the positions: what was told moves up, where somebody stood moves down."""
        for alias in list(self.aliases.pop(reading_id, {}).values()):
            moved = replace(alias, page=places.reveals(alias.page) or 0)
            self.aliases.setdefault(reading_id, {})[moved.key, moved.page] = moved
        self.texts.pop(reading_id, None)
        for number, left in self.sealed_items.items():
            if left.reading_id == reading_id:
                made_at, opens_at = places.reveals(left.made_at) or 0, places.reveals(left.opens_at) or 0
                self.sealed_items[number] = replace(left, made_at=made_at, opens_at=opens_at)
        for key, page in self.recapped.items():
            if key[0] == reading_id:
                self.recapped[key] = places.position(page) or 0
        for key, said in self.said.items():
            if key[0] == reading_id:
                self.said[key] = [replace(each, page=places.position(each.page) or 0) for each in said]
        moved_to = self.moved.get(reading_id, [])
        self.moved[reading_id] = [(one, replace(s, page=places.position(s.page) or 0)) for one, s in moved_to]

    def _carry_later(self, reading_id: str, places: PlaceMap) -> None:
        for number, kept in self.later.items():
            if kept.reading_id == reading_id:
                asked, told = places.position(kept.asked_page) or 0, places.reveals(kept.told_page) or 0
                self.later[number] = replace(kept, asked_page=asked, told_page=told)

    def forget_marks(self, member_id: str) -> None:
        """Forget what is kept of a member beside their page."""
        self.texts = {
            reading_id: [each for each in texts if each.member_id != member_id]
            for reading_id, texts in self.texts.items()
        }
        self.later = {number: kept for number, kept in self.later.items() if kept.member_id != member_id}
        self.recapped = {key: page for key, page in self.recapped.items() if key[1] != member_id}
        self.nudged = {key: at for key, at in self.nudged.items() if key[1] != member_id}
        self.said = {key: said for key, said in self.said.items() if key[1] != member_id}
        self.sealed_items = {number: left for number, left in self.sealed_items.items() if left.member_id != member_id}
        for votes in self.votes.values():
            votes.pop(member_id, None)

    def _moved_to(self, reading_id: str, change: PositionChange) -> None:
        if change.to_position is not None:
            said = PageSaid(page=change.to_position, at=self.now())
            self.moved.setdefault(reading_id, []).append((change.change_id, said))

    def _not_moved(self, reading_id: str, change: PositionChange) -> None:
        moved = self.moved.get(reading_id, [])
        self.moved[reading_id] = [each for each in moved if each[0] != change.change_id]

    def move(self, reading_id: str, position: Position, *, pace: Pace = Pace.THREAD) -> None:
        """Put a whole reading somewhere."""
        self._readings[reading_id] = replace(self._readings[reading_id], current_page=position, pace=pace)

    async def settle(
        self, reading_id: str, *, pace: Pace | None = None, page_control: PageControl | None = None
    ) -> None:
        """Change a reading's settings, as the store of clubs does in SQL."""
        reading = await self.get(reading_id)
        self._readings[reading_id] = replace(
            reading, pace=pace or reading.pace, page_control=page_control or reading.page_control
        )

    def attach(self, conversation_id: str, reading_id: str, session_id: str) -> None:
        """Take a new thread in, as the foreign key does in SQL."""
        self._threads[conversation_id] = _ThreadState(reading_id=reading_id)
        self.sessions[conversation_id] = session_id

    def thread_of(self, conversation_id: str) -> str:
        """The thread of a conversation, whatever book it is about; itself where it belongs to none."""
        session_id = self.sessions[conversation_id]
        return talk_of(session_id, self._threads[conversation_id].reading_id) or session_id

    def detach(self, conversation_id: str) -> None:
        """Let a thread go."""
        del self._threads[conversation_id]

    def _kept(self, scope: str, place: str, session_of: str) -> Reading | None:
        """The first reading of a thread, also where its book is gone."""
        keeps = keeping(scope, session_of)
        theirs = [reading for reading in self._readings.values() if reading.club_id == f"c_{scope}:{place}"]
        of = {f"{keeps}{reading.reading_id}": reading for reading in theirs} if keeps else {}
        sessions = (session for one, session in self.sessions.items() if one in self._threads)
        return next((of[session] for session in sessions if session in of), None)

    async def _thread(self, conversation_id: str) -> _ThreadState:
        if conversation_id not in self._threads:
            raise BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")
        thread = self._threads[conversation_id]
        await self.get(thread.reading_id)
        return thread


def _latest(changes: list[PositionChange], change_id: int | None) -> PositionChange | None:
    if not changes or change_id not in {None, changes[-1].change_id}:
        return None
    return changes.pop()


def _taken_back(made: PositionChange) -> PositionChange:
    return PositionChange(
        change_id=made.change_id,
        from_position=made.to_position,
        to_position=made.from_position,
        from_has_own=made.to_has_own,
        to_has_own=made.from_has_own,
    )


def _carried(change: PositionChange, places: PlaceMap) -> PositionChange:
    return replace(
        change, from_position=places.position(change.from_position), to_position=places.position(change.to_position)
    )
