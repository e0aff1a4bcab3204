"""Where threads, readings and members stand: read it, move it, take it back. The rules are in core.domain.position."""

from dataclasses import dataclass, replace
from fractions import Fraction

from core.answering.editions import converted
from core.catalogue.sentences import say, sentence
from core.domain.book import BookOutline
from core.domain.club_state import ClubState, MoveMade
from core.domain.conversation import Author, Conversation
from core.domain.edition import Edition, page_in_copy
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
from core.domain.reading import PositionOwner
from core.domain.scopes import is_private_session
from core.domain.thread import Thread
from core.ports.readings import ReadingRepository
from core.understanding.position_forms import parse_position


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMoved:
    """A move that was made: the position before and after, and the one line that tells everybody.

    Whom the pace holds back is told to nobody, so neither is what it makes of the position. `made` holds no
    change where nothing changed; `note` is for the mover alone.
    """

    from_position: Position
    to_position: Position
    announcement: str
    made: MoveMade
    note: str = ""


class PositionService:
    """Moves the page of a thread, or of its whole club, for every platform."""

    def __init__(self, *, readings: ReadingRepository) -> None:
        self._readings = readings

    async def set(
        self, club: ClubState, *, text: str, member: Author, confirmed: bool = False, told_in: Thread | None = None
    ) -> PositionMoved | NeedsConfirmation | NeedsChoice:
        """Move a thread or a reading to where `text` says (any form of `position_forms`, `follow` and `undo` included).

        `told_in` is where the move is told: what was left for there opens with it. Returns, with nothing changed, a
        NeedsChoice where it may mean several pages, and a NeedsConfirmation for a move that is not `confirmed` and has
        to be.

        Raises:
            PositionError: the form is not known, or the place is outside the book; nothing has changed.
        """
        request = parse_position(text)
        if isinstance(request, UndoRequest):
            asks = None if confirmed else asks_before_undo(club)
            return asks if asks is not None else await self.undo(club, member=member)
        before = club.standing.set_for_all
        named = _meant(request, club, current=before)
        if isinstance(named, NeedsChoice):
            return named
        follows = isinstance(request, FollowRequest)
        if follows and not isinstance(club.owner, Conversation):
            raise PositionError(say("Only a thread can follow its reading."))
        asks = None if confirmed else _asks(club, named, request, text=text)
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
        """Move to a page number that has been confirmed; `percent` is the share that was said for it.

        Raises PositionError beyond the last page.
        """
        if not 0 <= page <= club.outline.pages:
            raise PositionError(say("This book has pages 1 to {last}.", last=club.outline.pages))
        return await self._store(club, NamedPosition(position=page, percent=percent), member=member, told_in=told_in)

    async def move_member(self, club: ClubState, position: Position, *, told_in: Thread | None) -> str:
        """Move the member's own page; return the text of the last page that they have read."""
        return await self._readings.move_member(club.owner, position, member_id=club.member_id, told_in=told_in)

    async def undo(self, club: ClubState, *, member: Author, change_id: int | None = None) -> PositionMoved:
        """Take back the latest move, or only the one that is named.

        Raises:
            PositionError: there is none, or the latest is not the one that is named.
        """
        made = await self._readings.undo(club.owner, change_id=change_id)
        if made is None:
            if change_id is None:
                raise PositionError(say("There's no move to undo."))
            raise PositionError(say("The page has moved again since then."))
        return _told(club, club.standing.set_for_all, made.standing.set_for_all, made, member=member)

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
        # A club's page may have been moved elsewhere since it was looked at.
        before = club.standing.set_for_all
        if made.change is not None and not in_thread:
            before = made.change.from_position
        return _told(club, before, made.standing.set_for_all, made, member=member, named=named)


def _asks(club: ClubState, named: NamedPosition, request: PositionRequest, *, text: str) -> NeedsConfirmation | None:
    """Return what to confirm before a move to a named position; None where that is near enough."""
    before, pages = club.standing.set_for_all, club.outline.pages
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
    """Return what to confirm before `undo`: another's move, where that takes a shared page far back."""
    change = club.last_change
    if change is None or change.member_id == club.member_id or change_id not in {None, change.change_id}:
        return None
    before, of_all = club.standing.set_for_all, club.standing.reading.current_page
    in_thread = isinstance(club.owner, Conversation)
    to_page = change.from_position if not in_thread or change.from_has_own else of_all
    if is_alone(club.owner) or not goes_far_back(before, to_page):
        return None
    return NeedsConfirmation(from_page=before or 0, to_page=to_page, pages=club.outline.pages, undoes=change.change_id)


def page_of_member(club: ClubState, text: str, *, current: Position) -> NamedPosition | NeedsChoice:
    """Return the position that a member says for themselves, who stands at `current`; several where it may be.

    Raises PositionError.
    """
    request = parse_position(text)
    if isinstance(request, FollowRequest):
        return NamedPosition(position=resolve(request, club.outline))
    return _meant(request, club, current=current)


def last_words(text: str, *, count: int = 12) -> str:
    """Return the last words of a page, for the eyes of whoever set the position to it."""
    return " ".join(text.split()[-count:]).strip('“”"‘’ ')


def _meant(request: PositionRequest, club: ClubState, *, current: Position) -> NamedPosition | NeedsChoice:
    """Return the position that a request names, or all that it may name where they are several.

    Raises:
        PositionError: it names none; what is said is of its likeliest meaning.
    """
    edition = club.edition
    found, refusals = list[NamedPosition](), list[PositionError]()
    for meaning in meanings(request, club.outline, copy_pages=edition.last_page if edition else None):
        try:
            found.append(_named(meaning, edition, club.outline, current=current))
        except PositionError as refusal:
            refusals.append(refusal)
    if not found:
        raise refusals[0]
    if len({named.position for named in found}) == 1:
        return found[0]
    return NeedsChoice(from_page=current or 0, meanings=tuple(found))


def _named(request: PlainRequest, edition: Edition | None, outline: BookOutline, *, current: Position) -> NamedPosition:
    """Return the position that a request names; page numbers are those of the member's copy, where there is one."""
    if isinstance(request, FollowRequest):
        return NamedPosition(position=None)
    words, number = in_words(request), _page_of_copy(request, edition, outline, current)
    in_book = None if number is None else converted(edition, number, outline)
    if in_book is not None:
        return replace(in_book, words=words)
    return NamedPosition(
        position=resolve(request, outline, current=current),
        words=words,
        percent=request.percent if isinstance(request, PercentRequest) else None,
    )


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
            club.outline.story_end,
            name=club.page_name,
            what=_what_moves(club.owner),
            percent=named.percent if named else None,
        ),
        made=made,
        note=named.note if named else "",
    )


def _what_moves(owner: PositionOwner) -> str:
    """Return, in English, what an owner is to those who talk there; where one person is alone, that is no thread."""
    if not isinstance(owner, Conversation):
        return sentence("the club's page")
    return sentence("the page") if is_alone(owner) else sentence("the thread")


def is_alone(owner: PositionOwner) -> bool:
    """Whether a position is one person's alone, and nobody else's."""
    return isinstance(owner, Conversation) and is_private_session(owner.session_id)
