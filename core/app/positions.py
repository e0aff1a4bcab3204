"""Where a thread stands: read it, move it, take it back. The rules are in core.domain.position."""

from dataclasses import dataclass

from core.domain.conversation import Author, Conversation
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import NeedsConfirmation, Position, announce, needs_confirmation, public_position, resolve
from core.domain.position_forms import FollowRequest, UndoRequest, parse_position
from core.domain.reading import Standing
from core.ports.clock import Clock
from core.ports.repositories import BookRepository, ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made: the public position before and after, and the one line that tells everybody."""

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
        before = await self.of_thread(conversation.conversation_id)
        outline = await self._books.outline(conversation.book_id)
        if isinstance(request, UndoRequest):
            if await self._readings.undo(conversation.conversation_id) is None:
                raise PositionError("There is no move to take back.")
        else:
            follows = isinstance(request, FollowRequest)
            new = None if follows else resolve(request, outline)
            if not follows and needs_confirmation(before, new, outline.pages) and not confirmed:
                return NeedsConfirmation(from_page=before or 0, to_page=new or 0, pages=outline.pages)
            await self._readings.set_thread_position(
                conversation.conversation_id, position=new, has_own=not follows, member_id=member.member_id
            )
        after = await self.of_thread(conversation.conversation_id)
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
