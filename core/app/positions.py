"""Where threads, readings and members stand: read it, move it, take it back. The rules are in core.domain.position."""

from dataclasses import dataclass, replace

from core.domain.book import BookOutline
from core.domain.conversation import Author, Conversation
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import NeedsConfirmation, Position, announce, needs_confirmation, public_position, resolve
from core.domain.position_forms import FollowRequest, PositionRequest, UndoRequest, parse_position
from core.domain.reading import PositionChange, Reading, Standing
from core.ports.clock import Clock
from core.ports.repositories import BookRepository, ReadingRepository

_NOTHING_TO_TAKE_BACK = "There is no move to take back."


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made: the position before and after, and the one line that tells everybody.

    Whom the pace holds back is told to nobody, so neither is what it makes of the position. `change_id` is None where
    nothing changed.
    """

    from_position: Position
    to_position: Position
    announcement: str
    change_id: int | None


class PositionService:
    """Sets and reads positions for every platform; a Conversation means its thread, a Reading its whole club."""

    def __init__(self, *, readings: ReadingRepository, books: BookRepository, clock: Clock) -> None:
        self._readings = readings
        self._books = books
        self._clock = clock

    async def of_place(self, place: Conversation | Reading) -> Position:
        """Return the position that a public answer in a thread, or a new thread of the club, uses."""
        if isinstance(place, Conversation):
            return await self.of_thread(place.conversation_id)
        return (await self._readings.get(place.reading_id)).current_page

    async def set_position(self, place: Conversation | Reading) -> Position:
        """Return what was set, whatever the pace makes of it."""
        return _set_for_all(await self._standing(place))

    async def of_thread(self, conversation_id: str) -> Position:
        """Return the position that a public answer in this thread uses."""
        return self.of_standing(await self._readings.standing(conversation_id))

    def of_standing(self, standing: Standing) -> Position:
        """Return the position that a public answer in a thread uses that stands so."""
        return public_position(
            thread_position=standing.thread_position,
            thread_has_own=standing.thread_has_own,
            reading_position=standing.reading.current_page,
            pace=standing.reading.pace,
            members=standing.members,
            now=self._clock.now(),
        )

    async def set(
        self, place: Conversation | Reading, *, text: str, member: Author, confirmed: bool = False
    ) -> PositionMoved | NeedsConfirmation:
        """Move a thread or a reading to where `text` says (any form of spec section 2, `follow` and `undo` included).

        Returns a NeedsConfirmation, with nothing changed, for a leap forward that is not `confirmed`.

        Raises:
            PositionError: the form is not known, or the place is outside the book; nothing has changed.
        """
        request = parse_position(text)
        if isinstance(request, UndoRequest):
            return await self.undo(place, member=member)
        standing = await self._standing(place)
        outline = await self._books.outline(place.book_id)
        moved = _moved(standing, request, outline, in_thread=isinstance(place, Conversation))
        before, after = _set_for_all(standing), _set_for_all(moved)
        if moved == standing:
            return _told(before, after, None, member=member, pages=outline.pages)
        if needs_confirmation(before, after, outline.pages) and not confirmed:
            return NeedsConfirmation(from_page=before or 0, to_page=after or 0, pages=outline.pages)
        change = await self._store(place, moved, member)
        return _told(before, after, change, member=member, pages=outline.pages)

    async def move(
        self, place: Conversation | Reading, page: int, *, outline: BookOutline, member: Author
    ) -> PositionMoved:
        """Move to a page number that has been confirmed. Raises PositionError beyond the last page."""
        if not 0 <= page <= outline.pages:
            raise PositionError(f"This book has pages 1 to {outline.pages}.")
        standing = await self._standing(place)
        moved = _stands_at(standing, page, in_thread=isinstance(place, Conversation))
        change = await self._store(place, moved, member)
        return _told(_set_for_all(standing), page, change, member=member, pages=outline.pages)

    async def undo(
        self, place: Conversation | Reading, *, member: Author, change_id: int | None = None
    ) -> PositionMoved:
        """Take back the latest move, or only the one that is named.

        Raises:
            PositionError: there is none, or the latest is not the one that is named.
        """
        before = _set_for_all(await self._standing(place))
        if isinstance(place, Conversation):
            change = await self._readings.undo(place.conversation_id, change_id=change_id)
        else:
            change = await self._readings.undo_reading(place.reading_id, change_id=change_id)
        if change is None:
            raise PositionError(_NOTHING_TO_TAKE_BACK if change_id is None else "The page has been moved again since.")
        after = _set_for_all(await self._standing(place))
        outline = await self._books.outline(place.book_id)
        return _told(before, after, change, member=member, pages=outline.pages)

    async def for_member(self, book_id: str, text: str) -> Position:
        """Return the position that a member says for themselves. Raises PositionError."""
        return resolve(parse_position(text), await self._books.outline(book_id))

    async def last_words(self, book_id: str, position: Position, *, count: int = 12) -> str:
        """Return the last words read, for the eyes of whoever set the position; empty where nothing is read."""
        pages = await self._books.pages(readable(await self._books.get(book_id), position))
        text = next((page.text for page in reversed(pages) if page.text.strip()), "")
        return " ".join(text.split()[-count:])

    async def _standing(self, place: Conversation | Reading) -> Standing:
        if isinstance(place, Conversation):
            return await self._readings.standing(place.conversation_id)
        reading = await self._readings.get(place.reading_id)
        return Standing(reading=reading, thread_position=None, thread_has_own=False)

    async def _store(self, place: Conversation | Reading, moved: Standing, member: Author) -> PositionChange:
        if isinstance(place, Conversation):
            return await self._readings.set_thread_position(
                place.conversation_id,
                position=moved.thread_position,
                has_own=moved.thread_has_own,
                member_id=member.member_id,
            )
        return await self._readings.set_reading_position(
            place.reading_id, position=moved.reading.current_page, member_id=member.member_id
        )


def _set_for_all(standing: Standing) -> Position:
    """Return what was set: the thread's own where it has one, else the reading's."""
    return standing.thread_position if standing.thread_has_own else standing.reading.current_page


def _moved(standing: Standing, request: PositionRequest, outline: BookOutline, *, in_thread: bool) -> Standing:
    """Return how things would stand: `follow` gives a thread back to its reading, all else makes it its own."""
    if isinstance(request, FollowRequest):
        if not in_thread:
            raise PositionError("Only a thread can follow its reading.")
        return replace(standing, thread_position=None, thread_has_own=False)
    return _stands_at(standing, resolve(request, outline), in_thread=in_thread)


def _stands_at(standing: Standing, position: Position, *, in_thread: bool) -> Standing:
    if in_thread:
        return replace(standing, thread_position=position, thread_has_own=True)
    return replace(standing, reading=replace(standing.reading, current_page=position))


def _told(
    before: Position, after: Position, change: PositionChange | None, *, member: Author, pages: int
) -> PositionMoved:
    return PositionMoved(
        from_position=before,
        to_position=after,
        announcement=announce(member.display_name, before, after, pages),
        change_id=change.change_id if change else None,
    )
