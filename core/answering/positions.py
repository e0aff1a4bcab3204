"""Moves the current page of threads, clubs and members, and undoes moves. The rules are in core.domain.position."""

from dataclasses import dataclass
from fractions import Fraction

from core.answering.named_positions import named_position, read_position
from core.catalogue.sentences import say, sentence
from core.domain.club_state import ClubState, MoveMade
from core.domain.conversation import Author, Conversation
from core.domain.errors import PositionError
from core.domain.position import (
    NamedPosition,
    NeedsChoice,
    NeedsConfirmation,
    Position,
    announce,
    goes_far_back,
    needs_confirmation,
)
from core.domain.position_meaning import resolve
from core.domain.position_requests import (
    FollowRequest,
    PositionRequest,
    ResetRequest,
    UndoRequest,
)
from core.domain.reading import PositionOwner
from core.domain.scopes import is_private_session
from core.domain.thread import Thread
from core.ports.readings import ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made.

    The line for everyone names the page that was set, not the pace limit that may hold readers before it: that would
    tell who is behind.

    Attributes:
        from_position: the page before the move.
        to_position: the page after it.
        announcement: the line for everyone.
        made: what the store did; it has no change where the page was there already.
        note: a line for the mover alone.
    """

    from_position: Position
    to_position: Position
    announcement: str
    made: MoveMade
    note: str = ""


class PositionService:
    """Moves the page of a thread, a club or a member."""

    def __init__(self, *, readings: ReadingRepository) -> None:
        self._readings = readings

    async def set(
        self, club: ClubState, *, text: str, member: Author, confirmed: bool = False, told_in: Thread | None = None
    ) -> PositionMoved | NeedsConfirmation | NeedsChoice:
        """Move the page of a thread or a club to the position in a text.

        Args:
            club: the thread or club to move.
            text: any form of `position_forms`, including `follow` and `undo`.
            member: who moves the page.
            confirmed: whether the member has confirmed a large move.
            told_in: the thread where the move is announced; items sealed there open with it.

        Returns:
            The move. A NeedsChoice where the text may mean several pages, or a NeedsConfirmation where a large move is
            not confirmed; nothing has changed then.

        Raises:
            PositionError: the text is not a known form, or the position is outside the book; nothing has changed.
        """
        request, within = read_position(text, club)
        if isinstance(request, UndoRequest):
            asks = None if confirmed else asks_before_undo(club)
            return asks if asks is not None else await self.undo(club, member=member)
        before = club.standing.set_for_all
        named = named_position(request, within, current=before)
        if isinstance(named, NeedsChoice):
            return named
        follows = isinstance(request, FollowRequest)
        if follows and not isinstance(club.owner, Conversation):
            raise PositionError(say("Only a thread can follow its reading."))
        asks = None if confirmed else _asks_before_move(club, named, request, text=text)
        return asks or await self._store(club, named, member=member, follows=follows, told_in=told_in)

    async def move(
        self,
        club: ClubState,
        page: int,
        *,
        member: Author,
        percent: Fraction | None = None,
        told_in: Thread | None = None,
    ) -> PositionMoved:
        """Move to a page of the book that needs no confirmation.

        `percent` is the share of the book that the member gave for it, if any.

        Raises:
            PositionError: the page is beyond the book's last page.
        """
        if not 0 <= page <= club.outline.pages:
            raise PositionError(say("This book has pages 1 to {last}.", last=club.outline.pages))
        return await self._store(club, NamedPosition(position=page, percent=percent), member=member, told_in=told_in)

    async def move_member(self, club: ClubState, position: Position, *, told_in: Thread | None) -> str:
        """Move the member's own page, and return the text of the last page they have read."""
        return await self._readings.move_member(club.owner, position, member_id=club.member_id, told_in=told_in)

    async def undo(self, club: ClubState, *, member: Author, change_id: int | None = None) -> PositionMoved:
        """Undo the latest move. With `change_id`, only if the latest move is that one.

        Raises:
            PositionError: there is no move, or the latest is a different one.
        """
        made = await self._readings.undo(club.owner, change_id=change_id)
        if made is None:
            if change_id is None:
                raise PositionError(say("There's no move to undo."))
            raise PositionError(say("The page has moved again since then."))
        return _position_moved(club, club.standing.set_for_all, made.standing.set_for_all, made, member=member)

    async def _store(
        self,
        club: ClubState,
        named: NamedPosition,
        *,
        member: Author,
        follows: bool = False,
        told_in: Thread | None = None,
    ) -> PositionMoved:
        in_thread = isinstance(club.owner, Conversation)
        after = club.standing.reading.current_page if follows else named.position
        has_own = in_thread and not follows
        if (after, has_own) == (club.standing.set_for_all, club.standing.thread_has_own):
            made = await self._readings.arrived(club.owner, told_in=told_in)
        else:
            made = await self._readings.move(
                club.owner,
                None if follows else named.position,
                has_own=not follows,
                member_id=member.member_id,
                told_in=told_in,
            )
        # Another thread may have moved the club's page since it was read.
        before = club.standing.set_for_all
        if made.change is not None and not in_thread:
            before = made.change.from_position
        return _position_moved(club, before, made.standing.set_for_all, made, member=member, named=named)


