"""Where threads, readings and members stand: read it, move it, take it back. The rules are in core.domain.position."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from core.answering.editions import Editions
from core.domain.book import BookOutline
from core.domain.conversation import Author, Conversation
from core.domain.edition import Edition, page_in_copy
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import (
    NamedPosition,
    NeedsChoice,
    NeedsConfirmation,
    Position,
    announce,
    footer,
    goes_far_back,
    needs_confirmation,
    page_names,
)
from core.domain.position_meaning import in_words, meanings, resolve
from core.domain.position_requests import (
    FollowRequest,
    MorePagesRequest,
    PageRequest,
    PercentRequest,
    PlainRequest,
    PositionRequest,
    ResetRequest,
    UndoRequest,
)
from core.domain.reading import PositionChange, PositionOwner, ReadingState
from core.domain.scopes import is_private_session
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.readings import ReadingRepository
from core.understanding.position_forms import parse_position

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

    def __init__(self, *, readings: ReadingRepository, books: BookRepository, editions: Editions, clock: Clock) -> None:
        self._readings = readings
        self._books = books
        self._clock = clock
        self._editions = editions

    async def of_owner(self, owner: PositionOwner) -> Position:
        """Return the position that a public answer in a thread, or a new thread of the club, uses."""
        return self.of_standing(await self._standing(owner))

    async def set_position(self, owner: PositionOwner) -> Position:
        """Return what was set, whatever the pace makes of it."""
        return (await self._standing(owner)).set_for_all

    async def of_thread(self, conversation_id: str) -> Position:
        """Return the position that a public answer in this thread uses."""
        return self.of_standing(await self._readings.standing(conversation_id))

    def of_standing(self, standing: ReadingState) -> Position:
        """Return the position that a public answer in a thread uses that stands so."""
        return standing.public(self._clock.now())

    async def set(
        self, owner: PositionOwner, *, text: str, member: Author, confirmed: bool = False
    ) -> PositionMoved | NeedsConfirmation | NeedsChoice:
        """Move a thread or a reading to where `text` says (any form of `position_forms`, `follow` and `undo` included).

        Returns, with nothing changed, a NeedsChoice where it may mean several pages, and a NeedsConfirmation for a move
        that is not `confirmed` and has to be.

        Raises:
            PositionError: the form is not known, or the place is outside the book; nothing has changed.
        """
        request = parse_position(text)
        if isinstance(request, UndoRequest):
            asks = None if confirmed else await self.asks_before_undo(owner, member)
            return asks if asks is not None else await self.undo(owner, member=member)
        standing = await self._standing(owner)
        outline = await self._books.outline(owner.book_id)
        before = standing.set_for_all
        named = await self._meant(request, owner, outline, member, current=before)
        if isinstance(named, NeedsChoice):
            return named
        moved = _moved(standing, request, named.position, in_thread=isinstance(owner, Conversation))
        after = moved.set_for_all
        if needs_confirmation(before, after, outline.pages, shared=not is_alone(owner)) and not confirmed:
            return NeedsConfirmation(
                from_page=before or 0,
                to_page=after,
                pages=outline.pages,
                text=text if isinstance(request, FollowRequest | ResetRequest) else "",
                note=named.note,
                percent=named.percent,
            )
        change = None if moved == standing else await self._store(owner, moved, member)
        return _told(
            owner, _begun_at(owner, before, change), after, change, member=member, outline=outline, named=named
        )

    async def move(
        self,
        owner: PositionOwner,
        page: int,
        *,
        outline: BookOutline,
        member: Author,
        percent: Fraction | None = None,
    ) -> PositionMoved:
        """Move to a page number that has been confirmed; `percent` is the share that was said for it.

        Raises PositionError beyond the last page.
        """
        if not 0 <= page <= outline.pages:
            raise PositionError(f"This book has pages 1 to {outline.pages}.")
        standing = await self._standing(owner)
        moved = _stands_at(standing, page, in_thread=isinstance(owner, Conversation))
        change = await self._store(owner, moved, member)
        named = NamedPosition(position=page, percent=percent)
        before = _begun_at(owner, standing.set_for_all, change)
        return _told(owner, before, page, change, member=member, outline=outline, named=named)

    async def undo(self, owner: PositionOwner, *, member: Author, change_id: int | None = None) -> PositionMoved:
        """Take back the latest move, or only the one that is named.

        Raises:
            PositionError: there is none, or the latest is not the one that is named.
        """
        before = (await self._standing(owner)).set_for_all
        if isinstance(owner, Conversation):
            change = await self._readings.undo(owner.conversation_id, change_id=change_id)
        else:
            change = await self._readings.undo_reading(owner.reading_id, change_id=change_id)
        if change is None:
            raise PositionError(_NOTHING_TO_TAKE_BACK if change_id is None else "The page has been moved again since.")
        after = (await self._standing(owner)).set_for_all
        outline = await self._books.outline(owner.book_id)
        return _told(owner, before, after, change, member=member, outline=outline)

    async def asks_before_undo(
        self, owner: PositionOwner, member: Author, change_id: int | None = None
    ) -> NeedsConfirmation | None:
        """Return what to confirm before `undo`: another's move, where that takes a shared page far back."""
        thread = owner.conversation_id if isinstance(owner, Conversation) else None
        change = await self._readings.latest_change(owner.reading_id, thread)
        if change is None or change.member_id == member.member_id or change_id not in {None, change.change_id}:
            return None
        standing = await self._standing(owner)
        before, of_all = standing.set_for_all, standing.reading.current_page
        to_page = change.from_position if thread is None or change.from_has_own else of_all
        if is_alone(owner) or not goes_far_back(before, to_page):
            return None
        pages = (await self._books.outline(owner.book_id)).pages
        return NeedsConfirmation(from_page=before or 0, to_page=to_page, pages=pages, undoes=change.change_id)

    async def for_member(
        self, owner: PositionOwner, text: str, member: Author, *, current: Position
    ) -> NamedPosition | NeedsChoice:
        """Return the position that a member says for themselves, who stands at `current`; several where it may be.

        Raises PositionError.
        """
        request, outline = parse_position(text), await self._books.outline(owner.book_id)
        if isinstance(request, FollowRequest):
            return NamedPosition(position=resolve(request, outline))
        return await self._meant(request, owner, outline, member, current=current)

    async def page_names(self, owner: PositionOwner) -> Callable[[int], str]:
        """Return what people see of a page number: the label printed in the book, else the number."""
        return page_names(await self._books.outline(owner.book_id))

    async def footer(self, owner: PositionOwner, position: Position) -> str:
        """Say how far an answer goes, by the labels printed in the book."""
        return footer(position, name=await self.page_names(owner))

    async def private_footer(self, owner: PositionOwner, position: Position, member_id: str) -> str:
        """Say to one member how far an answer goes, with the page of their own copy."""
        theirs = await self._editions.beside(owner, member_id, position)
        return ", ".join(filter(None, (await self.footer(owner, position), theirs)))

    async def last_words(self, book_id: str, position: Position, *, count: int = 12) -> str:
        """Return the last words read, for the eyes of whoever set the position; empty where nothing is read."""
        pages = await self._books.pages(readable(await self._books.get(book_id), position))
        text = next((page.text for page in reversed(pages) if page.text.strip()), "")
        return " ".join(text.split()[-count:]).strip('“”"‘’ ')

    async def _meant(
        self, request: PositionRequest, owner: PositionOwner, outline: BookOutline, member: Author, *, current: Position
    ) -> NamedPosition | NeedsChoice:
        """Return the position that a request names, or all that it may name where they are several.

        Raises:
            PositionError: it names none; what is said is of its likeliest meaning.
        """
        edition = await self._editions.of(owner, member.member_id)
        found, refusals = list[NamedPosition](), list[PositionError]()
        for meaning in meanings(request, outline, copy_pages=edition.last_page if edition else None):
            try:
                found.append(await self._named(meaning, edition, outline, current=current))
            except PositionError as refusal:
                refusals.append(refusal)
        if not found:
            raise refusals[0]
        if len({named.position for named in found}) == 1:
            return found[0]
        return NeedsChoice(from_page=current or 0, meanings=tuple(found))

    async def _named(
        self, request: PlainRequest, edition: Edition | None, outline: BookOutline, *, current: Position
    ) -> NamedPosition:
        """Return the position that a request names; page numbers are those of the member's copy, where there is one."""
        if isinstance(request, FollowRequest):
            return NamedPosition(position=None)
        words, number = in_words(request), _page_of_copy(request, edition, outline, current)
        converted = None if number is None else await self._editions.converted(edition, number, outline)
        if converted is not None:
            return replace(converted, words=words)
        return NamedPosition(
            position=resolve(request, outline, current=current),
            words=words,
            percent=request.percent if isinstance(request, PercentRequest) else None,
        )

    async def _standing(self, owner: PositionOwner) -> ReadingState:
        if isinstance(owner, Conversation):
            return await self._readings.standing(owner.conversation_id)
        return await self._readings.reading_standing(owner.reading_id)

    async def _store(self, owner: PositionOwner, moved: ReadingState, member: Author) -> PositionChange:
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


