"""Reading positions: the rules for moving, and the words for it (ADR 8).

`core.understanding.position_forms` reads what a member types; `core.domain.position_meaning` finds its page.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction

from core.catalogue.sentences import say, say_count, sentence
from core.domain.book import OF_WORK, Book, BookOutline, PageSource
from core.domain.messages import plain_name
from core.domain.numbers import page_label

Position = int | None
"""How far has been read, as a page number. None: not set. 0: begun, nothing read."""

_WHOLE = 100
_FREE_RAISE_PERCENT = 15
_FREE_BACK_PAGES = 2
_RECENT = timedelta(days=14)
_PRESENT_FOR = timedelta(hours=1)
_BEGINNING = sentence("the beginning")
_THREAD = sentence("the thread")


class Pace(StrEnum):
    """Whom a reading waits for: nobody (`thread`), or the slowest member who spoke recently."""

    THREAD = "thread"
    SLOWEST = "slowest"


class AnswerIn(StrEnum):
    """Where a member is answered: in the thread, privately, or where they choose when asked."""

    HERE = "here"
    ALONE = "alone"
    ASK = "ask"


class PageControl(StrEnum):
    """Who may set the public position of a reading."""

    ANYONE = "anyone"
    ORGANISERS = "organisers"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsConfirmation:
    """What a service returns instead of a move that the member must confirm first; page numbers, nothing changed.

    `to_page` is None where no page would be set. `text` is what `/setpage` takes for the same move where that is no
    page number; `undoes` is the change that the move takes back, None for other moves. `note` is what the member
    alone should know of it, empty for nothing; `percent` is the share that they named.
    """

    from_page: int
    to_page: Position
    pages: int
    text: str = field(default="", compare=False)
    undoes: int | None = field(default=None, compare=False)
    note: str = ""
    percent: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPosition:
    """A position that somebody named: in which words, and what they alone should know of it; empty for nothing.

    `percent` is the share of the book that they named, None where they named none. `book` is the title of the book of a
    series in which it was found, empty for a single book.
    """

    position: Position
    words: str = ""
    book: str = ""
    note: str = ""
    percent: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsChoice:
    """Returned instead of a move if a text has several meanings on different pages; nothing has changed."""

    from_page: int
    meanings: tuple[NamedPosition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPosition:
    """The position a member set for themselves in a reading (`/mypage`), and when they last spoke, None for never."""

    member_id: str
    position: Position
    last_spoke_at: datetime | None


def needs_confirmation(current: Position, new: Position, pages: int, *, shared: bool = False) -> bool:
    """Whether a move from `current` to `new` must be confirmed; never if `current` is unset.

    Without confirmation, a position may rise by 15 % of `pages`, and a `shared` one may go back by two pages.
    """
    if current is None:
        return False
    raised = (new or 0) - current
    return raised * _WHOLE > _FREE_RAISE_PERCENT * pages or (shared and goes_far_back(current, new))


def farthest(current: Position, pages: int) -> int:
    """Return the last page to which a position may rise without confirmation; from unset, the last one."""
    return pages if current is None else min(current + _FREE_RAISE_PERCENT * pages // _WHOLE, pages)


def goes_far_back(current: Position, new: Position) -> bool:
    """Whether moving from `current` to `new` takes a position back by more than two pages; unset is the start."""
    return (current or 0) - (new or 0) > _FREE_BACK_PAGES


def public_position(
    *,
    thread_position: Position,
    thread_has_own: bool,
    reading_position: Position,
    pace: Pace,
    members: Iterable[MemberPosition],
    now: datetime,
) -> Position:
    """Return the position that public answers of a thread use, no matter who asks.

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


def answer_in(own: Position, position: Position, chosen: AnswerIn | None) -> AnswerIn:
    """Return where a member is answered, from their `own` page and what they have `chosen` in the thread.

    An answer for the thread's `position` would spoil a member whose own page is behind it.
    """
    if own is None or position is None or own >= position:
        return AnswerIn.HERE
    return chosen or AnswerIn.ASK