def _asks_before_move(
    club: ClubState, named: NamedPosition, request: PositionRequest, *, text: str
) -> NeedsConfirmation | None:
    """Return the confirmation that a move to a position needs; None where it is small enough."""
    before, pages = club.standing.set_for_all, club.outline.counted_at(club.standing.set_for_all).count
    after = club.standing.reading.current_page if isinstance(request, FollowRequest) else named.position
    if not needs_confirmation(before, after, pages, shared=not is_alone(club.owner)):
        return None
    return NeedsConfirmation(
        from_page=before or 0,
        to_page=after,
        pages=pages,
        text=text if isinstance(request, FollowRequest | ResetRequest) else "",
        note=named.note,
        percent=named.percent,
    )


def asks_before_undo(club: ClubState, change_id: int | None = None) -> NeedsConfirmation | None:
    """Return the confirmation that an undo needs: it undoes another member's move and takes a shared page far back.

    None where no confirmation is needed.
    """
    change = club.last_change
    if change is None or change.member_id == club.member_id or change_id not in {None, change.change_id}:
        return None
    before, of_all = club.standing.set_for_all, club.standing.reading.current_page
    in_thread = isinstance(club.owner, Conversation)
    to_page = change.from_position if not in_thread or change.from_has_own else of_all
    if is_alone(club.owner) or not goes_far_back(before, to_page):
        return None
    pages = club.outline.counted_at(before).count
    return NeedsConfirmation(from_page=before or 0, to_page=to_page, pages=pages, undoes=change.change_id)


def page_of_member(club: ClubState, text: str, *, current: Position) -> NamedPosition | NeedsChoice:
    """Return the position that a member names for their own page, or all that it may mean.

    `current` is the page that relative forms such as `+10` start from. `reset` leaves them without one, in a later book
    of a series, too: they go by the thread's page then.

    Raises:
        PositionError: the text names no position in the book.
    """
    request, within = read_position(text, club)
    if isinstance(request, ResetRequest):
        return NamedPosition(position=None)
    if isinstance(request, FollowRequest):
        return NamedPosition(position=resolve(request, club.outline))
    return named_position(request, within, current=current)


def last_words(text: str, *, count: int = 12) -> str:
    """Return the last words of a page, which show a member how far they have read."""
    return " ".join(text.split()[-count:]).strip('“”"‘’ ')


def _position_moved(
    club: ClubState,
    before: Position,
    after: Position,
    made: MoveMade,
    *,
    member: Author,
    named: NamedPosition | None = None,
) -> PositionMoved:
    return PositionMoved(
        from_position=before,
        to_position=after,
        announcement=announce(
            say("You") if is_alone(club.owner) else member.display_name,
            before,
            after,
            club.outline.counted_at(after),
            name=club.page_name,
            what=_moved_thing(club.owner),
            percent=named.percent if named else None,
        ),
        made=made,
        note=named.note if named else "",
    )


def _moved_thing(owner: PositionOwner) -> str:
    """Return the English name of what moves: the club's page, the thread, or the page of one person alone."""
    if not isinstance(owner, Conversation):
        return sentence("the club's page")
    return sentence("the page") if is_alone(owner) else sentence("the thread")


def is_alone(owner: PositionOwner) -> bool:
    """Whether a position belongs to a private conversation of one person."""
    return isinstance(owner, Conversation) and is_private_session(owner.session_id)