def _begun_at(owner: PositionOwner, seen: Position, change: PositionChange | None) -> Position:
    """Return where a move began: a club's page may have been moved elsewhere since it was looked at."""
    return seen if change is None or isinstance(owner, Conversation) else change.from_position


def _moved(standing: ReadingState, request: PositionRequest, position: Position, *, in_thread: bool) -> ReadingState:
    """Return how things would stand: `follow` gives a thread back to its reading, all else makes it its own."""
    if isinstance(request, FollowRequest):
        if not in_thread:
            raise PositionError("Only a thread can follow its reading.")
        return replace(standing, thread_position=None, thread_has_own=False)
    return _stands_at(standing, position, in_thread=in_thread)


def _stands_at(standing: ReadingState, position: Position, *, in_thread: bool) -> ReadingState:
    if in_thread:
        return replace(standing, thread_position=position, thread_has_own=True)
    return replace(standing, reading=replace(standing.reading, current_page=position))


def _page_of_copy(
    request: PlainRequest, edition: Edition | None, outline: BookOutline, current: Position
) -> int | None:
    """Return the page of somebody's own copy that a request names, None where it names none."""
    if isinstance(request, PageRequest) and request.label.isdecimal():
        return int(request.label)
    if isinstance(request, MorePagesRequest) and edition is not None and edition.converts and current is not None:
        return page_in_copy(edition, current, outline) + request.pages
    return None


def _told(
    owner: PositionOwner,
    before: Position,
    after: Position,
    change: PositionChange | None,
    *,
    member: Author,
    outline: BookOutline,
    named: NamedPosition | None = None,
) -> PositionMoved:
    return PositionMoved(
        from_position=before,
        to_position=after,
        announcement=announce(
            "You" if is_alone(owner) else member.display_name,
            before,
            after,
            outline.story_end,
            name=page_names(outline),
            what=_what_moves(owner),
            percent=named.percent if named else None,
        ),
        change_id=change.change_id if change else None,
        note=named.note if named else "",
    )


def _what_moves(owner: PositionOwner) -> str:
    """Say what an owner is to those who talk there; where one person is alone, there is no thread to speak of."""
    if not isinstance(owner, Conversation):
        return "the club's page"
    return "the page" if is_alone(owner) else "the thread"


def is_alone(owner: PositionOwner) -> bool:
    """Whether a position is one person's alone, and nobody else's."""
    return isinstance(owner, Conversation) and is_private_session(owner.session_id)
