"""Where a thread stands: read it, move it, take it back. The rules are in core.domain.position."""

from dataclasses import dataclass, replace

from core.domain.book import BookOutline
from core.domain.conversation import Author, Conversation
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import NeedsConfirmation, Position, announce, needs_confirmation, public_position, resolve
from core.domain.position_forms import FollowRequest, PositionRequest, UndoRequest, parse_position
from core.domain.reading import Standing
from core.ports.clock import Clock
from core.ports.repositories import BookRepository, ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made: the thread's position before and after, and the one line that tells everybody.

    Whom the pace holds back is told to nobody, so neither is what it makes of the position.
    """

    from_position: Position
    to_position: Position
    announcement: str


class PositionService:
    """Sets and reads positions of threads for every platform."""

    def __init__(self, *, readings: ReadingRepository, books: BookRepository, clock: Clock) -> None:
        self._readings = readings
        self._books = books
        self._clock = clock

    async def of_thread(self, conversation_id: str) -> Position:
        """Return the position that a public answer in this thread uses."""
        return self._public(await self._readings.standing(conversation_id))

    async def set(
        self, conversation: Conversation, *, text: str, member: Author, confirmed: bool = False
    ) -> PositionMoved | NeedsConfirmation:
        """Move the thread to where `text` says (any form of spec section 2, `follow` and `undo` included).

        Returns a NeedsConfirmation, with nothing changed, for a leap forward that is not `confirmed`.

        Raises:
            PositionError: the form is not known, or the place is outside the book; nothing has changed.
        """
        request = parse_position(text)
        standing = await self._readings.standing(conversation.conversation_id)
        before = _set_for_all(standing)
        outline = await self._books.outline(conversation.book_id)
        if isinstance(request, UndoRequest):
            if await self._readings.undo(conversation.conversation_id) is None:
                raise PositionError("There is no move to take back.")
        else:
            moved = _moved(standing, request, outline)
            after = _set_for_all(moved)
            if needs_confirmation(before, after, outline.pages) and not confirmed:
                return NeedsConfirmation(from_page=before or 0, to_page=after or 0, pages=outline.pages)
            await self._readings.set_thread_position(
                conversation.conversation_id,
                position=moved.thread_position,
                has_own=moved.thread_has_own,
                member_id=member.member_id,
            )
        after = _set_for_all(await self._readings.standing(conversation.conversation_id))
        return PositionMoved(
            from_position=before,
            to_position=after,
            announcement=announce(member.display_name, before, after, outline.pages),
        )

    async def last_words(self, book_id: str, position: Position, *, count: int = 12) -> str:
        """Return the last words read, for the eyes of whoever set the position; empty where nothing is read."""
        pages = await self._books.pages(readable(await self._books.get(book_id), position))
        text = next((page.text for page in reversed(pages) if page.text.strip()), "")
        return " ".join(text.split()[-count:])

    def _public(self, standing: Standing) -> Position:
        return public_position(
            thread_position=standing.thread_position,
            thread_has_own=standing.thread_has_own,
            reading_position=standing.reading.current_page,
            pace=standing.reading.pace,
            members=standing.members,
            now=self._clock.now(),
        )


def _set_for_all(standing: Standing) -> Position:
    """Return what was set for the thread: its own where it has one, else the reading's."""
    return standing.thread_position if standing.thread_has_own else standing.reading.current_page


def _moved(standing: Standing, request: PositionRequest, outline: BookOutline) -> Standing:
    """Return how things would stand: `follow` gives the thread back to its reading, all else makes it its own."""
    if isinstance(request, FollowRequest):
        return replace(standing, thread_position=None, thread_has_own=False)
    return replace(standing, thread_position=resolve(request, outline), thread_has_own=True)
