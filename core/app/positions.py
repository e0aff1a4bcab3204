"""Where threads, readings and members stand: read it, move it, take it back. The rules are in core.domain.position."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.app.editions import Editions, NamedPosition
from core.domain.book import BookOutline
from core.domain.conversation import Author, Conversation
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import (
    NeedsConfirmation,
    Position,
    announce,
    footer,
    needs_confirmation,
    page_names,
    resolve,
)
from core.domain.position_forms import FollowRequest, PageRequest, PositionRequest, UndoRequest, parse_position
from core.domain.reading import PositionChange, PositionOwner, Standing
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.readings import ReadingRepository

_NOTHING_TO_TAKE_BACK = "There is no move to take back."


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made: the position before and after, and the one line that tells everybody.

    Whom the pace holds back is told to nobody, so neither is what it makes of the position. `change_id` is None where
    nothing changed; `note` is for the mover alone.
    """

    from_position: Position
    to_position: Position
    announcement: str
    change_id: int | None
    note: str = ""


class PositionService:
    """Sets and reads positions for every platform; a Conversation means its thread, a Reading its whole club."""

    def __init__(self, *, readings: ReadingRepository, books: BookRepository, clock: Clock) -> None:
        self._readings = readings
        self._books = books
        self._clock = clock
        self.editions = Editions(readings=readings, books=books)

    async def of_owner(self, owner: PositionOwner) -> Position:
        """Return the position that a public answer in a thread, or a new thread of the club, uses."""
        return self.of_standing(await self._standing(owner))

    async def set_position(self, owner: PositionOwner) -> Position:
        """Return what was set, whatever the pace makes of it."""
        return _set_for_all(await self._standing(owner))

    async def of_thread(self, conversation_id: str) -> Position:
        """Return the position that a public answer in this thread uses."""
        return self.of_standing(await self._readings.standing(conversation_id))

    def of_standing(self, standing: Standing) -> Position:
        """Return the position that a public answer in a thread uses that stands so."""
        return standing.public(self._clock.now())

    async def set(
        self, owner: PositionOwner, *, text: str, member: Author, confirmed: bool = False
    ) -> PositionMoved | NeedsConfirmation:
        """Move a thread or a reading to where `text` says (any form of spec section 2, `follow` and `undo` included).

        Returns a NeedsConfirmation, with nothing changed, for a leap forward that is not `confirmed`.

        Raises:
            PositionError: the form is not known, or the place is outside the book; nothing has changed.
        """
        request = parse_position(text)
        if isinstance(request, UndoRequest):
            return await self.undo(owner, member=member)
        standing = await self._standing(owner)
        outline = await self._books.outline(owner.book_id)
        named = await self._named(request, owner, outline, member)
        moved = _moved(standing, request, named.position, in_thread=isinstance(owner, Conversation))
        before, after = _set_for_all(standing), _set_for_all(moved)
        if moved == standing:
            return _told(before, after, None, member=member, outline=outline, note=named.note)
        if needs_confirmation(before, after, outline.pages) and not confirmed:
            return NeedsConfirmation(from_page=before or 0, to_page=after or 0, pages=outline.pages, note=named.note)
        change = await self._store(owner, moved, member)
        return _told(before, after, change, member=member, outline=outline, note=named.note)

    async def move(self, owner: PositionOwner, page: int, *, outline: BookOutline, member: Author) -> PositionMoved:
        """Move to a page number that has been confirmed. Raises PositionError beyond the last page."""
        if not 0 <= page <= outline.pages:
            raise PositionError(f"This book has pages 1 to {outline.pages}.")
        standing = await self._standing(owner)
        moved = _stands_at(standing, page, in_thread=isinstance(owner, Conversation))
        change = await self._store(owner, moved, member)
        return _told(_set_for_all(standing), page, change, member=member, outline=outline)

    async def undo(self, owner: PositionOwner, *, member: Author, change_id: int | None = None) -> PositionMoved:
        """Take back the latest move, or only the one that is named.

        Raises:
            PositionError: there is none, or the latest is not the one that is named.
        """
        before = _set_for_all(await self._standing(owner))
        if isinstance(owner, Conversation):
            change = await self._readings.undo(owner.conversation_id, change_id=change_id)
        else:
            change = await self._readings.undo_reading(owner.reading_id, change_id=change_id)
        if change is None:
            raise PositionError(_NOTHING_TO_TAKE_BACK if change_id is None else "The page has been moved again since.")
        after = _set_for_all(await self._standing(owner))
        outline = await self._books.outline(owner.book_id)
        return _told(before, after, change, member=member, outline=outline)

    async def for_member(self, owner: PositionOwner, text: str, member: Author) -> NamedPosition:
        """Return the position that a member says for themselves. Raises PositionError."""
        request, outline = parse_position(text), await self._books.outline(owner.book_id)
        if isinstance(request, FollowRequest):
            return NamedPosition(position=resolve(request, outline))
        return await self._named(request, owner, outline, member)

    async def page_names(self, owner: PositionOwner) -> Callable[[int], str]:
        """Return what people see of a page number: the label printed in the book, else the number."""
        return page_names(await self._books.outline(owner.book_id))

    async def footer(self, owner: PositionOwner, position: Position) -> str:
        """Say how far an answer goes, by the labels printed in the book."""
        return footer(position, name=await self.page_names(owner))

    async def private_footer(self, owner: PositionOwner, position: Position, member_id: str) -> str:
        """Say to one member how far an answer goes, with the page of their own copy."""
        theirs = await self.editions.beside(owner, member_id, position)
        return ", ".join(filter(None, (await self.footer(owner, position), theirs)))

    async def last_words(self, book_id: str, position: Position, *, count: int = 12) -> str:
        """Return the last words read, for the eyes of whoever set the position; empty where nothing is read."""
        pages = await self._books.pages(readable(await self._books.get(book_id), position))
        text = next((page.text for page in reversed(pages) if page.text.strip()), "")
        return " ".join(text.split()[-count:])

    async def _named(
        self, request: PositionRequest, owner: PositionOwner, outline: BookOutline, member: Author
    ) -> NamedPosition:
        """Return the position that a request names; a page number is one of the member's copy, where there is one."""
        if isinstance(request, FollowRequest):
            return NamedPosition(position=None)
        if isinstance(request, PageRequest) and request.label.isdigit():
            edition = await self.editions.of(owner, member.member_id)
            converted = await self.editions.converted(edition, int(request.label), outline)
            if converted is not None:
                return converted
        return NamedPosition(position=resolve(request, outline))

    async def _standing(self, owner: PositionOwner) -> Standing:
        if isinstance(owner, Conversation):
            return await self._readings.standing(owner.conversation_id)
        return await self._readings.reading_standing(owner.reading_id)

    async def _store(self, owner: PositionOwner, moved: Standing, member: Author) -> PositionChange:
        if isinstance(owner, Conversation):
            return await self._readings.set_thread_position(
                owner.conversation_id,
                position=moved.thread_position,
                has_own=moved.thread_has_own,
                member_id=member.member_id,
            )
        return await self._readings.set_reading_position(
            owner.reading_id, position=moved.reading.current_page, member_id=member.member_id
        )


def _set_for_all(standing: Standing) -> Position:
    """Return what was set: the thread's own where it has one, else the reading's."""
    return standing.thread_position if standing.thread_has_own else standing.reading.current_page


def _moved(standing: Standing, request: PositionRequest, position: Position, *, in_thread: bool) -> Standing:
    """Return how things would stand: `follow` gives a thread back to its reading, all else makes it its own."""
    if isinstance(request, FollowRequest):
        if not in_thread:
            raise PositionError("Only a thread can follow its reading.")
        return replace(standing, thread_position=None, thread_has_own=False)
    return _stands_at(standing, position, in_thread=in_thread)


def _stands_at(standing: Standing, position: Position, *, in_thread: bool) -> Standing:
    if in_thread:
        return replace(standing, thread_position=position, thread_has_own=True)
    return replace(standing, reading=replace(standing.reading, current_page=position))


def _told(
    before: Position,
    after: Position,
    change: PositionChange | None,
    *,
    member: Author,
    outline: BookOutline,
    note: str = "",
) -> PositionMoved:
    return PositionMoved(
        from_position=before,
        to_position=after,
        announcement=announce(member.display_name, before, after, outline.pages, name=page_names(outline)),
        change_id=change.change_id if change else None,
        note=note,
    )
