"""Reading positions: which page a request means, and the rules for moving (spec section 2).

The forms that a member may type are read by `core.domain.position_forms`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from core.domain.book import BookOutline, Chapter
from core.domain.errors import PositionError
from core.domain.position_forms import (
    BegunRequest,
    ChapterDoneRequest,
    ChapterStartRequest,
    EndRequest,
    FollowRequest,
    PageRequest,
    PercentRequest,
    PositionRequest,
    ResetRequest,
    UndoRequest,
    page_label,
    printed_chapter_number,
    printed_division_number,
)
from core.domain.words import plain_name

Position = int | None
"""How far is read, as a page number. None: nobody has said. 0: begun, nothing read."""

_WHOLE = 100
_FREE_RAISE_PERCENT = 15
_RECENT = timedelta(days=14)
_PRESENT_FOR = timedelta(hours=1)
_BEGINNING = "the beginning"


class Pace(StrEnum):
    """Whom a reading waits for: nobody (`thread`), or the slowest member who spoke of late (spec section 2)."""

    THREAD = "thread"
    SLOWEST = "slowest"


class PageControl(StrEnum):
    """Who may set the public position of a reading (spec section 2)."""

    ANYONE = "anyone"
    ORGANISERS = "organisers"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsConfirmation:
    """What a service returns instead of a raise that the member must confirm first; page numbers, nothing changed.

    `note` is what the member alone should know of it, empty for nothing.
    """

    from_page: int
    to_page: int
    pages: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPosition:
    """The position a member set for themselves in a reading (`/mypage`), and when they last spoke, None for never."""

    member_id: str
    position: Position
    last_spoke_at: datetime | None


def resolve(request: PositionRequest, outline: BookOutline) -> Position:  # noqa: C901 (one case a form)
    """Find the page that a request means in one book: the table of spec section 2.

    Where several chapters fit, a start is the earliest start and an end the earliest end, so that no choice reveals
    more than was said.

    Returns:
        0 to `outline.pages`, or None for `reset`.

    Raises:
        PositionError: no such page, label or chapter, more than 100 %, or `follow` and `undo`, which name no page;
            one sentence that never holds a chapter title.
    """
    position: Position
    match request:
        case PageRequest(label=label, of=of):
            position = _page_with_label(label, outline)
            if of not in {None, outline.pages}:
                raise PositionError(f"This book has {outline.pages} pages here; `edition` tells me of your copy.")
        case ChapterStartRequest(chapter=number):
            position = min(chapter.first_page for chapter in _chapters_numbered(number, outline)) - 1
        case ChapterDoneRequest(chapter=number):
            position = min(chapter.last_page for chapter in _chapters_numbered(number, outline))
        case PercentRequest(percent=percent):
            if percent > _WHOLE:
                raise PositionError(f"A share of the book is at most 100%, and its last page is p. {outline.pages}.")
            position = int(outline.pages * percent / _WHOLE)
        case EndRequest():
            position = outline.pages
        case BegunRequest():
            position = 0
        case ResetRequest():
            position = None
        case FollowRequest() | UndoRequest():
            raise PositionError("This takes a place in the book, not follow or undo.")
    return position


def needs_confirmation(current: Position, new: Position, pages: int) -> bool:
    """Whether moving from `current` to `new` raises a set position by more than 15 % of `pages` (spec section 2).

    Never from unset, never when lowering or resetting.
    """
    if current is None or new is None:
        return False
    return (new - current) * _WHOLE > _FREE_RAISE_PERCENT * pages


def public_position(
    *,
    thread_position: Position,
    thread_has_own: bool,
    reading_position: Position,
    pace: Pace,
    members: Iterable[MemberPosition],
    now: datetime,
) -> Position:
    """Return the position that public answers of a thread use, whoever asks (spec section 2).

    It is the thread's own where one was set in the thread (also when that was `reset`), else the reading's. With
    `Pace.SLOWEST` it is lowered to the lowest position that members who spoke in the 14 days up to `now` set for
    themselves; unset stays unset. `now` and the members' times are all aware, or all naive.
    """
    position = thread_position if thread_has_own else reading_position
    if position is None or pace is Pace.THREAD:
        return position
    since = now - _RECENT
    held = (m.position for m in members if m.last_spoke_at is not None and m.last_spoke_at >= since)
    return min([position, *(own for own in held if own is not None)])


def is_newly_present(last_spoke_at: datetime | None, now: datetime) -> bool:
    """Whether it is to be noted that a member speaks: presence is looked at by the day, so once an hour will do."""
    return last_spoke_at is None or now - last_spoke_at > _PRESENT_FOR


def page_names(outline: BookOutline) -> Callable[[int], str]:
    """Return what people see of a page number: the label printed on it, as it may be typed, else the number.

    In a book with labels, a page that has none of its own has its number in brackets, which no form can be mistaken
    for. The names are for the eye alone: JSON and buttons hold numbers.
    """
    labels = {page: label for label, page in _labelled_pages(outline).items()}
    return lambda page: labels.get(page, f"[{page}]" if labels else str(page))


def announce(who: str, from_page: Position, to_page: Position, pages: int, *, name: Callable[[int], str] = str) -> str:
    """Write the one public line about a change of the thread's position (spec section 2); the percentage rounds down.

    `who` is a display name, put in by `plain_name`; the adapter escapes it for its platform. `name` is
    what people see of a page (`page_names`).
    """
    mover = plain_name(who)
    if to_page is None:
        was = "" if from_page is None else f": it was at {_place(from_page, name)}, and now no page is set"
        return f"{mover} reset the thread{was}."
    goal = f"{_place(to_page, name)} ({to_page * _WHOLE // max(pages, 1)} %)"
    if from_page is None:
        return f"{mover} set the thread to {goal}."
    if from_page == to_page:
        return f"{mover} left the thread at {goal}."
    verb = "moved the thread" if to_page > from_page else "set the thread back"
    return f"{mover} {verb} from {_place(from_page, name)} to {goal}."


def footer(position: Position, *, name: Callable[[int], str] = str) -> str:
    """Say under a public answer how far it goes: `up to p. 120` (spec section 2)."""
    if position is None:
        return "no page set"
    return f"up to p. {name(position)}" if position else "nothing read yet"


def _labelled_pages(outline: BookOutline) -> dict[str, int]:
    """Return the first page of each label, as labels are compared, in the order of the book."""
    pages: dict[str, int] = {}
    for printed, page in sorted(outline.labels.items(), key=lambda item: item[1]):
        if (key := page_label(printed)) is not None:
            pages.setdefault(key, page)
    return pages


def _page_with_label(label: str, outline: BookOutline) -> int:
    pages = _labelled_pages(outline)
    if pages:
        if label not in pages:
            first, last = next(iter(pages)), next(reversed(pages))
            raise PositionError(f"No page of this book has that label; its labels run from {first} to {last}.")
        return pages[label]
    if not label.isdigit():
        raise PositionError(f"This book has no printed page labels; say a page from 1 to {outline.pages}.")
    if int(label) > outline.pages:
        raise PositionError(f"That is beyond the last page of this book, p. {outline.pages}.")
    return int(label)


def _chapters_numbered(number: int, outline: BookOutline) -> list[Chapter]:
    """Find the chapters that a number may mean: as printed in the title, else as a part's, else in running order."""
    if not outline.chapters:
        raise PositionError(f"This book has no chapters to go by; say a page from 1 to {outline.pages}.")
    fits = (
        [c for c in outline.chapters if printed_chapter_number(c.title) == number]
        or [c for c in outline.chapters if printed_division_number(c.title) == number]
        or [c for c in outline.chapters if c.number == number]
    )
    if not fits:
        count = len(outline.chapters)
        raise PositionError(f"No chapter has that number; this book has {count} chapter{'' if count == 1 else 's'}.")
    return fits


def _place(page: int, name: Callable[[int], str]) -> str:
    return f"p. {name(page)}" if page else _BEGINNING