def is_newly_present(last_spoke_at: datetime | None, now: datetime) -> bool:
    """Whether to store that a member speaks. Presence counts in days, so once an hour is enough."""
    return last_spoke_at is None or now - last_spoke_at > _PRESENT_FOR


def page_names(outline: BookOutline) -> Callable[[int], str]:
    """Return a function from a page number to its printed label, or the number if there is none.

    In a book with labels, a page without one has its number in brackets, which members cannot type as a page. These
    names are for display only: JSON and buttons use numbers. Pages of a series are named with their book.
    """
    labels = {page: label for label, page in labelled_pages(outline).items()}
    labels |= {page: label for label, page in outline.labels.items() if OF_WORK in label}
    return lambda page: labels.get(page, f"[{page}]" if labels else str(page))


def announce(
    who: str,
    from_page: Position,
    to_page: Position,
    outline: BookOutline,
    *,
    name: Callable[[int], str] = str,
    what: str = _THREAD,
    percent: Fraction | None = None,
) -> str:
    """Write the one public line about a change of a public position.

    `who` is a display name, put in by `plain_name`; the adapter escapes it for its platform. `name` is what people see
    of a page (`page_names`), `what` is moved, in English. The percentage is the one that was said, else the share
    of the outline's book, rounded down.
    """
    mover = plain_name(who)
    if to_page is None:
        if from_page is None:
            return say("{who} reset {what}.", who=mover, what=say(what))
        return say(
            "{who} reset {what}: it was at {page}, and now no page is set.",
            who=mover,
            what=say(what),
            page=place_of(from_page, name),
        )
    share = Fraction(share_read(to_page, outline)) if percent is None else percent
    values = {"who": mover, "what": say(what), "page": place_of(to_page, name), "percent": in_percent(share)}
    if from_page is None:
        return say("{who} set {what} to {page} ({percent}).", **values)
    if from_page == to_page:
        return say("Still {page} ({percent}).", **values)
    values["before"] = place_of(from_page, name)
    if to_page > from_page:
        return say("{who} moved {what} from {before} to {page} ({percent}).", **values)
    return say("{who} set {what} back from {before} to {page} ({percent}).", **values)


def share_read(position: int, outline: BookOutline) -> int:
    """Return how many percent of a book's story are read, rounded down; of a book of a series, its own (`at`)."""
    return min(max(position - outline.begin, 0) * _WHOLE // max(outline.story_pages, 1), _WHOLE)


def pages_in_words(book: Book, outline: BookOutline) -> str:
    """Return the number of pages up to the end of the story, of a book of a series its own."""
    if book.page_source is PageSource.ESTIMATED:
        return say_count("{number} estimated page", "{number} estimated pages", outline.story_pages)
    return say_count("{number} page", "{number} pages", outline.story_pages)


def footer(position: Position, *, name: Callable[[int], str] = str) -> str:
    """Return the footer of a public answer: `up to p. 120`."""
    if position is None:
        return say("no page set")
    return say("up to p. {page}", page=name(position)) if position else say("nothing read yet")


def place_of(page: Position, name: Callable[[int], str]) -> str:
    """Return the words for a position in a sentence."""
    if page is None:
        return say("no page at all")
    return say("p. {page}", page=name(page)) if page else say(_BEGINNING)


def labelled_pages(outline: BookOutline) -> dict[str, int]:
    """Return the first page of each label, as labels are compared, in the order of the book."""
    pages: dict[str, int] = {}
    for printed, page in sorted(outline.labels.items(), key=lambda item: item[1]):
        if (key := page_label(printed)) is not None:
            pages.setdefault(key, page)
    return pages


def in_percent(percent: Fraction) -> str:
    """Return a share as it was typed; an endless fraction such as a third is rounded down."""
    number = f"{float(percent):g}" if _WHOLE % percent.denominator == 0 else int(percent)
    return say("{number} %", number=number)
