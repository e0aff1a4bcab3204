"""A club reading one book, and where everybody stands in it."""

from dataclasses import dataclass

from core.domain.position import MemberPosition, Pace, PageControl, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A club reading one book, with its position and settings."""

    reading_id: str
    club_id: str
    book_id: str
    current_page: Position
    pace: Pace
    page_control: PageControl


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """All that decides the position of a thread (spec section 2)."""

    reading: Reading
    thread_position: Position
    thread_has_own: bool
    members: tuple[MemberPosition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionChange:
    """One move of a thread: from where to where, and whether the thread then holds a position of its own."""

    from_position: Position
    to_position: Position
    from_has_own: bool
    to_has_own: bool
